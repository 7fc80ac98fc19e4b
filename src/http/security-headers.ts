import type { Fields } from './answer.js';

/**
 * Headers of everything whose bytes an app or a file chose: a browser must not run it on the origin where people sign
 * in and give consent.
 */
export const sandbox: Fields = { 'Content-Security-Policy': "sandbox; default-src 'none'" };

/** What a document for browsers may do beside having its own style. */
export interface DocumentPolicy {
  /** Where its forms may lead; default nowhere. */
  readonly formAction?: readonly string[];
  /** What its pictures may come from, as a policy names it; default none. */
  readonly images?: readonly string[];
  /** Whether it runs scripts of this container, which ask this container alone. */
  readonly scripts?: boolean;
}

/**
 * Headers of a document for browsers (CSP Level 3): nothing but its own style is loaded, nothing runs unless it says so,
 * nobody frames it, and where it leads learns nothing of where it was.
 * @param styles the hashes or nonces of its styles, as a policy names them
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
