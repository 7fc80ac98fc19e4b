import { minutesOf } from '../../model/query/partial-date.js';
import { readIsoDate, daysInMonth, type DateParts } from '../../rdf/iso-date.js';
import { literal, namedNode, type Literal } from '../../rdf/terms.js';
import { rdf, xsd } from '../../rdf/vocabulary.js';
import type { KnownNames } from '../known-names.js';
import { hasDay } from './days-in-words.js';
import type { Disclosable } from './disclosable.js';

export interface LiteralView extends DateView {
  readonly base: string;
  readonly names: KnownNames;
}

const texts: ReadonlySet<string> = new Set([xsd.string, rdf.langString]);
const dates: ReadonlySet<string> = new Set([xsd.date, xsd.dateTime, xsd.gYear, xsd.gYearMonth]);
/** Other datatypes to show; binary data, markup and unknown types are left out. */
const numbers: ReadonlySet<string> = new Set([
  ...[xsd.integer, xsd.nonNegativeInteger, xsd.int, xsd.long, xsd.decimal, xsd.double, xsd.float],
  ...[xsd.boolean, xsd.time, xsd.anyURI],
]);
const MAX_LETTERS = 1000;
const mailAddress = /[^\s@]@[^\s@]/;
/** Returns the form of a literal to show, if any. */
export function shownLiteral(
  value: Literal,
  disclosable: Disclosable,
  view: LiteralView,
): Literal | undefined {
  const { value: text, datatype } = value;
  const isText = texts.has(datatype.value);
  const isDate = dates.has(datatype.value);
  if (text.length > MAX_LETTERS || !(isText || isDate || numbers.has(datatype.value))) return undefined;
  if (disclosable.as === 'place') {
    const area = postalArea(text);
    return area === undefined ? undefined : literal(area);
  }
  // A text that is a date is shifted whatever its property.
  if (disclosable.as === 'date' || isDate || readIsoDate(text)?.day !== undefined)
    return shownDate(text, datatype.value, {
      ...view,
      yearOnly: disclosable.property?.precision === 'year',
    });
  const tells =
    mailAddress.test(text) ||
    (isText && hasDay(text)) ||
    text.includes(`${view.base}/`) ||
    view.names.areIn(text);
  return tells ? undefined : value;
}

function shownDate(text: string, datatype: string, view: DateView): Literal | undefined {
  const shifted = shiftDate(text, view);
  if (shifted === undefined) return undefined;
  return dates.has(datatype) ? literal(shifted, namedNode(datatypeOf(shifted))) : literal(shifted);
}

/** A date without its day has another datatype. */
function datatypeOf(date: string): string {
  if (date.includes('T')) return xsd.dateTime;
  return [xsd.gYear, xsd.gYearMonth, xsd.date][date.split('-').length - 1] ?? xsd.string;
}

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

/** The first or last moment of a day. It usually means the day, and its UTC time would reveal the offset. */
const edgeOfDay = /T(00:00(:00([.,]0+)?)?|23:59(:59([.,][0-9]+)?)?)(Z|[+-].*)$/;

/**
 * Shifts a date. A year or month becomes the one that contains the middle of the shifted period. An instant is written
 * in UTC, since its offset could reveal when daylight saving began, and so the date. A time without a zone is
 * unchanged. Undefined for a text that is not a date, and for years outside 0000 to 9999.
 */
export function shiftDate(text: string, { days, leastYear, yearOnly = false }: DateView): string | undefined {
  const parts = readIsoDate(text);
  if (!parts) return undefined;
  const { hour, minute, zone } = parts;
  const isDay = edgeOfDay.test(text);
  const date = new Date(0);
  date.setUTCFullYear(Number(parts.year), ...middle(parts));
  date.setUTCDate(date.getUTCDate() - days);
  if (zone !== undefined && !isDay) date.setUTCHours(Number(hour), Number(minute ?? 30) - minutesOf(zone));
  const year = date.getUTCFullYear();
  if (year < 0 || year > 9999) return undefined;
  if (year <= leastYear) return String(leastYear).padStart(4, '0');
  const moved = date.toISOString();
  const shown = moved.slice(0, yearOnly ? 4 : Math.min(text.length, 10));
  if (yearOnly || hour === undefined || isDay) return shown;
  if (zone === undefined) return shown + text.slice(10);
  // Keeps the written precision. Offsets are in whole minutes, so seconds do not change.
  const clock = text.slice(11, -zone.length);
  return `${shown}T${moved.slice(11, 16).slice(0, clock.length)}${clock.slice(5)}Z`;
}

function middle({ year, month, day }: DateParts): [month: number, day: number] {
  if (month === undefined) return [6, 2];
  const last = daysInMonth(Number(year), Number(month));
  return [Number(month) - 1, day === undefined ? Math.ceil(last / 2) : Number(day)];
}
