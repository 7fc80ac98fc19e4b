import type { Fields } from './answer.js';

/** For bytes that an app or a file supplied: a browser must not run them on the origin where people sign in. */
export const sandbox: Fields = { 'Content-Security-Policy': "sandbox; default-src 'none'" };

export interface DocumentPolicy {
  readonly formAction?: readonly string[];
  /** Sources of images. Default: none. */
  readonly images?: readonly string[];
  readonly scripts?: boolean;
}

/**
 * Headers of an HTML document (CSP Level 3). It loads only its own style, runs scripts only if asked to, cannot be
 * framed, and sends no referrer.
 * @param styles hashes or nonces of its styles
 */
export function documentHeaders(
  styles: string,
  { formAction = ["'none'"], images = [], scripts = false }: DocumentPolicy = {},
): Fields {
  const policy = [
    "default-src 'none'",
    `style-src ${styles}`,
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(images.length > 0 ? [`img-src ${images.join(' ')}`] : []),
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
