import Router from '@koa/router';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { PathTemplate } from '../model/ontology/path-template.js';
import { Problem } from '../model/problem.js';
import type { Site } from './app-parts.js';
import { redirect } from './sign-in/page-answer.js';
import { isBrowser } from './respond/negotiate.js';
import { respondPlainly } from './respond/respond.js';
import type { Serve } from './pipeline.js';
import type { RawParameters, Route } from './request-context.js';
import { targetOf, type RequestTarget } from './target.js';

export type Instead = (route: Route, target: RequestTarget) => Route;

interface Place {
  readonly template: PathTemplate;
  readonly routes: Map<string, Route>;
}

interface FoundPlace {
  readonly place: Place;
  readonly values: readonly (string | undefined)[];
}

/** The number of cached paths, and the length of the longest. */
const MAX_CACHED = 10_000;
const MAX_CACHED_LENGTH = 256;

/**
 * Finds and serves the route of a request. The most specific path wins: `/users/search` is not a user.
 * @param instead may replace the route of a request that has a query
 * @throws Problem no-such-call, method-not-allowed
 */
export function routing(
  { base, basePath }: Pick<Site, 'base' | 'basePath'>,
  routes: readonly Route[],
  serve: Serve,
  instead: Instead = (route) => route,
): (context: Context) => Promise<void> {
  const find = placeFinder(routes);
  return async (context) => {
    const target = targetOf(context, basePath);
    const found = target.path === undefined ? undefined : find(target.path);
    if (!found)
      // Names the full URL: the requested path may be outside the base URL.
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
    await serve(context, route, named(PathTemplate.of(route.path), found), target);
  };
}

/** Makes a cached search for the routes of a path, with one router per first segment: a router tries all paths. */
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
  const cache = new LRUCache<string, FoundPlace>({ max: MAX_CACHED });
  return (path) => {
    const known = cache.get(path);
    if (known) return known;
    const layer = routers.get(beginning(path))?.match(path, 'GET').path[0];
    const place = layer && places.get(layer.name ?? '');
    if (!place) return undefined;
    const found = { place, values: layer.captures(path).map(decode) };
    if (path.length <= MAX_CACHED_LENGTH) cache.set(path, found);
    return found;
  };
}

/** Groups routes by shape: such paths differ only in parameter names. */
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

/** Returns the page above the address of a form, for a browser that opens the address, as on reload. */
function pageOfForm({ template, routes }: Place, method: string): string | undefined {
  if (method !== 'GET' || routes.has('GET') || routes.get('POST')?.credentials !== 'session')
    return undefined;
  return template.text.slice(0, template.text.lastIndexOf('/'));
}

/** Returns the route of a method, or the value of Allow for OPTIONS. @throws Problem method-not-allowed */
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

function beginning(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}

function routerPath({ segments }: PathTemplate): string {
  const parts = segments.map((segment, index) =>
    'literal' in segment ? segment.literal.replace(/[\\:*()[\]{}+?!]/g, '\\$&') : `:p${index}`,
  );
  return `/${parts.join('/')}`;
}

/** Undefined if the bytes are not UTF-8 (RFC 3986 §2.1). */
function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
