import { percentEncode, type Parameter } from './percent.js';

/**
 * The signature base string (RFC 5849 §3.4.1.1).
 * @param method the HTTP method
 * @param uri the base string URI of baseStringUri
 * @param parameters decoded query, form and protocol parameters without realm and oauth_signature
 */
export function baseString(method: string, uri: string, parameters: readonly Parameter[]): string {
  return baseStringOf(method, uri, normalize(parameters));
}

/** The same of parameters that are written already, as `normalize` writes them. */
export function baseStringOf(method: string, uri: string, normalized: string): string {
  return `${method.toUpperCase()}&${percentEncode(uri)}&${percentEncode(normalized)}`;
}

/**
 * Encodes, sorts and joins parameters (RFC 5849 §3.4.1.3.2). They are sorted by their encoded names and, for
 * equal ones, values: sorting the joined pairs would put `a-b=1` before `a=1`.
 */
export function normalize(parameters: readonly Parameter[]): string {
  return parameters
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Order by byte value: encoded text is ASCII, so code units are bytes. */
export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The base string URI (RFC 5849 §3.4.1.2).
 * @param origin scheme and authority as originOf gives them
 * @param path the path as it stands on the request line; an empty one is `/`
 */
export function baseStringUri(origin: string, path: string): string {
  return origin + (path === '' ? '/' : path);
}

/**
 * Scheme, host and port of a URL: scheme and host in lower case, a default port left out (RFC 5849 §3.4.1.2).
 * @throws TypeError when it is not a URL
 */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** Takes a request target apart, without decoding anything; the absolute form (RFC 9112 §3.2.2) loses its origin. */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const question = local.indexOf('?');
  return question < 0
    ? { path: local, query: '' }
    : { path: local.slice(0, question), query: local.slice(question + 1) };
}

/**
 * Makes what recognises the base URL, or its origin, in another letter case. Clients of this API sign the host as
 * their user typed it, and send the same spelling as realm (oauth-flow.md §10.5).
 * @returns from a realm the origin in that spelling; undefined when it is another place or needs no second try
 */
export function otherSpelling(baseUrl: string): (realm: string | undefined) => string | undefined {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/$/, '').toLowerCase();
  return (realm) => {
    if (realm === undefined || realm === origin || realm.length > origin.length + basePath.length + 8)
      return undefined;
    const [, typed, path = ''] = /^([a-z]+:\/\/[^/]+)(\/.*)?$/i.exec(realm) ?? [];
    if (typed === undefined) return undefined;
    const spelled = typed.replace(/^(http:.*):80$|^(https:.*):443$/i, '$1$2');
    if (spelled === origin || spelled.toLowerCase() !== origin) return undefined;
    return ['', basePath].includes(path.replace(/\/$/, '').toLowerCase()) ? spelled : undefined;
  };
}
