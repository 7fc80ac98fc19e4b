import { daysInMonth, readIsoDate, type DateParts } from '../rdf/iso-date.js';

/** How a date is to be shown. */
export interface DateView {
  /** Whole days by which it is moved back. */
  readonly days: number;
  /** This year and all before it are shown as this year: who was born then may be older than 89. */
  readonly leastYear: number;
  /** Shows no more than the year. */
  readonly yearOnly?: boolean;
}

/** The oldest age that is told apart from others (45 CFR 164.514(b)(2)(i)(C)). */
const OLDEST = 89;

/**
 * The year that stands for itself and all before it: whoever was born later turns 89 at most before the end of next
 * year, so what was shown in a running year is right for the whole of it.
 */
export const leastYearIn = (year: number): number => year + 1 - (OLDEST + 1);

/**
 * A date of the container, shifted. A year or a month is that in which the middle of the shifted period lies; the time
 * of the day and its zone stay. Undefined for a text that is no date, and for years outside 0000 to 9999.
 */
export function shiftDate(text: string, { days, leastYear, yearOnly = false }: DateView): string | undefined {
  const parts = readIsoDate(text);
  if (!parts) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(parts.year), ...middle(parts));
  date.setUTCDate(date.getUTCDate() - days);
  const year = date.getUTCFullYear();
  if (year < 0 || year > 9999) return undefined;
  if (year <= leastYear) return padded(leastYear, 4);
  const shown = [padded(year, 4)];
  if (parts.month !== undefined && !yearOnly) shown.push(padded(date.getUTCMonth() + 1, 2));
  if (parts.day !== undefined && !yearOnly) shown.push(padded(date.getUTCDate(), 2));
  const clock = yearOnly ? -1 : text.indexOf('T');
  return shown.join('-') + (clock < 0 ? '' : text.slice(clock));
}

/** Month, from 0, and day in the middle of the period that a date means. */
function middle({ year, month, day }: DateParts): [month: number, day: number] {
  if (month === undefined) return [6, 2];
  const last = daysInMonth(Number(year), Number(month));
  return [Number(month) - 1, day === undefined ? Math.ceil(last / 2) : Number(day)];
}

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');
