import type { Context } from 'koa';
import type { Fields } from './answer.js';

/**
 * Headers of everything whose bytes an app or a file chose: a browser must not run it on the origin where people sign
 * in and give consent.
 */
export const sandbox: Fields = { 'Content-Security-Policy': "sandbox; default-src 'none'" };

/**
 * Headers of every response. No browser guesses another media type than the one that is said; over https no browser
 * tries http again for a year (RFC 6797).
 */
export function secureResponse(context: Context, secure: boolean): void {
  context.set('X-Content-Type-Options', 'nosniff');
  if (secure) context.set('Strict-Transport-Security', 'max-age=31536000');
}

/**
 * Headers of a document for browsers (CSP Level 3): nothing but its own style is loaded, nothing runs, nobody frames
 * it, and where it leads learns nothing of where it was.
 * @param styleSource the hash of its style, as a policy names it
 * @param formAction where its forms may lead
 * @param images whether it shows pictures of this container
 */
export function documentHeaders(
  styleSource: string,
  formAction: readonly string[] = ["'none'"],
  images = false,
): Fields {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(images ? ["img-src 'self'"] : []),
    `form-action ${formAction.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
  };
}
