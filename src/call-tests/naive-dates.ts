import type { DateOperator } from '../ontology/model.js';

/** First and last millisecond of what a date means. */
type Period = readonly [from: number, to: number];

/**
 * The period of an ISO 8601 date, partial or whole, read with `Date` and nothing of the container: what tests are made
 * from must not share a mistake with what they test.
 */
export function periodOf(text: string): Period | undefined {
  const [, year, month, day, time] = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(.+))?)?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  if (time !== undefined) {
    const from = Date.parse(/Z|[+-]\d\d/.test(time) ? text : `${text}Z`);
    const length = /^\d\d:\d\d:\d\d\./.test(time) ? 0 : /^\d\d:\d\d:\d\d/.test(time) ? 999 : 59_999;
    return Number.isNaN(from) ? undefined : [from, from + length];
  }
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const end = Date.UTC(y + (month ? 0 : 1), m + (month && !day ? 1 : 0), d + (day ? 1 : 0));
  return [Date.UTC(y, m, d), end - 1];
}

const keeps: Readonly<Record<DateOperator, (stored: Period, given: Period) => boolean>> = {
  from: ([, end], [from]) => end >= from,
  from_excluding: ([, end], [, to]) => end > to,
  to: ([start], [, to]) => start <= to,
  to_excluding: ([start], [from]) => start < from,
};

/** Whether a stored date passes a filter. */
export function passesDate(operator: DateOperator, stored: string, given: string): boolean {
  const [own, asked] = [periodOf(stored), periodOf(given)];
  return own !== undefined && asked !== undefined && keeps[operator](own, asked);
}
