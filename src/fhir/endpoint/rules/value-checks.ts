import { endsBeforeStart, isImpossibleDate } from './date-time.js';
import { quoted } from '../endpoint-problem.js';
import { shapes } from './endpoint-shapes.js';
import { formatSentences } from './schema-problems.js';
import { narrativeFault } from './narrative.js';
import { numberText } from '../reading/write-json.js';
import { codesOfSystem, structureOf } from './structures.js';
import type { Holder, Walk } from './walk.js';
import { isObject } from '../../../rdf/json-object.js';

/** Checks `holder[key]`, which may be anything; the schema reports values of the wrong kind. */
type ValueCheck = (walk: Walk, holder: Holder, key: string) => void;

/** Datatypes that need more checks than their format. */
const typeChecks: Readonly<Record<string, ValueCheck>> = {
  Meta: checkMeta,
  Period: checkPeriod,
  ContactPoint: checkContacts,
  Coding: checkCodings,
  Identifier: checkSystems,
  Extension: checkUrls,
  date: checkDate,
  dateTime: checkDate,
  instant: checkDate,
  base64Binary: checkBase64,
  integer: checkInteger,
  positiveInt: checkInteger,
  unsignedInt: checkInteger,
  Narrative: checkDiv,
};

/** Checks a value of an R4 type, or an array of them, with the types that a reference may name. */
export function checkValue(
  walk: Walk,
  holder: Holder,
  key: string,
  type: string,
  targets: ReadonlySet<string> | undefined,
): void {
  typeChecks[type]?.(walk, holder, key);
  if (targets) checkTargets(walk, holder, key, targets);
}

/**
 * The same by the property name of a described datatype. Strings are checked only as values of extensions: all others
 * are checked with the object that holds them.
 */
export const valueChecks: ReadonlyMap<string, ValueCheck> = new Map(
  [...shapes].flatMap(([holder, shape]) =>
    [...shape].flatMap(([name, { type }]): [string, ValueCheck][] => {
      // Extensions are checked at their place, and narratives once.
      if (type === 'Extension' || type === 'Narrative') return [];
      const targets = structureOf(holder)?.elements.get(name)?.targets;
      if (targets) return [[name, (walk, each, key) => void checkTargets(walk, each, key, targets)]];
      const check = typeChecks[type];
      return check ? [[name, check]] : [];
    }),
  ),
);

function checkMeta(walk: Walk, holder: Holder, key: string): void {
  dateAt(walk, membersOf(holder[key])['lastUpdated'], key, 'lastUpdated');
}

function checkPeriod(walk: Walk, holder: Holder, key: string): void {
  eachObject(holder, key, ({ start, end }, ...steps) => {
    const impossible = [dateAt(walk, start, ...steps, 'start'), dateAt(walk, end, ...steps, 'end')].includes(
      true,
    );
    if (impossible || typeof start !== 'string' || typeof end !== 'string') return;
    if (endsBeforeStart(start, end))
      walk.note('period', `The period ends (${quoted(end)}) before it starts (${quoted(start)}).`, ...steps);
  });
}

function checkDate(walk: Walk, holder: Holder, key: string): void {
  eachValue(holder, key, (value, ...steps) => void dateAt(walk, value, ...steps));
}

/** Whether a date is not in the calendar, which it notes (FHIR R4 date: "Dates SHALL be valid dates"). */
function dateAt(walk: Walk, text: unknown, ...steps: Steps): boolean {
  if (typeof text !== 'string' || !isImpossibleDate(text)) return false;
  walk.note('date', `The calendar has no day ${quoted(text.slice(0, 10))}.`, ...steps);
  return true;
}

/** The schema checks the letters; this counts them: groups of four, as in the XML Schema type. */
function checkBase64(walk: Walk, holder: Holder, key: string): void {
  eachValue(holder, key, (text, ...steps) => {
    if (typeof text !== 'string' || !/^\s*[0-9A-Za-z+/][0-9A-Za-z+/\s]*(?:=\s*){0,2}$/u.test(text)) return;
    if (text.replace(/\s+/gu, '').length % 4 !== 0)
      walk.note('format', `${quoted(text)} is not ${formatSentences['base64Binary']}.`, ...steps);
  });
}

/** `1.0` and `1e0` are the number 1, but FHIR R4 does not write integers like that. */
function checkInteger(walk: Walk, holder: Holder, key: string): void {
  const value = holder[key];
  if (typeof value !== 'number' || !Number.isInteger(value)) return;
  const text = numberText(holder, key, value);
  if (!/^-?\d+$/u.test(text) || text === '-0')
    walk.note('format', `${quoted(text)} is not written as an integer: digits alone.`, key);
}

/** FHIR R4 cpt-2: "A system is required if a value is provided". */
function checkContacts(walk: Walk, holder: Holder, key: string): void {
  eachObject(holder, key, ({ value, _value, system, _system }, ...steps) => {
    if ((value !== undefined || _value !== undefined) && system === undefined && _system === undefined)
      walk.note('contact-system', 'A contact point with a value says in "system" what kind it is.', ...steps);
  });
}

/** A system is an absolute URI. The codes that HL7 maintains for FHIR are known, but there may be newer ones. */
function checkCodings(walk: Walk, holder: Holder, key: string): void {
  checkSystems(walk, holder, key);
  eachObject(holder, key, ({ system, code }, ...steps) => {
    if (typeof system !== 'string' || typeof code !== 'string') return;
    if (codesOfSystem(system)?.has(code) === false)
      walk.note('unknown-code', `In FHIR R4 ${quoted(system)} has no code ${quoted(code)}.`, ...steps);
  });
}

function checkSystems(walk: Walk, holder: Holder, key: string): void {
  eachObject(holder, key, ({ system }, ...steps) => {
    absoluteAt(walk, system, ...steps, 'system');
  });
}

/** Checks extensions in an R4 datatype; those in an extension are its parts, with their own names. */
function checkUrls(walk: Walk, holder: Holder, key: string): void {
  if (holder['url'] === undefined || key === 'modifierExtension')
    eachObject(holder, key, ({ url }, ...steps) => {
      absoluteAt(walk, url, ...steps, 'url');
    });
}

/** Checks the url of an extension that is not part of another one. */
export function checkUrl(walk: Walk, holder: Holder, key: string): void {
  absoluteAt(walk, holder[key], key);
}

function absoluteAt(walk: Walk, uri: unknown, ...steps: Steps): void {
  if (typeof uri === 'string' && uri !== '' && !isAbsolute(uri))
    walk.note(
      'format',
      `${quoted(uri)} is not an absolute URI, such as urn:x or https://x.example.`,
      ...steps,
    );
}

/** RFC 3986 §3.1: it begins with a scheme. */
function isAbsolute(uri: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:./u.test(uri);
}

function checkDiv(walk: Walk, holder: Holder, key: string): void {
  const { div } = membersOf(holder[key]);
  const fault = typeof div === 'string' && div !== '' && div.isWellFormed() ? narrativeFault(div) : undefined;
  if (fault !== undefined) walk.note('narrative', fault, key, 'div');
}

/** Checks that references name resources of the types in R4: by address, by stated type, or contained ones. */
function checkTargets(walk: Walk, holder: Holder, key: string, targets: ReadonlySet<string>): void {
  eachObject(holder, key, ({ reference, type }, ...steps) => {
    const named = typeof reference === 'string' ? namedType(walk, reference) : undefined;
    for (const each of [named, type]) {
      if (typeof each !== 'string' || targets.has(each) || !structureOf(each)?.isResource) continue;
      const wanted = [...targets].join(', ');
      walk.note('reference-type', `This refers to ${wanted} in R4, not to ${each}.`, ...steps);
      return;
    }
  });
}

/** Returns the type in a relative reference, such as `Patient/1`, or that of a contained resource. */
function namedType(walk: Walk, reference: string): string | undefined {
  if (reference.startsWith('#')) return walk.contained.get(reference.slice(1));
  return /^([A-Z][A-Za-z]*)\/[A-Za-z0-9\-.]{1,64}(?:\/_history\/[A-Za-z0-9\-.]{1,64})?$/u.exec(
    reference,
  )?.[1];
}

type Steps = readonly (string | number)[];

function eachValue(holder: Holder, key: string, look: (value: unknown, ...steps: Steps) => void): void {
  const value = holder[key];
  if (!Array.isArray(value)) look(value, key);
  else for (const [index, each] of (value as unknown[]).entries()) look(each, key, index);
}

function eachObject(holder: Holder, key: string, look: (value: Holder, ...steps: Steps) => void): void {
  eachValue(holder, key, (value, ...steps) => {
    if (typeof value === 'object' && value !== null) look(value as Holder, ...steps);
  });
}

function membersOf(value: unknown): Holder {
  return typeof value === 'object' && value !== null ? (value as Holder) : {};
}

/**
 * A primitive extension `_X` stands beside the primitive X (FHIR R4 JSON, "Representation of primitive elements"): arrays of
 * both have one entry for each repetition, with an extension if there is no value.
 * @param key with its underscore
 */
export function checkPrimitiveExtension(walk: Walk, holder: Holder, key: string, free: boolean): void {
  if (key === '__proto__') {
    // In described objects the schema rejects such a property.
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
    // In described objects the schema reports which of them is not an array.
    if (free) misfit(walk, key);
    return;
  }
  // Other checks report an empty one.
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

/** A primitive extension is allowed only beside a primitive. */
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
