import type { Holder, Walk } from './walk.js';

/**
 * A companion `_X` stands beside the primitive X (FHIR R4 JSON, "Representation of primitive elements"): arrays of
 * both have one entry for each repetition, and where there is no value there is an extension.
 * @param key with its underscore
 */
export function checkCompanion(walk: Walk, holder: Holder, key: string, free: boolean): void {
  if (key === '__proto__') {
    // In described objects the schema knows no such property.
    if (free) walk.note('unknown-property', '"__proto__" is no property.', key);
    return;
  }
  const [companion, value] = [holder[key], holder[key.slice(1)]];
  if (Array.isArray(companion)) alignArrays(walk, key, companion, value, free);
  else if (isObject(companion)) {
    const fits = value === undefined || !(Array.isArray(value) || isObject(value));
    if (free && !fits) misfit(walk, key);
    else if (value === undefined && !hasExtension(companion))
      walk.note('element', 'An element has a value or an extension; this one has none.', key);
  } else if (free && companion !== null) misfit(walk, key);
}

function alignArrays(walk: Walk, key: string, companions: unknown[], values: unknown, free: boolean): void {
  if (values !== undefined && !Array.isArray(values)) {
    // In described objects the schema says which of them is no array.
    if (free) misfit(walk, key);
    return;
  }
  // That nothing is in it is told by others.
  if (companions.length === 0) return;
  if (companions.every((companion) => companion === null)) {
    walk.note('companion', 'The companion says nothing; leave it out.', key);
    return;
  }
  if (values !== undefined && values.length !== companions.length) {
    const lengths = `${values.length} and ${companions.length}`;
    walk.note('companion', `The array and its companion must be of one length, not ${lengths}.`, key);
    return;
  }
  for (const [index, companion] of companions.entries()) {
    const value: unknown = values?.[index] ?? null;
    if (free && !fitsEntry(value, companion)) misfit(walk, key, index);
    else if (value === null && !hasExtension(companion))
      walk.note('companion', 'Neither a value nor an extension stands here.', key, index);
  }
}

/** Beside a value that is no primitive there is nothing for a companion to say. */
function fitsEntry(value: unknown, companion: unknown): boolean {
  return companion === null || (isObject(companion) && (value === null || !isObject(value)));
}

function misfit(walk: Walk, key: string, ...steps: number[]): void {
  walk.note('companion', `${JSON.stringify(key)} is no companion of a primitive value.`, key, ...steps);
}

function hasExtension(companion: unknown): boolean {
  return isObject(companion) && companion['extension'] !== undefined;
}

function isObject(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
