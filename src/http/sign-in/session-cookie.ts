import type { Context } from 'koa';

interface CookiePlace {
  readonly secure: boolean;
  readonly basePath: string;
}

/** `session` identifies the signed-in user until the browser closes; `browser` identifies the browser. */
type CookieKind = 'session' | 'browser';

const ID = /^[A-Za-z0-9_-]{43}$/;

/** In seconds; browsers keep cookies for up to 400 days (RFC 6265bis §5.5). */
const lifetimes: Readonly<Partial<Record<CookieKind, number>>> = { browser: 400 * 24 * 60 * 60 };

/** Returns the name of a cookie. Its prefix keeps other hosts and http from setting it (RFC 6265bis §4.1.3). */
export function cookieName({ secure, basePath }: CookiePlace, kind: CookieKind = 'session'): string {
  const prefix = !secure ? '' : basePath === '' ? '__Host-' : '__Secure-';
  return `${prefix}chartgraph-${kind}`;
}

export function readCookie(context: Context, place: CookiePlace, kind: CookieKind): string | undefined {
  const id = context.cookies.get(cookieName(place, kind));
  return id !== undefined && ID.test(id) ? id : undefined;
}

/** Sets a cookie; an empty value removes it. */
export function setCookie(context: Context, place: CookiePlace, kind: CookieKind, id: string): void {
  const name = cookieName(place, kind);
  const lifetime = id === '' ? 0 : lifetimes[kind];
  const cookie = [
    `${name}=${id}`,
    `Path=${place.basePath || '/'}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(place.secure ? ['Secure'] : []),
    ...(lifetime === undefined ? [] : [`Max-Age=${lifetime}`]),
  ].join('; ');
  // context.cookies.set looks at the connection, which is not the browser's if there is a proxy.
  const others = [context.response.get('Set-Cookie') as string | string[]].flat();
  context.set('Set-Cookie', [...others.filter((each) => each && !each.startsWith(`${name}=`)), cookie]);
}
