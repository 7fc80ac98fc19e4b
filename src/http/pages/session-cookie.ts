import type { Context } from 'koa';

/** Where the cookies of a container are valid. */
export interface CookiePlace {
  readonly secure: boolean;
  readonly basePath: string;
}

/** `session` stands for who is signed in, until the browser is closed; `browser` for the browser, whoever uses it. */
export type CookieKind = 'session' | 'browser';

const ID = /^[A-Za-z0-9_-]{43}$/;

/** Browsers keep no cookie longer than 400 days (RFC 6265bis §5.5). In seconds. */
const lifetimes: Readonly<Partial<Record<CookieKind, number>>> = { browser: 400 * 24 * 60 * 60 };

/**
 * The name of a cookie. Over https it has the prefix that keeps other hosts and http from setting it
 * (RFC 6265bis §4.1.3); the stricter of the two needs the path `/`.
 */
export function cookieName({ secure, basePath }: CookiePlace, kind: CookieKind = 'session'): string {
  const prefix = !secure ? '' : basePath === '' ? '__Host-' : '__Secure-';
  return `${prefix}chartgraph-${kind}`;
}

/** The random value of a cookie that a browser sends, if it has the form of one. */
export function sentId(context: Context, place: CookiePlace, kind: CookieKind): string | undefined {
  const id = context.cookies.get(cookieName(place, kind));
  return id !== undefined && ID.test(id) ? id : undefined;
}

/** Gives the browser a cookie with a random value; an empty one takes it away. */
export function setId(context: Context, place: CookiePlace, kind: CookieKind, id: string): void {
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
  // Not context.cookies.set: it looks at the connection, which behind a proxy is not the browser's.
  const others = [context.response.get('Set-Cookie') as string | string[]].flat();
  context.set('Set-Cookie', [...others.filter((each) => each && !each.startsWith(`${name}=`)), cookie]);
}
