import type { Context } from 'koa';
import type { Answer } from './answer.js';
import type { Authenticate } from './authenticate.js';
import { authorize, type AccessRules } from './authorize.js';
import { hasBody, isForm, isLong, NO_BODY, type Bodies, type RequestBody } from './body.js';
import { readParameters } from './parameters.js';
import { traceOf, type RequestContext, type Route } from './request-context.js';
import type { LongBodies } from './long-bodies.js';
import type { RequireRecord } from './require-record.js';
import { addressOf, senderOf, type SenderBudgets } from './sender-budgets.js';
import type { RequestTarget } from './target.js';

/** The steps that need something of the container. */
export interface Steps {
  readonly bodies: Bodies;
  readonly budgets: SenderBudgets;
  readonly inTurns: LongBodies;
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
export function createRoad(steps: Steps): Road {
  const { bodies, budgets, inTurns, authenticate, access, requireRecord, respond } = steps;
  return async (context, route, raw, target) => {
    const trace = traceOf(context);
    trace.route = route;
    trace.parameters = raw;
    try {
      const isLimited = hasBody(context) && hasBudget(route);
      // The one body that is read before anything is proved.
      if (isLimited && isForm(context.req.headers['content-type'])) {
        await budgets.admit(context, addressOf(context));
      }
      const { verified, visitor, analyst } = await authenticate(context, route, target);
      trace.principal = verified?.principal;
      trace.visitor = visitor;
      trace.analyst = analyst;
      authorize(access, route, raw, verified?.principal, analyst);
      const parameters = readParameters(access.base, route, raw, target);
      if (route.call) requireRecord(parameters.path);
      if (isLimited) await budgets.admit(context, senderOf(context));
      const isKnown = (verified ?? analyst ?? visitor?.user) !== undefined;
      let body: RequestBody = NO_BODY;
      if (hasBody(context)) body = await bodies.take(context, route.bodyLimit, verified, isKnown);
      // A signature may be over another one than none.
      else verified?.requireBody(NO_BODY);
      const { path, query, resource } = parameters;
      const request = { context, route, target, path, query, resource, verified, visitor, analyst, body };
      if (!isLimited && !isLong(body)) return await respond(request, await route.handler(request));
      const sender = senderOf(context);
      const answer = async (): Promise<boolean> => {
        // Others of the same sender, which came in before, may have spent what was left.
        if (isLimited && budgets.isSpent(sender)) return false;
        await respond(request, await route.handler(request));
        if (isLimited) budgets.accepted(context, sender);
        return true;
      };
      // Queries of analysts run elsewhere, and for long.
      while (!(await (analyst ? answer() : inTurns(sender, body, answer))))
        await budgets.admit(context, sender);
    } catch (error) {
      // Who has proved who they are may ask for what is not theirs: a refusal that cost no body is on nobody's budget.
      const { principal, analyst } = trace;
      const isCounted = hasBudget(route) && !analyst && (hasBody(context) || !principal);
      throw isCounted ? await budgets.refused(context, senderOf(context), error) : error;
    }
  };
}

/** Pages have limits of their own: a flood from an address must not keep others behind it from signing in. */
function hasBudget({ credentials }: Route): boolean {
  return credentials !== 'session';
}
