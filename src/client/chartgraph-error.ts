import { isObject } from '../rdf/json-object.js';

/** The kind of failure: the container refused, it could not be reached, or its answer was unreadable. */
export type ErrorKind = 'refused' | 'network' | 'answer';

/** The members of a problem document (RFC 9457 §3.1), and its extensions. */
export type ProblemMembers = Readonly<Record<string, unknown>>;

/**
 * A failed call. It contains no secret, signature or query string. A call that its own signal ended rejects with the
 * signal's reason instead.
 */
export class ChartgraphError extends Error {
  readonly status: number | undefined;
  /** The problem type, an IRI; docs/errors.md lists them. */
  readonly type: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  readonly problem: ProblemMembers;
  /** Seconds to wait before another try, if the container says so. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly kind: ErrorKind,
    readonly call: string,
    sentence: string,
    more: Partial<Pick<ChartgraphError, 'status' | 'problem' | 'retryAfter'>> = {},
  ) {
    super(`${call}: ${sentence}`);
    this.name = 'ChartgraphError';
    const { status, problem = {}, retryAfter } = more;
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

/** Makes the error for a refusing response; a body that is not a problem document is ignored. */
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
