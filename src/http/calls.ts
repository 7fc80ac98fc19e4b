import type { Context, Middleware } from 'koa';
import type { CallModel } from '../ontology/model.js';
import type { Principal } from '../oauth/verify.js';
import { Problem } from '../problem.js';
import { auditWrites } from './audit.js';
import { readBody, type RequestBody } from './body.js';
import type { ContainerContext } from './container-context.js';
import { checkParameters, type QueryParameters } from './parameters.js';
import { createRoutes, type Match } from './routes.js';
import { authorize } from './scopes.js';
import { authorizationFields } from './oauth/signed-request.js';
import { readQuery, targetOf, type RequestTarget } from './target.js';

/** A call that is allowed: what an answer needs to know of the request. */
export interface AllowedCall {
  readonly call: CallModel;
  /** Decoded and checked path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  /** All decoded query parameters in their order. */
  readonly pairs: readonly [name: string, value: string][];
  readonly principal: Principal | undefined;
  /** The IRI that the request addresses: base URL and decoded path, without a trailing slash. */
  readonly resource: string;
  /** Looked at by the calls that take one, with `bodyBytes`. */
  readonly body: RequestBody;
}

/** Writes the answer of a call to the Koa context. */
export type Answer = (context: Context, request: AllowedCall) => Promise<void>;

/** What may stand in a path parameter; whatever else is asked for cannot exist. */
const IDENTIFIER = /^(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,128}$/;

/**
 * The way of every request to a call of the ontology. Refusals come in one order: 404 no such route, 405,
 * 401, 403, 400, and then what the answer itself refuses.
 * @param answers one handler for each form of answer and method, keyed as `rdf GET`
 */
export function calls(container: ContainerContext, answers: Readonly<Record<string, Answer>>): Middleware {
  const match = createRoutes(container.ontology);
  return async (context) => {
    const target = targetOf(context, container.basePath);
    const found = target.path === undefined ? undefined : match(target.path);
    if (!found)
      throw new Problem('no-such-call', 'No call of this container has this path; see its /ontology.');
    if (context.method === 'OPTIONS') {
      options(context, found);
      return;
    }
    const call = callOf(context.method, found);
    context.state['call'] = call;
    await auditWrites(container.log, context, call, found.parameters, async () => {
      const request = await allow(container, context, call, found, target);
      const answer = answers[`${call.answer} ${call.method}`];
      if (!answer) throw new Error(`no answer is known for ${call.answer} ${call.method}`);
      await answer(context, request);
    });
  };
}

function allowedMethods({ route }: Match): string[] {
  const methods = [...route.calls.keys()];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function options(context: Context, found: Match): void {
  context.status = 204;
  context.set('Allow', allowedMethods(found).join(', '));
}

function callOf(method: string, found: Match): CallModel {
  // RFC 9110 §9.3.2: HEAD is GET without the content.
  const call = found.route.calls.get(method === 'HEAD' ? 'GET' : method);
  if (!call) {
    const allowed = allowedMethods(found).join(', ');
    throw new Problem('method-not-allowed', `This path answers ${allowed}.`, { headers: { Allow: allowed } });
  }
  return call;
}

async function allow(
  container: ContainerContext,
  context: Context,
  call: CallModel,
  found: Match,
  target: RequestTarget,
): Promise<AllowedCall> {
  const body = await readBody(context.req);
  // What was not read is in the way of the next request.
  if (body === 'too-large') context.set('Connection', 'close');
  const contentType = context.req.headers['content-type'];
  const principal = await container.verify({
    method: context.method,
    rawTarget: target.raw,
    authorization: authorizationFields(context.req),
    ...(contentType === undefined ? {} : { contentType }),
    body: body === 'too-large' ? body : body.bytes,
    secure: container.secure,
  });
  context.state['principal'] = principal;
  const { parameters } = found;
  authorize({
    call,
    parameters,
    principal,
    realm: container.base,
    containerAccess: container.containerAccess,
  });
  const path = checkPath(parameters);
  const pairs = readQuery(target.query);
  const query = checkParameters(call, pairs);
  return {
    call,
    path,
    query,
    pairs,
    principal,
    resource: container.base + fillPath(call.path, path),
    body,
  };
}

function checkPath(parameters: Match['parameters']): Record<string, string> {
  const path: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) {
      throw new Problem(
        'malformed-request',
        `${name} in the path has a broken percent-encoding; encode it as UTF-8.`,
      );
    }
    if (!IDENTIFIER.test(value)) throw new Problem('not-found', `No resource has such a ${name}.`);
    path[name] = value;
  }
  return path;
}

/** The segments of a path template between its parameters, each with the name of the one that follows. */
const templates = new Map<string, readonly (readonly [text: string, parameter: string | undefined])[]>();

function fillPath(template: string, path: Record<string, string>): string {
  let pieces = templates.get(template);
  if (!pieces) {
    const found = template.replace(/\/$/, '').matchAll(/([^{]*)(?:\{([^}]+)\})?/g);
    pieces = Array.from(found, ([, text = '', parameter]) => [text, parameter] as const);
    templates.set(template, pieces);
  }
  let filled = '';
  for (const [text, parameter] of pieces)
    filled += text + (parameter === undefined ? '' : (path[parameter] ?? ''));
  return filled;
}
