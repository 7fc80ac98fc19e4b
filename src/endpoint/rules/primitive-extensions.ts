import { isObject } from '../../rdf/json-object.js';
import type { Holder, Walk } from './walk.js';

/**
 * A primitive extension `_X` stands beside the primitive X (FHIR R4 JSON, "Representation of primitive elements"): arrays of
 * both have one entry for each repetition, and where there is no value there is an extension.
 * @param key with its underscore
 */
export function checkPrimitiveExtension(walk: Walk, holder: Holder, key: string, free: boolean): void {
  if (key === '__proto__') {
    // In described objects the schema knows no such property.
    if (free) walk.note('unknown-property', '"__proto__" is no property.', key);
    return;
  }
  const [primitiveExtension, value] = [holder[key], holder[key.slice(1)]];
  if (Array.isArray(primitiveExtension)) alignArrays(walk, key, primitiveExtension, value, free);
  else if (isObject(primitiveExtension)) {
    const fits = value === undefined || !(Array.isArray(value) || isObject(value));
    if (free && !fits) misfit(walk, key);
    else if (value === undefined && !hasExtension(primitiveExtension))
      walk.note('element', 'An element has a value or an extension; this one has none.', key);
  } else if (free && primitiveExtension !== null) misfit(walk, key);
}

function alignArrays(
  walk: Walk,
  key: string,
  primitiveExtensions: unknown[],
  values: unknown,
  free: boolean,
): void {
  if (values !== undefined && !Array.isArray(values)) {
    // In described objects the schema says which of them is no array.
    if (free) misfit(walk, key);
    return;
  }
  // That nothing is in it is told by others.
  if (primitiveExtensions.length === 0) return;
  if (primitiveExtensions.every((primitiveExtension) => primitiveExtension === null)) {
    walk.note('companion', 'The primitive extension says nothing; leave it out.', key);
    return;
  }
  if (values !== undefined && values.length !== primitiveExtensions.length) {
    const lengths = `${values.length} and ${primitiveExtensions.length}`;
    walk.note(
      'companion',
      `The array and its primitive extension must be of one length, not ${lengths}.`,
      key,
    );
    return;
  }
  for (const [index, primitiveExtension] of primitiveExtensions.entries()) {
    const value: unknown = values?.[index] ?? null;
    if (free && !fitsEntry(value, primitiveExtension)) misfit(walk, key, index);
    else if (value === null && !hasExtension(primitiveExtension))
      walk.note('companion', 'Neither a value nor an extension stands here.', key, index);
  }
}

/** Beside a value that is no primitive there is nothing for a primitive extension to say. */
function fitsEntry(value: unknown, primitiveExtension: unknown): boolean {
  return (
    primitiveExtension === null || (isObject(primitiveExtension) && (value === null || !isObject(value)))
  );
}

function misfit(walk: Walk, key: string, ...steps: number[]): void {
  walk.note(
    'companion',
    `${JSON.stringify(key)} is no primitive extension of a primitive value.`,
    key,
    ...steps,
  );
}

function hasExtension(primitiveExtension: unknown): boolean {
  return isObject(primitiveExtension) && primitiveExtension['extension'] !== undefined;
}
