import { numberText } from './endpoint/reading/write-json.js';
import { structureOf } from './endpoint/rules/structures.js';
import { readableUnit } from '../http/html/readable.js';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import { ucum } from '../rdf/vocabulary.js';

export type Said = string | undefined;

/** How to join the words for a lower and an upper end. */
interface Ends {
  readonly between: string;
  readonly least: string;
  readonly most: string;
}

export const SIGNS: Ends = { between: '-', least: '>=', most: '<=' };
export const WORDS: Ends = { between: ' to ', least: 'at least ', most: 'up to ' };

/** What an element is called that says something which has no words here. */
export const UNTOLD = 'what cannot be shown here';

/** Whether a property is one of a choice of types: `valueQuantity` of `value[x]`. */
export const isChoice = (key: string, name: string): boolean =>
  key.startsWith(name) && /^[A-Z]/u.test(key.slice(name.length));

/** Returns the type of an R4 property; undefined if it is not one. */
export const typeIn = (type: string | undefined, key: string): string | undefined =>
  type === undefined ? undefined : structureOf(type)?.elements.get(key)?.type;

/** Returns the digits of a number in an object, without an exponent; undefined if it is not a number. */
export function plainNumber(holder: object, key: string): Said {
  const text = primitiveText(holder, key);
  return text !== undefined && /^-?\d+(?:\.\d+)?$/u.test(text) ? text : undefined;
}

const scientific = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/u;

/** Returns a primitive value as text, numbers with all digits and without an exponent; undefined if there is none. */
export function primitiveText(holder: object, key: string): Said {
  const value = (holder as JsonObject)[key];
  if (value === null || value === undefined || isObject(value)) return undefined;
  return typeof value === 'number' ? plainDecimal(numberText(holder, key, value)) : String(value as string);
}

/** Writes a number without an exponent, with all digits: `1.20E+1` is `12.0`. */
function plainDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = scientific.exec(text) ?? [];
  if (exponent === undefined) return text;
  const zeros = '0'.repeat(Math.abs(Number(exponent)));
  const digits = zeros + whole + fraction + zeros;
  const point = zeros.length + whole.length + Number(exponent);
  const below = digits.slice(point, point + Math.max(0, fraction.length - Number(exponent)));
  return `${sign}${digits.slice(0, point).replace(/^0+(?=\d)/u, '')}${below && '.'}${below}`;
}

export const said = (value: unknown): Said =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

export function joined(parts: readonly Said[], by: string): Said {
  const told = parts.filter((each) => each !== undefined && each !== '');
  return told.length === 0 ? undefined : told.join(by);
}

export const prefixed = (before: string, words: Said, after = ''): Said =>
  words === undefined ? undefined : `${before}${words}${after}`;

export const isQuantity = (type: string | undefined): boolean =>
  ['Quantity', 'Age', 'Count', 'Distance', 'Duration', 'Money'].includes(type ?? '');

/** The unit as people write it, also where its text is only the code of UCUM: `10*3/uL`, or `{score}`, which says nothing. */
export const unitOf = (value: unknown): Said => {
  const written = isObject(value) ? (said(value.unit) ?? said(value.code)) : undefined;
  return written === undefined ? undefined : readableUnit(written) || undefined;
};

export function quantity(value: unknown): Said {
  if (!isObject(value)) return undefined;
  const number = primitiveText(value, 'value');
  const other = hasTwoUnits(value) ? `(coded as ${String(value.code)})` : undefined;
  return number === undefined
    ? undefined
    : joined([`${said(value.comparator) ?? ''}${number}`, unitOf(value), other], ' ');
}

/** Units that people write as UCUM does, at most one over another. */
const unit = '(?:[munpkcd]?(?:g|l|mol|eq|m|pa|u|s)|mmhg|lb|oz|in|ft|cel|%|min|h|d)';
const knownUnit = new RegExp(`^${unit}(?:/${unit})?$`, 'u');

/** Whether unit and code of a quantity are two different known units: 5.5 mg/dL with the code mmol/L. */
export function hasTwoUnits({ unit, code, system }: JsonObject): boolean {
  if (system !== ucum) return false;
  const [shown, coded] = [unit, code].map((each) =>
    String(each)
      .toLowerCase()
      .replace(/_(?:av|i|us)\b|[[\]{} ]/gu, '')
      .replace(/^mcg|μg|µg/u, 'ug')
      .replaceAll('iu', 'u'),
  );
  return shown !== coded && [shown, coded].every((each) => knownUnit.test(each ?? ''));
}

export function ends(low: unknown, high: unknown, { between, least, most }: Ends): Said {
  const [from, to] = [quantity(low), quantity(high)];
  if (from === undefined || to === undefined) return prefixed(most, to) ?? prefixed(least, from);
  const isOneUnit = unitOf(low) === undefined || unitOf(low) === unitOf(high);
  return `${isOneUnit ? primitiveText(low as object, 'value') : from}${between}${to}`;
}
