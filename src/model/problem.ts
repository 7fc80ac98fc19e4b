/** The base of problem type IRIs; docs/errors.md documents each fragment. */
const PROBLEMS = 'https://chartgraph.example.org/problems#';

/** All kinds of refusals, with HTTP status and title (RFC 9457 §3.1). */
const kinds = {
  'malformed-request': { status: 400, title: 'The request is malformed' },
  'unknown-parameter': { status: 400, title: 'A query parameter is not known to this call' },
  'invalid-parameter': { status: 400, title: 'A parameter has a value that cannot be used' },
  unauthorized: { status: 401, title: 'The request does not prove who makes it' },
  forbidden: { status: 403, title: 'The credentials do not cover this resource' },
  'no-such-call': { status: 404, title: 'No call has this path' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'no-history': { status: 404, title: 'History does not reach back that far' },
  'method-not-allowed': { status: 405, title: 'The path does not have this method' },
  'not-acceptable': { status: 406, title: 'None of the accepted media types can be produced' },
  gone: { status: 410, title: 'It was there, and has been removed' },
  conflict: { status: 409, title: 'The request conflicts with what is stored' },
  'precondition-failed': { status: 412, title: 'The resource has changed' },
  'too-large': { status: 413, title: 'The request body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type of the body is not supported' },
  'range-not-satisfiable': { status: 416, title: 'The requested range is outside the content' },
  unprocessable: { status: 422, title: 'The content breaks a rule' },
  'query-limit': { status: 422, title: 'The query went over a limit' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'internal-error': { status: 500, title: 'The container failed' },
  'damaged-document': { status: 500, title: 'The stored document is damaged' },
  unavailable: { status: 503, title: 'The container cannot answer at the moment' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemKind = keyof typeof kinds;

/** What a refusal may add: response headers and further members of the problem document. */
export interface ProblemOptions {
  headers?: Record<string, string>;
  /** In seconds, for the Retry-After field. */
  retryAfter?: number;
  extra?: Record<string, unknown>;
  /** Whether it is part of normal operation, although its status says that the container cannot answer. */
  isExpected?: boolean;
  cause?: unknown;
}

/**
 * A refusal with a meaning: thrown anywhere, turned into `application/problem+json` (RFC 9457) in one place. `detail`
 * is one sentence for the caller, without secrets, tokens or patient content.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly title: string;
  readonly type: string;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;
  readonly isExpected: boolean;

  constructor(kind: ProblemKind, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.status = kinds[kind].status;
    this.title = kinds[kind].title;
    this.type = PROBLEMS + kind;
    const { headers, retryAfter } = options;
    this.headers = { ...headers, ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }) };
    this.extra = options.extra ?? {};
    this.isExpected = options.isExpected ?? false;
  }
}

/** All problem kinds with status and title, for documentation and tests. */
export const problemKinds: Readonly<Record<ProblemKind, { status: number; title: string }>> = kinds;
