import { isIP } from 'node:net';
import type { Context } from 'koa';
import proxyAddr from 'proxy-addr';
import type { Flow } from '../access/oauth/flow.js';
import type { Viewer } from '../access/accounts/closed-classes.js';
import type { Principal, Verified } from '../access/oauth/verify.js';
import type { CallModel } from '../model/ontology/model.js';
import type { Author } from '../store/history.js';
import type { InSteps } from '../store/steps.js';
import type { RequestBody } from './admission/bodies.js';
import type { Answer } from './answer.js';
import type { ClosedView } from './closed-view.js';
import type { Analyst } from './analyst.js';
import type { Visitor } from './sign-in/visitor.js';
import type { QueryParameters, RequestTarget } from './target.js';

export type Credentials =
  'signature' | 'signature or bearer' | 'request token' | 'session' | 'analyst' | 'none';

export type Access = 'anybody' | 'signer' | 'analyst' | 'analyses' | 'analyst or admin' | CallModel['scope'];

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly call?: CallModel;
  readonly credentials: Credentials;
  readonly access: Access;
  /** Bytes of the largest body. Default: the limit of calls. */
  readonly bodyLimit?: number | undefined;
  /** The value of Vary for all its answers. Default: each answer sets its own. */
  readonly vary?: string;
  readonly handler: Handler;
}

/** Path parameters, decoded but unchecked; undefined where the percent-encoding is invalid. */
export type RawParameters = Readonly<Record<string, string | undefined>>;

/** A request after the steps before the handler. */
export interface RequestContext {
  /** Koa's context, for reading header fields; only `respond/` writes to it. */
  readonly context: Context;
  readonly route: Route;
  readonly target: RequestTarget;
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  readonly verified: Verified | undefined;
  readonly visitor: Visitor | undefined;
  readonly analyst: Analyst | undefined;
  readonly body: RequestBody;
  readonly resource: string;
  /** Runs work that may take long in steps. @throws Problem too-many-requests, unavailable */
  readonly inSteps: InSteps;
}

/** Makes the answer of a route. @throws Problem */
export type Handler = (request: RequestContext) => Promise<Answer> | Answer;

export type CallRequest = RequestContext & { readonly route: { readonly call: CallModel } };

export function forCalls(handler: (request: CallRequest) => Promise<Answer> | Answer): Handler {
  return (request) => handler(request as CallRequest);
}

/** Who reads or writes by a request: an app, perhaps for a user, or a person in a page. */
export function viewerOf({ verified, visitor }: Pick<RequestContext, 'verified' | 'visitor'>): Viewer {
  const { app, token } = verified?.principal ?? {};
  return { app, user: token?.user ?? visitor?.user?.id };
}

export function authorOf({ verified, visitor }: RequestContext): Author {
  const { app, token } = verified?.principal ?? {};
  return { app, user: token?.user ?? visitor?.user?.id };
}

/** What the logs say about a request, filled in step by step. */
export interface Trace {
  requestId?: string;
  route?: Route;
  parameters?: RawParameters;
  principal?: Principal | undefined;
  visitor?: Visitor | undefined;
  analyst?: Analyst | undefined;
  /** Set when a page shows a record or people; with the call, if it is one. */
  access?: { readonly call?: CallModel | undefined; /** Whether a form writes nothing. */ isRead?: boolean };
  /** Calls that read what the answer is made of, where the request is none of them. */
  reads?: readonly CallModel[];
  /** What was seen of a record of which parts are closed to the reader. */
  view?: Pick<ClosedView, 'closes'> | undefined;
  /** Whether an emergency opened what was seen. */
  isEmergency?: boolean;
  /** Records whose holders were named. */
  holders?: Set<string>;
  /** Other users who were named. */
  users?: Set<string>;
  /** The rule that a signature broke, or the limit that was reached. */
  refusal?: string;
  /** Milliseconds of processor time that its body, or long work for it, took. */
  busy?: number;
}

export function traceOf(context: Context): Trace {
  return (context.state['trace'] ??= {}) as Trace;
}

/**
 * Makes a function that stores the client's address for `clientAddress`.
 * @param trusted addresses and networks (as 10.0.0.0/8) of proxies whose X-Forwarded-For is believed: anybody can send
 * one
 */
export function clientAddresses(trusted: readonly string[]): (context: Context) => void {
  const isTrusted = proxyAddr.compile([...trusted]);
  return (context) => {
    const { remoteAddress = '' } = context.req.socket;
    const isBehindProxy = trusted.length > 0 && remoteAddress !== '';
    const found = isBehindProxy ? proxyAddr(context.req, isTrusted) : remoteAddress;
    context.state['clientAddress'] = isBehindProxy && isIP(found) === 0 ? remoteAddress : found;
  };
}

/** Whether an address is a trusted proxy, as for `clientAddresses`. */
export function proxies(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile([...trusted]);
  return (address) => isIP(address) !== 0 && isTrusted(address, 0);
}

/** The address of the client, behind trusted proxies. */
export function clientAddress(context: Context): string {
  return (context.state['clientAddress'] as string | undefined) ?? context.ip;
}

/** Returns the flow with an audit that records the origin of this request. */
export function flowOf(flow: Flow, context: Context): Flow {
  const origin = { address: clientAddress(context), requestId: traceOf(context).requestId };
  return { ...flow, audit: (decision, facts) => flow.audit(decision, facts, origin) };
}
