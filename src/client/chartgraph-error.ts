import { isObject } from '../rdf/json-object.js';

/** What went wrong: the container refused, it could not be reached, or its answer cannot be read. */
export type ErrorKind = 'refused' | 'network' | 'answer';

/** The members of a problem document (RFC 9457 §3.1) and what else it says. */
export type ProblemMembers = Readonly<Record<string, unknown>>;

/**
 * A call that failed. It holds no secret, no signature and no query string. A call that is ended by its own signal
 * rejects with the signal's reason instead.
 */
export class ChartgraphError extends Error {
  readonly kind: ErrorKind;
  /** Client method name of the call. */
  readonly call: string;
  /** Status of the response, where there was one. */
  readonly status: number | undefined;
  /** The problem type, an IRI; docs/errors.md lists them. */
  readonly type: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  /** All members of the problem document, such as the `parameter` at fault. */
  readonly problem: ProblemMembers;
  /** Seconds after which to try again, where the container says so. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: ErrorKind,
    call: string,
    sentence: string,
    {
      status,
      problem = {},
      retryAfter,
    }: {
      status?: number | undefined;
      problem?: ProblemMembers | undefined;
      retryAfter?: number | undefined;
    } = {},
  ) {
    super(`${call}: ${sentence}`);
    this.name = 'ChartgraphError';
    this.kind = kind;
    this.call = call;
    this.status = status;
    this.type = textOf(problem['type']);
    this.title = textOf(problem['title']);
    this.detail = textOf(problem['detail']);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The error that a refusing response stands for; a body that is no problem document counts for nothing. */
export function refusalOf(call: string, response: Response, body: string): ChartgraphError {
  const { status } = response;
  const problem = problemOf(response, body);
  const says = ['title', 'detail'].flatMap((name) => textOf(problem[name]) ?? []);
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ChartgraphError('refused', call, [status, ...says].join(' – '), {
    status,
    problem,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  });
}

function problemOf(response: Response, body: string): ProblemMembers {
  if (!/^application\/(?:problem\+)?json\b/i.test(response.headers.get('Content-Type') ?? '')) return {};
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? (value as ProblemMembers) : {};
  } catch {
    return {};
  }
}
