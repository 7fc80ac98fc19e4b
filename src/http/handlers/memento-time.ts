import { AT } from '../../ontology/has-past.js';
import { Problem } from '../../problem.js';
import type { CallRequest } from '../request-context.js';

/** A time that a request asks for, in milliseconds since 1970. */
export interface AskedTime {
  readonly time: number;
  /** Whether the first state is meant where the time is before it (RFC 7089 §4.5.3). */
  readonly isNegotiated: boolean;
}

/** RFC 3339 §5.6, with its zone: a time without one is another time elsewhere. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
/** RFC 7089 §2.1.1: the fixed form of dates in HTTP. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The time as of which a request asks to be answered: the parameter `at` before Accept-Datetime, which names whole
 * seconds and means all of the one it names. Undefined for the present.
 * @throws Problem invalid-parameter, malformed-request
 */
export function askedTime({ context, query }: CallRequest): AskedTime | undefined {
  if (query.at !== undefined) {
    const time = TIME.test(query.at) ? Date.parse(query.at) : Number.NaN;
    if (!Number.isNaN(time)) return { time, isNegotiated: false };
    throw new Problem(
      'invalid-parameter',
      `${AT} is a time with its zone, such as 2026-03-01T12:00:00Z; write + as %2B.`,
      { extra: { parameter: AT } },
    );
  }
  const field = context.get('Accept-Datetime').trim();
  if (field === '') return undefined;
  const time = HTTP_DATE.test(field) ? Date.parse(field) : Number.NaN;
  if (!Number.isNaN(time)) return { time: time + 999, isNegotiated: true };
  throw new Problem(
    'malformed-request',
    'Accept-Datetime is a date such as Sun, 01 Mar 2026 12:00:00 GMT (RFC 7089).',
  );
}
