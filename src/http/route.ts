import Router, { type RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { PathTemplate } from '../ontology/path-template.js';
import { Problem } from '../problem.js';
import type { Instead } from './handlers/explain.js';
import type { RawParameters, Road } from './road.js';
import type { Route } from './request-context.js';
import { targetOf } from './target.js';

/** All routes of one path: what GET /x and POST /x have in common. */
interface Place {
  readonly template: PathTemplate;
  readonly routes: Map<string, Route>;
}

/**
 * Finds the route of a request. The more specific path comes first, so that `/users/search` is never taken for a user.
 * A router tries its paths one after the other: there is one for each first segment, so that it has few to try.
 * @param instead gives what takes the place of a route for a request with a query, if anything does
 * @throws Problem no-such-call, method-not-allowed
 */
export function routing(
  basePath: string,
  routes: readonly Route[],
  road: Road,
  instead: Instead = (route) => route,
): Middleware {
  const routers = new Map<string, Router>();
  for (const place of placesOf(routes)) {
    const first = beginning(place.template.shape);
    const router = routers.get(first) ?? new Router({ sensitive: true });
    routers.set(first, router);
    router.all(routerPath(place.template), async (context) => {
      const chosen = choose(place, context.method);
      if (typeof chosen === 'string') {
        context.status = 204;
        context.set('Allow', chosen);
        return;
      }
      const target = targetOf(context, basePath);
      const route = target.query === '' ? chosen : instead(chosen, target);
      const raw = parametersOf(PathTemplate.of(route.path), context.captures ?? []);
      await road(context, route, raw, target);
    });
  }
  const dispatch = new Map([...routers].map(([first, router]) => [first, router.routes()]));
  return (context) => {
    const { path } = targetOf(context, basePath);
    const router = path === undefined ? undefined : dispatch.get(beginning(path));
    // The router would read the path anew, with the path of the base URL in it.
    const routed = Object.assign(context, { newRouterPath: path }) as unknown as RouterContext;
    return router ? router(routed, noSuchCall) : noSuchCall();
  };
}

/** One place for each path shape: two templates of one shape match the same paths, whatever their parameters are called. */
function placesOf(routes: readonly Route[]): Place[] {
  const places = new Map<string, Place>();
  for (const route of routes) {
    const template = PathTemplate.of(route.path);
    const place = places.get(template.shape) ?? { template, routes: new Map<string, Route>() };
    place.routes.set(route.method, route);
    places.set(template.shape, place);
  }
  return [...places.values()].sort((a, b) => PathTemplate.bySpecificity(a.template, b.template));
}

/** The route of a method, or what OPTIONS is told. @throws Problem method-not-allowed */
function choose({ routes }: Place, method: string): Route | string {
  // RFC 9110 §9.3.2: HEAD is GET without the content.
  const route = routes.get(method === 'HEAD' ? 'GET' : method);
  if (route) return route;
  const allowed = [...routes.keys(), ...(routes.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') return allowed;
  throw new Problem('method-not-allowed', `This path answers ${allowed}.`, { headers: { Allow: allowed } });
}

function noSuchCall(): never {
  throw new Problem('no-such-call', 'No call of this container has this path; see its /ontology.');
}

function parametersOf({ parameters }: PathTemplate, captures: readonly string[]): RawParameters {
  return Object.fromEntries(parameters.map((name, index) => [name, decode(captures[index] ?? '')]));
}

/** The first segment of a path, with its slash. */
function beginning(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}

/** A template as the router writes it; what has a meaning there is escaped. */
function routerPath({ segments }: PathTemplate): string {
  const parts = segments.map((segment, index) =>
    'literal' in segment ? segment.literal.replace(/[\\:*()[\]{}+?!]/g, '\\$&') : `:p${index}`,
  );
  return `/${parts.join('/')}`;
}

/** Percent-decoding of one path segment (RFC 3986 §2.1), or undefined where the octets are not UTF-8. */
function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
