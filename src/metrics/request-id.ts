import { randomUUID } from 'node:crypto';

/** What a request is known by in the logs of all who handled it. */
export interface RequestIds {
  /** What came as `X-Request-Id`, or a new one: goes into the answer, the request line and the access log. */
  readonly requestId: string;
  /** The caller's `traceparent`, as it came. */
  readonly traceparent?: string;
}

const PRINTABLE = /^[\x21-\x7e]{1,128}$/u;
/** W3C Trace Context §3.2: version, trace id, parent id, flags; a later version may add more behind a dash. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[\x21-\x7e]{1,400})?$/u;

/**
 * The ids of a request from its headers. What a caller made up is taken only where it is at most 128 printable ASCII
 * characters without a space: it ends in logs.
 */
export function requestIds(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): RequestIds {
  const given = headers['x-request-id'];
  const traceparent = headers['traceparent'];
  const requestId = typeof given === 'string' && PRINTABLE.test(given) ? given : randomUUID();
  return typeof traceparent === 'string' && isTraceparent(traceparent)
    ? { requestId, traceparent }
    : { requestId };
}

function isTraceparent(text: string): boolean {
  const [, version, more] = TRACEPARENT.exec(text) ?? [];
  return version !== undefined && (more === undefined || version !== '00');
}
