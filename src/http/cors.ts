import type { Context } from 'koa';
import type { AppOrigins } from './app-origins.js';
import { traceOf } from './request-context.js';

const methods = 'GET, HEAD, POST, PUT, DELETE';

/** What a browser may send beside the headers that it always may. */
const sent =
  'Authorization, Accept-Datetime, Content-Type, If-Match, If-None-Match, If-Range, Range, Idempotency-Key, Last-Event-ID, X-Requested-With';

/** What a script may read beside the headers that it always may. */
const read =
  'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Link, Location, Memento-Datetime, Retry-After, Server-Timing, Warning, WWW-Authenticate, ' +
  'Chartgraph-Level, Chartgraph-Revision, Chartgraph-Rows, Chartgraph-Truncated';

/** How long a browser may keep the answer to a preflight, in seconds. */
const KEPT = 600;

/** Who may read the answer to a request that a page of another origin makes. */
export interface CrossOrigin {
  /** Answers a preflight from an origin that may try. @returns whether it has answered */
  preflight(context: Context): boolean;
  /** Says in an answer that is made who may read it. */
  allow(context: Context): void;
}

/**
 * Cross-origin requests (Fetch Standard, CORS protocol): from the listed origins, and from the origin of an installed
 * app what that app has signed. Cookies never count: a request from another origin proves itself by its signature, so
 * credentials are not allowed.
 * What analysts ask is open to all origins, since a bearer token proves the tool and not the browser.
 * @param origins as browsers send them: scheme, host and port without a path
 */
export function crossOrigin(
  origins: readonly string[],
  apps: AppOrigins,
  isOpen: (context: Context) => boolean = () => false,
): CrossOrigin {
  const listed = new Set(origins);
  // A preflight is not signed, so it cannot say which app asks: it gives leave to try, not to read.
  const mayTry = (context: Context, origin: string): boolean =>
    listed.has(origin) || apps.isOfAny(origin) || isOpen(context);
  return {
    preflight(context) {
      const origin = originOf(context);
      if (origin === '' || !isPreflight(context) || !mayTry(context, origin)) return false;
      context.status = 204;
      context.set('Access-Control-Allow-Methods', methods);
      context.set('Access-Control-Allow-Headers', sent);
      context.set('Access-Control-Max-Age', String(KEPT));
      return true;
    },
    allow(context) {
      // A cache must not give one origin the answer that was meant for another, or for none.
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
      if (!isPreflight(context)) context.set('Access-Control-Expose-Headers', read);
    },
  };
}

/** The origin of the page that makes a request; '' where there is none. */
function originOf({ req }: Context): string {
  return req.headers.origin ?? '';
}

function isPreflight({ req }: Context): boolean {
  return req.method === 'OPTIONS' && (req.headers['access-control-request-method'] ?? '') !== '';
}

/** Whether an answer is for the app at an origin: it has signed, or is told that its signature was refused. */
function isForApp(context: Context, origin: string, apps: AppOrigins): boolean {
  const app = traceOf(context).principal?.app;
  return app === undefined ? context.status === 401 && apps.isOfAny(origin) : apps.isOf(app, origin);
}
