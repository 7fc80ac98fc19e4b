import type { Context } from 'koa';
import { traceOf } from './request-context.js';
import { parseUrl } from '../rdf/parse-url.js';
import { Memo } from '../store/disk/memo.js';
import { manifestIn } from '../records/app-graph.js';
import type { PrimaryStore } from '../store/primary-store.js';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, DELETE';

/** Request headers that a browser may send in addition to the safelisted ones. */
const ALLOWED_HEADERS =
  'Authorization, Accept-Datetime, Content-Type, If-Match, If-None-Match, If-Range, Range, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id, X-Requested-With';

/** Response headers that a script may read in addition to the safelisted ones. */
const EXPOSED_HEADERS =
  'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Link, Location, Memento-Datetime, Retry-After, Server-Timing, Warning, WWW-Authenticate, X-Request-Id, ' +
  'Chartgraph-Level, Chartgraph-Revision, Chartgraph-Rows, Chartgraph-Truncated';

/** Seconds that a browser may cache the answer to a preflight. */
const MAX_AGE = 600;

export type CrossOrigin = ReturnType<typeof crossOrigin>;

/**
 * Handles cross-origin requests (Fetch Standard, CORS protocol). Listed origins may read every answer, the origin of an
 * installed app those that the app signed. Cookies never count, so credentials are not allowed. Queries of analysts are
 * open to all origins, since a bearer token identifies the tool, not the browser.
 * @param origins as browsers send them: scheme, host and port without a path
 */
export function crossOrigin(
  origins: readonly string[],
  apps: AppOrigins,
  isOpen: (context: Context) => boolean = () => false,
) {
  const listed = new Set(origins);
  // A preflight is unsigned and cannot name the app: it may allow the request, not the reading.
  const mayTry = (context: Context, origin: string): boolean =>
    listed.has(origin) || apps.isOfAny(origin) || isOpen(context);
  return {
    /** Answers a preflight from an allowed origin. @returns whether it has answered */
    preflight(context: Context): boolean {
      const origin = originOf(context);
      if (origin === '' || !isPreflight(context) || !mayTry(context, origin)) return false;
      context.status = 204;
      context.set('Access-Control-Allow-Methods', ALLOWED_METHODS);
      context.set('Access-Control-Allow-Headers', ALLOWED_HEADERS);
      context.set('Access-Control-Max-Age', String(MAX_AGE));
      return true;
    },
    allow(context: Context): void {
      // A cache must not serve one origin the answer meant for another.
      const vary = context.res.getHeader('Vary');
      context.set('Vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`);
      const origin = originOf(context);
      if (origin === '') return;
      const isForAll = !listed.has(origin) && isOpen(context);
      const isAllowed = isPreflight(context)
        ? mayTry(context, origin)
        : isForAll || listed.has(origin) || isForApp(context, origin, apps);
      if (!isAllowed) return;
      context.set('Access-Control-Allow-Origin', isForAll ? '*' : origin);
      if (!isPreflight(context)) context.set('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    },
  };
}

function originOf({ req }: Context): string {
  return req.headers.origin ?? '';
}

function isPreflight({ req }: Context): boolean {
  return req.method === 'OPTIONS' && (req.headers['access-control-request-method'] ?? '') !== '';
}

/** An app may read answers to its signed requests, and the refusal of its signature. */
function isForApp(context: Context, origin: string, apps: AppOrigins): boolean {
  const app = traceOf(context).principal?.app;
  return app === undefined ? context.status === 401 && apps.isOfAny(origin) : apps.isOf(app, origin);
}

export type AppOrigins = ReturnType<typeof appOrigins>;

/** Looks up the origins of installed apps. Reads all manifests once, and again after a commit by any process. */
export function appOrigins(primary: PrimaryStore) {
  const known = new Memo<ReadonlyMap<string, ReadonlySet<string>>>(primary.directory, 1);
  const all = (): ReadonlyMap<string, ReadonlySet<string>> => known.get('', () => readAll(primary));
  return {
    isOf: (app: string, origin: string) => all().get(app)?.has(origin) ?? false,
    isOfAny: (origin: string) => [...all().values()].some((origins) => origins.has(origin)),
  };
}

function readAll(primary: PrimaryStore): Map<string, Set<string>> {
  const origins = new Map<string, Set<string>>();
  for (const name of primary.names(`${primary.base}/apps/`)) {
    const manifest = manifestIn(primary.graph(name) ?? []) as Partial<Record<string, unknown>> | undefined;
    if (typeof manifest?.['id'] === 'string') origins.set(manifest['id'], originsOf(manifest));
  }
  return origins;
}

/** The origins of an app: where it starts, and where people return to it. */
function originsOf(manifest: Partial<Record<string, unknown>>): Set<string> {
  const { index, oauth_callback, smart_launch_url, redirect_uris } = manifest;
  const addresses = [index, oauth_callback, smart_launch_url, redirect_uris]
    .flat()
    .filter((each) => typeof each === 'string');
  return new Set(addresses.flatMap((each) => (/^https?:/i.test(each) ? (parseUrl(each)?.origin ?? []) : [])));
}
