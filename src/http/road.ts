import type { Context } from 'koa';
import type { Answer } from './answer.js';
import type { Authenticate } from './authenticate.js';
import { authorize, type AccessRules } from './authorize.js';
import { takeBody } from './body.js';
import { readParameters } from './parameters.js';
import { traceOf, type RequestContext, type Route } from './request-context.js';
import type { RequireRecord } from './require-record.js';
import type { RequestTarget } from './target.js';

/** The steps that need something of the container. */
export interface Steps {
  readonly authenticate: Authenticate;
  readonly access: AccessRules;
  readonly requireRecord: RequireRecord;
  readonly respond: (request: RequestContext, answer: Answer) => Promise<void>;
}

/** Path parameters as the route found them; undefined where a percent-encoding is broken. */
export type RawParameters = Readonly<Record<string, string | undefined>>;

/** Takes a request that has its route through everything else. */
export type Road = (
  context: Context,
  route: Route,
  raw: RawParameters,
  target: RequestTarget,
) => Promise<void>;

/**
 * The one road of every request that has found its route. Refusals come in the order of these lines: 401, 403, 400,
 * 404 of the record, and then what the handler refuses.
 */
export function createRoad({ authenticate, access, requireRecord, respond }: Steps): Road {
  return async (context, route, raw, target) => {
    const trace = traceOf(context);
    trace.route = route;
    trace.parameters = raw;
    const { verified, visitor } = await authenticate(context, route, target);
    trace.principal = verified?.principal;
    trace.visitor = visitor;
    authorize(access, route, raw, verified?.principal);
    const parameters = readParameters(access.base, route, raw, target);
    if (route.call) requireRecord(parameters.path);
    const body = await takeBody(context, route.bodyLimit, verified);
    const request = { context, route, target, ...parameters, verified, visitor, body };
    await respond(request, await route.handler(request));
  };
}
