import type { Context } from 'koa';

/** Where the cookies of a container are valid. */
export interface CookiePlace {
  readonly secure: boolean;
  readonly basePath: string;
}

const ID = /^[A-Za-z0-9_-]{43}$/;

/**
 * The name of the session cookie. Over https it has the prefix that keeps other hosts and http from setting it
 * (RFC 6265bis §4.1.3); the stricter of the two needs the path `/`.
 */
export function cookieName({ secure, basePath }: CookiePlace): string {
  const prefix = !secure ? '' : basePath === '' ? '__Host-' : '__Secure-';
  return `${prefix}chartgraph-session`;
}

/** The session id that a browser sends, if it has the form of one. */
export function sentSessionId(context: Context, place: CookiePlace): string | undefined {
  const id = context.cookies.get(cookieName(place));
  return id !== undefined && ID.test(id) ? id : undefined;
}

/** Gives the browser a session id until it is closed; an empty one takes it away. */
export function setSessionId(context: Context, place: CookiePlace, id: string): void {
  const attributes = [
    `${cookieName(place)}=${id}`,
    `Path=${place.basePath || '/'}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(place.secure ? ['Secure'] : []),
    ...(id === '' ? ['Max-Age=0'] : []),
  ];
  // Not context.cookies.set: it looks at the connection, which behind a proxy is not the browser's.
  context.set('Set-Cookie', attributes.join('; '));
}
