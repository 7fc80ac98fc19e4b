/**
 * Headers of a document for browsers (CSP Level 3): nothing but its own style is loaded, nothing runs, nobody frames
 * it, and where it leads learns nothing of where it was.
 * @param styleSource the hash of its style, as a policy names it
 * @param formAction where its forms may lead
 */
export function documentHeaders(
  styleSource: string,
  formAction: readonly string[] = ["'none'"],
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    `form-action ${formAction.join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}
