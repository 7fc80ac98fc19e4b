import type { DateOperator } from '../ontology/model.js';
import { daysInMonth, readIsoDate } from '../../rdf/iso-date.js';

/** First and last millisecond of a (partial) date as `YYYY-MM-DDThh:mm:ss.sssZ`: text order is time order. */
export interface Instants {
  low: string;
  high: string;
}

/**
 * Returns the period that an ISO 8601 date means, at any precision: year, month, day, hour, minute, second or
 * fraction. A missing zone is UTC; an offset is applied. Undefined for everything else: impossible days or times,
 * other formats of ISO 8601, and instants outside the years 0000–9999 in UTC.
 */
export function instants(text: string): Instants | undefined {
  const parts = readIsoDate(text);
  if (!parts) return undefined;
  const { year, month, day, hour, minute, second, fraction } = parts;
  const offset = minutesOf(parts.zone);
  const lastMonth = month ?? '12';
  const low = `${year}-${month ?? '01'}-${day ?? '01'}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`;
  const high =
    `${year}-${lastMonth}-${day ?? daysInMonth(Number(year), Number(lastMonth))}` +
    `T${hour ?? '23'}:${minute ?? '59'}:${second ?? '59'}`;
  // Milliseconds are the finest precision that is compared.
  const digits = (fraction ?? '').slice(0, 3);
  const first = shifted(`${low}.${digits.padEnd(3, '0')}Z`, offset);
  const last = shifted(`${high}.${digits.padEnd(3, '9')}Z`, offset);
  return first === undefined || last === undefined ? undefined : { low: first, high: last };
}

/** How each date filter compares one side of the stored date with one side of the given date. */
export const dateComparisons = {
  from: { stored: 'high', comparison: '>=', given: 'low' },
  from_excluding: { stored: 'high', comparison: '>', given: 'high' },
  to: { stored: 'low', comparison: '<=', given: 'high' },
  to_excluding: { stored: 'low', comparison: '<', given: 'low' },
} as const satisfies Record<
  DateOperator,
  { stored: keyof Instants; comparison: string; given: keyof Instants }
>;

/** Minutes of an offset from `readIsoDate`; a missing one is UTC. */
export function minutesOf(zone = 'Z'): number {
  if (zone === 'Z') return 0;
  const total = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''));
  return zone.startsWith('-') ? -total : total;
}

function shifted(utc: string, minutes: number): string | undefined {
  if (minutes === 0) return utc;
  const text = new Date(Date.parse(utc) - minutes * 60_000).toISOString();
  return text.length === utc.length ? text : undefined;
}
