/** Returns the value of Authorization for `user:password` (RFC 7617) or a bearer token (RFC 6750), which has no colon. */
export function authorizationOf(credentials: string): string {
  return credentials.includes(':')
    ? `Basic ${Buffer.from(credentials).toString('base64')}`
    : `Bearer ${credentials}`;
}
