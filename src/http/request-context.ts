import type { Context } from 'koa';
import type { Principal } from '../oauth/principal.js';
import type { Verified } from '../oauth/verify.js';
import type { CallModel } from '../ontology/model.js';
import type { Author } from '../store/history.js';
import type { RequestBody } from './body.js';
import type { Answer } from './answer.js';
import type { QueryParameters } from './parameters.js';
import type { Analyst } from './analysts/analyst.js';
import type { Visitor } from './pages/visitor.js';
import type { RequestTarget } from './target.js';

/** How a request to a route proves who makes it. */
export type Credentials =
  /** An OAuth 1.0a signature, with or without an access token. */
  | 'signature'
  /** A signature with the secret of a request token. */
  | 'request token'
  /** The session cookie of a browser. */
  | 'session'
  /** A bearer token of an analyst, or the session of one. */
  | 'analyst'
  | 'none';

/** Who may use a route: a row of the table in `authorize.ts`. */
export type Access = 'anybody' | 'signer' | 'analyst' | 'analyst or admin' | CallModel['scope'];

/** One method of one path: what the ontology or the container itself serves. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, as `PathTemplate` reads it. */
  readonly path: string;
  /** The call of the ontology that it is; undefined for the container's own paths. */
  readonly call?: CallModel;
  readonly credentials: Credentials;
  readonly access: Access;
  /** The largest body that it takes, in bytes; default: that of calls. */
  readonly bodyLimit?: number | undefined;
  /** The fields of a request that all its answers depend on; default: what each answer says. */
  readonly vary?: string;
  readonly handler: Handler;
}

/** A request on its way, as the steps before the handler have found it. */
export interface RequestContext {
  /** Koa's own, for header fields of the request; only `respond/` writes to it. */
  readonly context: Context;
  readonly route: Route;
  readonly target: RequestTarget;
  /** Decoded and checked path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  /** Who signed, and what the signature covers. */
  readonly verified: Verified | undefined;
  /** Whose browser it is, on the routes of pages. */
  readonly visitor: Visitor | undefined;
  /** Who asks queries, on the routes of analysts. */
  readonly analyst: Analyst | undefined;
  readonly body: RequestBody;
  /** The IRI that the request addresses: base URL and decoded path, without a trailing slash. */
  readonly resource: string;
}

/** Makes the answer of a route. @throws Problem */
export type Handler = (request: RequestContext) => Promise<Answer> | Answer;

/** A request to a call of the ontology. */
export type CallRequest = RequestContext & { readonly route: { readonly call: CallModel } };

/** A handler of a call, as a handler of routes that are calls. */
export function forCalls(handler: (request: CallRequest) => Promise<Answer> | Answer): Handler {
  return (request) => handler(request as CallRequest);
}

/** Who makes the changes of a request. */
export function authorOf({ verified, visitor }: RequestContext): Author {
  const { app, token } = verified?.principal ?? {};
  return { app, user: token?.user ?? visitor?.user?.id };
}

/** What the logs tell of a request, known as far as the request has come. */
export interface Trace {
  /** The caller's X-Request-Id, or a new one. */
  requestId?: string;
  route?: Route;
  /** As in the path, decoded but not checked. */
  parameters?: Readonly<Record<string, string | undefined>>;
  principal?: Principal | undefined;
  visitor?: Visitor | undefined;
  analyst?: Analyst | undefined;
  /** What a page shows of a record or of people, by which call where it is one. */
  access?: { readonly call?: CallModel | undefined };
  /** Which rule a signature broke, or which limit was reached. */
  refusal?: string;
  /** Milliseconds that the steps for the body kept the process busy. */
  busy?: number;
}

/** The trace of the request of a context. */
export function traceOf(context: Context): Trace {
  return (context.state['trace'] ??= {}) as Trace;
}
