import { readIsoDate } from '../../rdf/iso-date.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats an ISO 8601 date, to its precision: 2011, May 2011, 16 May 2011, 16 May 2011, 15:30 UTC. */
export function readableDate(text: string): string {
  const parts = readIsoDate(text);
  if (!parts) return text;
  const { year, month, day, hour, minute, zone } = parts;
  const monthName = month === undefined ? undefined : MONTHS[Number(month) - 1];
  const date = [day === undefined ? undefined : Number(day), monthName, year].filter(
    (part) => part !== undefined,
  );
  const clock =
    hour === undefined
      ? ''
      : `, ${hour}:${minute ?? '00'} ${zone === undefined || zone === 'Z' || zone === '+00:00' ? 'UTC' : zone}`;
  return date.join(' ') + clock;
}

export function readableDay(text: string): string {
  return readableDate(text.slice(0, 10));
}

/** Formats a time in milliseconds to the minute, in UTC. */
export const readableMinute = (time: number): string =>
  readableDate(`${new Date(time).toISOString().slice(0, 16)}Z`);

/** Formats the day of a time in milliseconds. */
export const dayOf = (time: number): string => readableDay(new Date(time).toISOString());

const DAY = 86_400_000;

/** Returns the age at an ISO 8601 date, "about" without month or day; in months under two years; '' if unknown. */
export function readableAge(birthday: string, at: string): string {
  const digits = Math.min(birthday.length, at.length, 10);
  const [born, then] = [Date.parse(birthday.slice(0, digits)), Date.parse(at.slice(0, digits))];
  if (Number.isNaN(born) || Number.isNaN(then) || then < born) return '';
  const [from, to] = [new Date(born), new Date(then)];
  const early = to.getUTCDate() < from.getUTCDate() ? 1 : 0;
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth() - early;
  const [count, unit] =
    months >= 24 || digits < 7
      ? [Math.floor(months / 12), 'year']
      : months === 0 && digits === 10
        ? [Math.floor((then - born) / DAY), 'day']
        : [months, 'month'];
  // Without the day, the age in years is uncertain only in the month of the birthday.
  const isOpen = digits < 7 || (digits < 10 && (unit === 'month' || months % 12 === 0));
  if (isOpen && count === 0) return `under 1 ${unit}`;
  return `${isOpen ? 'about ' : ''}${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Says how long ago a day was, if that is a year or more. @param date ISO 8601 @param today ISO 8601 */
export function longAgo(date: string, today: string): string {
  const anniversary = `${Number(date.slice(0, 4)) + 1}${date.slice(4, 10)}`;
  const age = anniversary <= today ? readableAge(date, today) : '';
  return age && `${age} ago`;
}

const SPOKEN: Readonly<Record<string, string>> = {
  '1': '',
  '{#}': '',
  Cel: '°C',
  '/d': 'a day',
  '/wk': 'a week',
  '/mo': 'a month',
  byte: 'bytes',
  a: 'years',
  mo: 'months',
  wk: 'weeks',
  d: 'days',
};
const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789'].map((digit, at) => [digit, '⁰¹²³⁴⁵⁶⁷⁸⁹'[at] ?? '']),
);

/** The u before a unit that is measured in millionths: `ug`, and not `units`. */
const MICRO = /(?<![A-Za-z])u(?=(?:g|[lL]|m|mol|s|[eE]q|[oO]sm|kat|I?U|V)(?![A-Za-z]))/g;

/** Annotations that say nothing: that a number is one, and of what a percentage is, which the name of the test says. */
const SILENT = /\{(?:nominal|ratio|score)\}|(?<=%)\{[^}]*\}/g;

/** Formats a UCUM unit: an annotation (§6) is a word, such as FEU of a D-dimer; powers are raised. */
export function readableUnit(ucum: string): string {
  const spoken = SPOKEN[ucum];
  if (spoken !== undefined) return spoken;
  return ucum
    .replace(SILENT, '')
    .replace(/(?<=[^/.\s])(?=\{)/g, ' ')
    .replace(/\{[^}]*\}/g, (word) => word.replaceAll('_', ' '))
    .replace(/[{}[\]]/g, '')
    .replace(/(?<=\b[cdm]?m)[23]\b/g, (digit) => RAISED[digit] ?? '')
    .replace(
      /10[*^](\d+)/g,
      (_, digits: string) => `10${[...digits].map((digit) => RAISED[digit] ?? '').join('')}`,
    )
    .replace(MICRO, 'µ');
}

/** Formats a value with its unit: percent without a space, counted things in the plural. */
export function readableQuantity(value: string, unit: string): string {
  const shown = readableUnit(unit);
  const counted = /^\{[a-z]+\}$/.test(unit) && value !== '1' && !/^$|s$/.test(shown);
  const units = counted ? `${shown}${/(ch|sh|x)$/.test(shown) ? 'es' : 's'}` : shown;
  return value + afterNumber(units);
}

/** Formats a readable unit to follow a number: percent without a space. */
export const afterNumber = (unit: string): string => (unit === '' || unit === '%' ? unit : ` ${unit}`);

/** Says of several values of one moment how many there are. */
export const severalReadings = (count: number): string =>
  `(${['', 'one', 'two', 'three', 'four'][count] ?? count} readings)`;

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Starts a text with a lower-case letter, unless it begins with an abbreviation. */
export function uncapital(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
