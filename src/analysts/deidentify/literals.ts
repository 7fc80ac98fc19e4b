import { readIsoDate, daysInMonth, type DateParts } from '../../rdf/iso-date.js';
import { literal, namedNode, type Literal } from '../../rdf/terms.js';
import { rdf, xsd } from '../../rdf/vocabulary.js';
import type { KnownNames } from '../known-names.js';
import { hasDay } from './days-in-words.js';
import type { Disclosable } from './disclosable.js';
import { commonValue } from './forms.js';

export interface LiteralView extends DateView {
  readonly base: string;
  readonly names: KnownNames;
  /** Properties whose values are units. */
  readonly units: ReadonlySet<string>;
}

const texts: ReadonlySet<string> = new Set([xsd.string, rdf.langString, xsd.anyURI]);
const dates: ReadonlySet<string> = new Set([xsd.date, xsd.dateTime, xsd.gYear, xsd.gYearMonth]);
/** Other datatypes to show. Times of day, binary data, markup and unknown types could tell who a person is. */
const numbers: ReadonlySet<string> = new Set([
  ...[xsd.integer, xsd.nonNegativeInteger, xsd.int, xsd.long, xsd.decimal, xsd.double, xsd.float],
  xsd.boolean,
]);
/** Replaces a value that could tell who a person is, so that its subject is still counted. */
export const withheld = literal('Withheld');
/** Replaces a value that few people have. */
const other = literal('other');
const MAX_LETTERS = 1000;
const mailAddress = /[^\s@]@[^\s@]/;

/** Returns the form of a literal to show, if any. */
export function shownLiteral(
  { value: text, datatype }: Literal,
  { as, property }: Disclosable,
  view: LiteralView,
): Literal | undefined {
  const isDate = dates.has(datatype.value);
  if (as === 'place') {
    const area = postalArea(text);
    return area === undefined ? undefined : literal(area);
  }
  // A text that is a date is shifted whatever its property.
  if (as === 'date' || isDate || readIsoDate(text)?.day !== undefined)
    return shownDate(text, datatype.value, { ...view, yearOnly: property?.precision === 'year' });
  const isOfUnits = property !== undefined && view.units.has(property.iri);
  const isNumber = numbers.has(datatype.value);
  const isSafe = (isNumber || texts.has(datatype.value)) && !tellsWho(text, view);
  const shown = isSafe ? commonValue(text, property ?? {}, isOfUnits) : undefined;
  if (shown !== undefined) return literal(shown, isNumber ? datatype : undefined);
  return property?.common && !isOfUnits ? other : withheld;
}

/** Whether a text holds a day, an address, or names or a number of the person. */
export function tellsWho(text: string, { base, names }: Pick<LiteralView, 'base' | 'names'>): boolean {
  return (
    text.length > MAX_LETTERS ||
    mailAddress.test(text) ||
    hasDay(text) ||
    text.includes(`${base}/`) ||
    names.areIn(text)
  );
}

function shownDate(text: string, datatype: string, view: DateView): Literal | undefined {
  const shifted = shiftDate(text, view);
  if (shifted === undefined) return undefined;
  return dates.has(datatype) ? literal(shifted, namedNode(datatypeOf(shifted))) : literal(shifted);
}

/** A date without its day has another datatype. */
const datatypeOf = (date: string): string =>
  [xsd.gYear, xsd.gYearMonth, xsd.date][date.split('-').length - 1] ?? xsd.string;

/**
 * Three-digit areas of US postal codes with at most 20,000 people in the 2000 census, as listed in the
 * de-identification guidance of the Office for Civil Rights (2010), and unused areas.
 */
const smallAreas: ReadonlySet<string> = new Set(
  (
    '000 001 002 003 004 036 059 063 102 202 203 204 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 ' +
    '892 893'
  ).split(' '),
);

const postalCode = /^(\d{3})\d{2}(-\d{4})?$/;

/** Returns the part of a place to show: three digits, 000 for small areas (45 CFR 164.514(b)(2)(i)(B)). */
function postalArea(text: string): string | undefined {
  const area = postalCode.exec(text.trim())?.[1];
  return area !== undefined && smallAreas.has(area) ? '000' : area;
}

interface DateView {
  readonly days: number;
  /** Earlier years are shown as this one: people born then may be older than 89. */
  readonly leastYear: number;
  readonly yearOnly?: boolean;
}

/** The oldest age that may be shown (45 CFR 164.514(b)(2)(i)(C)). */
const MAX_AGE = 89;

/** Returns the earliest year to show. Those born later are at most 89 until the end of next year. */
export const leastYearIn = (year: number): number => year + 1 - (MAX_AGE + 1);

/**
 * Shifts a date. A year or month becomes the one that contains the middle of the shifted period. The time of day and its
 * zone are left out: they could reveal the place, when daylight saving began and so the date, or match one known event.
 * Undefined for a text that is not a date, and for years outside 0000 to 9999.
 */
export function shiftDate(text: string, { days, leastYear, yearOnly = false }: DateView): string | undefined {
  const parts = readIsoDate(text);
  if (!parts) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(parts.year), ...middle(parts));
  date.setUTCDate(date.getUTCDate() - days);
  const year = date.getUTCFullYear();
  if (year < 0 || year > 9999) return undefined;
  if (year <= leastYear) return String(leastYear).padStart(4, '0');
  return date.toISOString().slice(0, yearOnly ? 4 : Math.min(text.length, 10));
}

function middle({ year, month, day }: DateParts): [month: number, day: number] {
  if (month === undefined) return [6, 2];
  const last = daysInMonth(Number(year), Number(month));
  return [Number(month) - 1, day === undefined ? Math.ceil(last / 2) : Number(day)];
}
