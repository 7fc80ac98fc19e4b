import type { CallModel } from '../ontology/model.js';
import { AT, hasPast, TIMEMAP } from '../ontology/has-past.js';
import { PathTemplate } from '../ontology/path-template.js';
import { Problem } from '../problem.js';
import type { RawParameters } from './road.js';
import type { Route } from './request-context.js';
import { readQuery, type RequestTarget } from './target.js';

/** The query parameters of a request, checked: declared ones with all their values, and the wanted serialisation. */
export interface QueryParameters {
  readonly declared: ReadonlyMap<string, readonly string[]>;
  readonly format: string | undefined;
  /** The time as of which to answer, as it was given, for calls that have a past. */
  readonly at?: string | undefined;
  /** Whether the list of such times is asked for. */
  readonly timemap?: boolean;
  /** All decoded parameters in their order. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
}

/** The parameters of a request, and the IRI that they address. */
export interface Parameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: QueryParameters;
  /** Base URL and decoded path, without a trailing slash. */
  readonly resource: string;
}

/** What may stand in a path parameter; whatever else is asked for cannot exist. */
export const IDENTIFIER = /^(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,128}$/;

/**
 * Decodes and checks the parameters of a request. The container's own paths have their own rules for what they take:
 * they read the query themselves, and a part of their path that cannot be decoded names nothing.
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

/** The parameter that names a serialisation: every call takes it. */
const FORMAT = '_format';

/** Protocol parameters may travel in the query (RFC 5849 §3.5.3); they say nothing to a call. */
const isProtocol = (name: string): boolean => name.startsWith('oauth_');

/**
 * Validates the query parameters against what the ontology declares for the call: an unknown one would be
 * ignored silently and return everything, so it is refused.
 * @param pairs decoded names and values in their order
 * @throws Problem unknown-parameter, or invalid-parameter for a value with control characters
 */
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
      if (format !== undefined) throw twice(name);
      format = value;
    } else if (isPast && name === AT) {
      if (at !== undefined) throw twice(name);
      at = value;
    } else if (isPast && name === TIMEMAP) {
      timemap = true;
    } else if (names.includes(name)) {
      checkCharacters(name, value);
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

function twice(name: string): Problem {
  return new Problem('invalid-parameter', `${name} is given more than once; give it once.`, {
    extra: { parameter: name },
  });
}

function checkCharacters(name: string, value: string): void {
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    throw new Problem('invalid-parameter', `${name} holds a control character; remove it.`, {
      extra: { parameter: name },
    });
  }
}
