import type { Middleware } from 'koa';

const methods = 'GET, HEAD, POST, PUT, DELETE';

/** What a browser may send beside the headers that it always may. */
const sent =
  'Authorization, Content-Type, If-Match, If-None-Match, If-Range, Range, Idempotency-Key, X-Requested-With';

/** What a script may read beside the headers that it always may. */
const read =
  'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Link, Location, Retry-After, Server-Timing, WWW-Authenticate';

/** How long a browser may keep the answer to a preflight, in seconds. */
const KEPT = 600;

/**
 * Cross-origin requests (Fetch Standard, CORS protocol) from the listed origins, and from no other. Cookies never
 * count: a request from another origin proves itself by its signature, so credentials are not allowed.
 * @param origins as browsers send them: scheme, host and port without a path
 */
export function cors(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async (context, next) => {
    if (allowed.size === 0) return next();
    const origin = context.get('Origin');
    const isPreflight = context.method === 'OPTIONS' && context.get('Access-Control-Request-Method') !== '';
    if (isPreflight && allowed.has(origin)) {
      context.status = 204;
      context.set('Access-Control-Allow-Methods', methods);
      context.set('Access-Control-Allow-Headers', sent);
      context.set('Access-Control-Max-Age', String(KEPT));
    } else {
      await next();
    }
    // A cache must not give one origin the answer that was meant for another, or for none.
    context.vary('Origin');
    if (!allowed.has(origin)) return;
    context.set('Access-Control-Allow-Origin', origin);
    if (!isPreflight) context.set('Access-Control-Expose-Headers', read);
  };
}
