import { xsd } from './vocabulary.js';
import type { Literal } from './terms.js';

const year = '-?(?:[1-9]\\d{3,}|0\\d{3})';
const month = '(?:0[1-9]|1[0-2])';
const day = '(?:0[1-9]|[12]\\d|3[01])';
const time = '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?|24:00:00(?:\\.0+)?)';
const zone = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';
const integer = /^[+-]?\d+$/;
const float = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?|[+-]?INF|NaN)$/;

const written = (...parts: readonly string[]): RegExp => new RegExp(`^${parts.join('')}${zone}$`);

/** The lexical forms (XML Schema 1.1 part 2). */
const lexical: Readonly<Record<string, RegExp>> = {
  [xsd.boolean]: /^(?:true|false|0|1)$/,
  [xsd.integer]: integer,
  [xsd.int]: integer,
  [xsd.long]: integer,
  [xsd.nonNegativeInteger]: /^(?:\+?\d+|-0+)$/,
  [xsd.decimal]: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/,
  [xsd.double]: float,
  [xsd.float]: float,
  [xsd.date]: written(year, '-', month, '-', day),
  [xsd.dateTime]: written(year, '-', month, '-', day, 'T', time),
  [xsd.time]: written(time),
  [xsd.gYear]: written(year),
  [xsd.gYearMonth]: written(year, '-', month),
  [xsd.base64Binary]: /^(?:(?:[A-Za-z0-9+/] ?){4})*(?:(?:[A-Za-z0-9+/] ?){2}= ?=|(?:[A-Za-z0-9+/] ?){3}=)?$/,
};

const bits: Readonly<Record<string, number>> = { [xsd.int]: 32, [xsd.long]: 64 };

/** Checks the length first, because reading a number takes more than linear time. */
const fitsInto = (size: number, text: string): boolean =>
  text.replace(/^[+-]?0*/, '').length <= 20 && BigInt.asIntN(size, valueOf(text)) === valueOf(text);

/** BigInt rejects a plus sign. */
const valueOf = (text: string): bigint => BigInt(text.replace('+', ''));

function isWrittenAs(text: string, datatype: string): boolean {
  const size = bits[datatype];
  return (lexical[datatype]?.test(text) ?? true) && (size === undefined || fitsInto(size, text));
}

export function hasDatatype({ value, datatype }: Literal, wanted: string): boolean {
  return datatype.value === wanted && isWrittenAs(value, wanted);
}

/** Exact numbers: one value can have several of these datatypes (XML Schema 1.1 part 2 §3.4). */
const decimals: readonly string[] = [xsd.decimal, xsd.integer, xsd.nonNegativeInteger, xsd.int, xsd.long];

/** Returns the datatypes that share values with one, including itself. */
export function datatypesLike(datatype: string): readonly string[] {
  return isExact(datatype) ? decimals : [datatype];
}

export function isExact(datatype: string): boolean {
  return decimals.includes(datatype);
}

/** Whether a literal spells a value of a datatype: typed with it or one that shares the value, or plain. */
export function saysValueOf(literal: Literal, datatype: string): boolean {
  if (!isWrittenAs(literal.value, datatype)) return false;
  return [...datatypesLike(datatype), xsd.string].some((each) => hasDatatype(literal, each));
}

/** Returns the lexical form as a pattern that XPath, JavaScript and Python read alike. */
export function lexicalPattern(datatype: string): string | undefined {
  return lexical[datatype]?.source.replaceAll('(?:', '(').replaceAll('\\d', '[0-9]');
}

const number = (text: string): number => Number(text);
/** JavaScript would read a time without a zone as local time. */
const instant = (time: string): number => Date.parse(hasZone(time) ? time : `${time}Z`);

/** The order of values; NaN for values without order. */
const places: Readonly<Record<string, (text: string) => number>> = {
  [xsd.decimal]: number,
  [xsd.integer]: number,
  [xsd.nonNegativeInteger]: number,
  [xsd.double]: number,
  [xsd.float]: number,
  // A day begins at its midnight (XSD 1.1 part 2 §3.3.9). JavaScript misreads years before 0.
  [xsd.date]: (text) => instant(text.replace(/-\d\d-\d\d/, '$&T00:00:00')),
  [xsd.dateTime]: instant,
};

/** Whether a time states its zone; times with and without one have no order between them. */
export function hasZone(time: string): boolean {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(time);
}

export const orderedDatatypes: readonly string[] = Object.keys(places);

/** Returns the approximate rank of a value in its datatype, in milliseconds for dates; NaN without order. */
export function placeOf(text: string, datatype: string): number {
  return places[datatype]?.(text) ?? NaN;
}

export interface Written {
  readonly text: string;
  readonly datatype: string;
}

/** Compares two values: negative when the first is smaller, positive when it is larger, NaN without order. */
export function compareValues(one: Written, other: Written): number {
  if (isExact(one.datatype) && isExact(other.datatype)) return compareDigits(one.text, other.text);
  const [first, second] = [one, other].map(({ text, datatype }) => placeOf(text, datatype)) as [
    number,
    number,
  ];
  return first === second ? 0 : first < second ? -1 : first > second ? 1 : NaN;
}

/** Compares digit by digit, because there may be more than a JavaScript number holds. */
function compareDigits(one: string, other: string): number {
  const [isBelow, isOtherBelow] = [one, other].map((text) => /^-[0.]*[1-9]/.test(text));
  if (isBelow !== isOtherBelow) return isBelow ? -1 : 1;
  const [[whole = '', part = ''], [otherWhole = '', otherPart = '']] = [one, other].map((text) =>
    text.replace(/^[+-]?0*/, '').split('.'),
  ) as [string[], string[]];
  const order =
    whole.length - otherWhole.length ||
    compareText(whole, otherWhole) ||
    compareText(part.padEnd(otherPart.length, '0'), otherPart.padEnd(part.length, '0'));
  return isBelow ? -order : order;
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
