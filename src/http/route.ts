import Router from '@koa/router';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { PathTemplate } from '../ontology/path-template.js';
import { Problem } from '../problem.js';
import type { Site } from './app-parts.js';
import { redirect } from './pages/page-answer.js';
import { isBrowser } from './respond/negotiate.js';
import { respondPlainly } from './respond/plain-answer.js';
import type { Instead } from './handlers/explain.js';
import type { RawParameters, Road } from './road.js';
import type { Route } from './request-context.js';
import { targetOf } from './target.js';

/** All routes of one path: what GET /x and POST /x have in common. */
interface Place {
  readonly template: PathTemplate;
  readonly routes: Map<string, Route>;
}

/** The place of a path, and the values of its parameters in their order; undefined where an encoding is broken. */
interface FoundPlace {
  readonly place: Place;
  readonly values: readonly (string | undefined)[];
}

/** How many paths are remembered with their places, and how long one of them is at most. */
const AT_HAND = 10_000;
const LONGEST_AT_HAND = 256;

/**
 * Finds the route of a request. The more specific path comes first, so that `/users/search` is never taken for a user.
 * @param instead gives what takes the place of a route for a request with a query, if anything does
 * @throws Problem no-such-call, method-not-allowed
 */
export function routing(
  { base, basePath }: Pick<Site, 'base' | 'basePath'>,
  routes: readonly Route[],
  road: Road,
  instead: Instead = (route) => route,
): (context: Context) => Promise<void> {
  const find = placeFinder(routes);
  return async (context) => {
    const target = targetOf(context, basePath);
    const found = target.path === undefined ? undefined : find(target.path);
    if (!found)
      // The whole address: a path outside of the base URL says nothing of where that is.
      throw new Problem('no-such-call', `No call of this container has this path; see ${base}/ontology.`);
    const form = pageOfForm(found.place, context.method);
    if (form !== undefined && isBrowser(context))
      return respondPlainly(context, redirect(basePath + form, 303));
    const chosen = choose(found.place, context.method);
    if (typeof chosen === 'string') {
      context.status = 204;
      context.set('Allow', chosen);
      return;
    }
    const route = target.query === '' ? chosen : instead(chosen, target);
    await road(context, route, named(PathTemplate.of(route.path), found), target);
  };
}

/**
 * Makes what finds the place of a path. A router tries all its paths: there is one for each first segment, so that it
 * has few to try, and what was found lately is remembered.
 */
function placeFinder(routes: readonly Route[]): (path: string) => FoundPlace | undefined {
  const places = new Map<string, Place>();
  const routers = new Map<string, Router>();
  for (const place of placesOf(routes)) {
    const { shape } = place.template;
    const router = routers.get(beginning(shape)) ?? new Router({ sensitive: true });
    routers.set(beginning(shape), router);
    router.all(shape, routerPath(place.template), () => undefined);
    places.set(shape, place);
  }
  const atHand = new LRUCache<string, FoundPlace>({ max: AT_HAND });
  return (path) => {
    const known = atHand.get(path);
    if (known) return known;
    const layer = routers.get(beginning(path))?.match(path, 'GET').path[0];
    const place = layer && places.get(layer.name ?? '');
    if (!place) return undefined;
    const found = { place, values: layer.captures(path).map(decode) };
    if (path.length <= LONGEST_AT_HAND) atHand.set(path, found);
    return found;
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

/**
 * The page that has the form which is sent to a place, where somebody opens that in a browser, as they do who reload what
 * the form was answered with: the page above it.
 */
function pageOfForm({ template, routes }: Place, method: string): string | undefined {
  if (method !== 'GET' || routes.has('GET') || routes.get('POST')?.credentials !== 'session')
    return undefined;
  return template.text.slice(0, template.text.lastIndexOf('/'));
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

function named({ parameters }: PathTemplate, { values }: FoundPlace): RawParameters {
  const raw: Record<string, string | undefined> = {};
  for (const [index, name] of parameters.entries()) raw[name] = values[index];
  return raw;
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
