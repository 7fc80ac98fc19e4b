import type { Context } from 'koa';

/**
 * Headers of everything whose bytes an app or a file chose: a browser must neither guess another type for it nor run
 * it on the origin where people sign in and give consent.
 */
export function sandbox(context: Context): void {
  context.set('X-Content-Type-Options', 'nosniff');
  context.set('Content-Security-Policy', "sandbox; default-src 'none'");
}
