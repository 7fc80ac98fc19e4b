import type { Context, Middleware } from 'koa';
import { NO_BODY, hasBody } from './admission/bodies.js';
import type { Admission } from './admission/limits.js';
import type { Answer } from './answer.js';
import type { Authenticate } from './authenticate.js';
import { authorize, type AccessRules, type RequireRecord } from './authorize.js';
import type { CrossOrigin } from './cors.js';
import { traceOf, type RawParameters, type RequestContext, type Route } from './request-context.js';
import type { RecordAccess } from './request-log.js';
import { readParameters, type RequestTarget } from './target.js';
import type { InSteps } from '../store/steps.js';

export interface EveryRequest {
  readonly secure: boolean;
  findClient(context: Context): void;
  /** Begins the log line. @returns a function that ends it */
  log(context: Context): () => void;
  readonly crossOrigin: CrossOrigin;
  respondProblem(context: Context, error: unknown): Promise<void>;
  readonly recordAccess: RecordAccess;
  /** Finds the route of a request and serves it. @throws Problem */
  route(context: Context): Promise<void>;
}

/** Handles every request in one function: a link of middleware costs a cached answer a hundredth of its time. */
export function everyRequest(steps: EveryRequest): Middleware {
  const { secure, crossOrigin, respondProblem, recordAccess, route } = steps;
  return async (context) => {
    steps.findClient(context);
    const endLog = steps.log(context);
    context.set('X-Content-Type-Options', 'nosniff');
    // RFC 6797: browsers use only https for a year.
    if (secure) context.set('Strict-Transport-Security', 'max-age=31536000');
    if (!crossOrigin.preflight(context)) {
      try {
        try {
          await route(context);
        } catch (error) {
          await recordAccess(context, error);
          throw error;
        }
        await recordAccess(context);
      } catch (error) {
        await respondProblem(context, error);
      }
    }
    crossOrigin.allow(context);
    endLog();
  };
}

export interface RouteSteps {
  readonly admission: Admission;
  readonly authenticate: Authenticate;
  readonly access: AccessRules;
  readonly requireRecord: RequireRecord;
  readonly respond: (request: RequestContext, answer: Answer) => Promise<void>;
}

/** Serves a request for a route. @throws Problem */
export type Serve = (
  context: Context,
  route: Route,
  raw: RawParameters,
  target: RequestTarget,
) => Promise<void>;

/** Errors come in this order: 401, 403, 400, 404 for the record, then those of the handler. */
export function serving(steps: RouteSteps): Serve {
  const { admission, authenticate, access, requireRecord, respond } = steps;
  return async (context, route, raw, target) => {
    const trace = traceOf(context);
    trace.route = route;
    trace.parameters = raw;
    try {
      const isWithBody = hasBody(context);
      if (isWithBody) await admission.admitForm(context, route);
      const { verified, visitor, analyst } = await authenticate(context, route, target);
      trace.principal = verified?.principal;
      trace.visitor = visitor;
      trace.analyst = analyst;
      authorize(access, route, raw, verified?.principal, analyst);
      const { path, query, resource } = readParameters(access.base, route, raw, target);
      if (route.call) requireRecord(path);
      const body = isWithBody ? await admission.readBody(context, route, verified) : NO_BODY;
      // The signature may cover a body that was not sent.
      if (!isWithBody) verified?.requireBody(NO_BODY);
      const inSteps: InSteps = (work) => admission.inSteps(context, work);
      const request = {
        context,
        route,
        target,
        path,
        query,
        resource,
        verified,
        visitor,
        analyst,
        body,
        inSteps,
      };
      if (!isWithBody) return await respond(request, await route.handler(request));
      await admission.run(context, route, body, async () => respond(request, await route.handler(request)));
    } catch (error) {
      throw await admission.refused(context, route, error);
    }
  };
}
