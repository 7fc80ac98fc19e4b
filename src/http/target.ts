import type { Context } from 'koa';
import { readForm } from '../access/oauth/percent.js';
import { AT, hasPast, TIMEMAP } from '../model/ontology/call-facts.js';
import type { CallModel } from '../model/ontology/model.js';
import { PathTemplate } from '../model/ontology/path-template.js';
import { Problem } from '../model/problem.js';
import type { RawParameters, Route } from './request-context.js';

/** A request target in parts, not decoded: signatures cover the raw text. */
export interface RequestTarget {
  readonly raw: string;
  /** The raw path below the base URL; undefined outside it. */
  readonly path: string | undefined;
  readonly query: string;
}

/**
 * Parses a request target (RFC 9112 §3.2). @param url Node's `request.url`, which may be in absolute form
 * @param basePath path of the base URL without a trailing slash
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

/** Parses the target of a request once. */
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

/** Decodes the query parameters in order, strictly. @throws Problem malformed-request */
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

export interface QueryParameters {
  readonly declared: ReadonlyMap<string, readonly string[]>;
  readonly format: string | undefined;
  /** The time of the requested state, as sent. */
  readonly at?: string | undefined;
  /** Whether the list of past states is requested. */
  readonly timemap?: boolean;
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

export interface Parameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  readonly resource: string;
}

/** Matches a path parameter; no resource has any other. */
export const IDENTIFIER = /^(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,128}$/;

/**
 * Decodes and checks the parameters of a request. The container's own pages read their query themselves.
 * @throws Problem malformed-request, not-found, unknown-parameter, invalid-parameter
 */
export function readParameters(
  base: string,
  { call, path: template }: Route,
  raw: RawParameters,
  target: RequestTarget,
): Parameters {
  if (!call) {
    const path = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, value ?? '']));
    return { path, query: NO_QUERY, resource: base + (target.path ?? '') };
  }
  const path = checkPath(raw);
  const query = target.query === '' ? NO_QUERY : checkParameters(call, readQuery(target.query));
  return { path, query, resource: base + PathTemplate.of(template).fill(path) };
}

const NO_QUERY: QueryParameters = { declared: new Map(), format: undefined, pairs: [] };

function checkPath(raw: RawParameters): Record<string, string> {
  const path: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) {
      throw new Problem(
        'malformed-request',
        `${name} in the path has a broken percent-encoding; encode it as UTF-8.`,
      );
    }
    if (!IDENTIFIER.test(value)) throw new Problem('not-found', `No resource has such a ${name}.`);
    path[name] = value;
  }
  return path;
}

/** Selects the serialisation; every call takes it. */
const FORMAT = '_format';

/** RFC 5849 §3.5.3: protocol parameters may be in the query. */
const isProtocol = (name: string): boolean => name.startsWith('oauth_');

/** Checks the parameters: ignoring a filter would return everything. @throws Problem unknown-, invalid-parameter */
function checkParameters(call: CallModel, pairs: readonly [string, string][]): QueryParameters {
  const declared = new Map<string, string[]>();
  const names = [...call.parameters, ...call.filters].map(({ name }) => name);
  const isPast = hasPast(call);
  let format: string | undefined;
  let at: string | undefined;
  let timemap = false;
  for (const [name, value] of pairs) {
    if (isProtocol(name)) continue;
    if (name === FORMAT) {
      if (format !== undefined) throw invalid(name, 'is given more than once; give it once.');
      format = value;
    } else if (isPast && name === AT) {
      if (at !== undefined) throw invalid(name, 'is given more than once; give it once.');
      at = value;
    } else if (isPast && name === TIMEMAP) {
      timemap = true;
    } else if (names.includes(name)) {
      if (/[\u0000-\u001f\u007f]/.test(value)) throw invalid(name, 'holds a control character; remove it.');
      const given = declared.get(name);
      if (given) given.push(value);
      else declared.set(name, [value]);
    } else {
      throw unknown(call, name, [...names, FORMAT, ...(isPast ? [AT, TIMEMAP] : [])]);
    }
  }
  return { declared, format, pairs, at, timemap };
}

function unknown(call: CallModel, name: string, names: string[]): Problem {
  const known = [...new Set(names)].join(', ');
  const detail = `${call.name} has no query parameter of this name. It knows ${known}.`;
  return new Problem('unknown-parameter', detail, { extra: { parameter: name.slice(0, 64) } });
}

function invalid(name: string, fault: string): Problem {
  return new Problem('invalid-parameter', `${name} ${fault}`, { extra: { parameter: name } });
}
