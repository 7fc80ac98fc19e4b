import type { Context } from 'koa';
import { readForm } from '../oauth/percent.js';
import { Problem } from '../problem.js';

/** The request target of a request, taken apart but not decoded: signatures are made over its raw text. */
export interface RequestTarget {
  /** As it stands on the request line, in origin form: path and query. */
  readonly raw: string;
  /** The raw path below the base URL, or undefined when the request is outside of it. */
  readonly path: string | undefined;
  /** The raw query without its question mark. */
  readonly query: string;
}

/**
 * Reads the request target (RFC 9112 §3.2); the absolute form is brought to the origin form.
 * @param url the target as Node.js gives it in `request.url`
 * @param basePath the path of the base URL, empty or beginning with a slash, without a trailing one
 */
export function readTarget(url: string, basePath: string): RequestTarget {
  const raw = url.startsWith('/') ? url : originForm(url);
  const question = raw.indexOf('?');
  const fullPath = question < 0 ? raw : raw.slice(0, question);
  const inside = fullPath === basePath || fullPath.startsWith(`${basePath}/`);
  return {
    raw,
    path: inside ? fullPath.slice(basePath.length) || '/' : undefined,
    query: question < 0 ? '' : raw.slice(question + 1),
  };
}

/** The target of the request of a context, read once for all who look at it. */
export function targetOf(context: Context, basePath: string): RequestTarget {
  const known = context.state['target'] as RequestTarget | undefined;
  if (known) return known;
  const target = readTarget(context.req.url ?? '/', basePath);
  context.state['target'] = target;
  return target;
}

function originForm(url: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0];
  if (authority === undefined) return '/';
  const rest = url.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * The decoded query parameters in their order (WHATWG application/x-www-form-urlencoded, but strict).
 * @throws Problem malformed-request when a percent-encoding is broken or does not hold UTF-8.
 */
export function readQuery(query: string): ReturnType<typeof readForm> {
  try {
    return readForm(query);
  } catch {
    throw new Problem(
      'malformed-request',
      'The query string has a broken percent-encoding; encode it as UTF-8.',
    );
  }
}
