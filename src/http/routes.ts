import type { CallModel, Ontology } from '../ontology/model.js';

/** A path below the base URL that some call of the ontology describes, with the calls of its methods. */
export interface Route {
  readonly segments: readonly Segment[];
  readonly calls: ReadonlyMap<string, CallModel>;
}

/** A fixed piece of a path, or the name of a path parameter. */
export type Segment = { readonly literal: string } | { readonly parameter: string };

/** A matched route; a parameter is undefined when its percent-encoding cannot be decoded. */
export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Splits `/records/{record_id}/medications/` into its segments; a trailing slash means nothing. */
function segmentsOf(path: string): Segment[] {
  return splitPath(path).map((piece) => {
    const parameter = /^\{(.+)\}$/.exec(piece)?.[1];
    return parameter === undefined ? { literal: piece } : { parameter };
  });
}

function splitPath(path: string): string[] {
  const inner = path.replace(/^\//, '').replace(/\/$/, '');
  return inner === '' ? [] : inner.split('/');
}

/** The shape of a path: two templates of one shape are one route, whatever their parameters are called. */
const shapeOf = (segments: readonly Segment[]): string =>
  segments.map((segment) => ('literal' in segment ? `=${segment.literal}` : '*')).join('/');

/** Literal segments sort before parameters, so that `/users/search` is never taken for a user. */
function bySpecificity(a: Route, b: Route): number {
  const key = (route: Route): string =>
    route.segments.map((segment) => ('literal' in segment ? '0' : '1')).join('');
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

/**
 * The routes of a container: one for every path shape among the calls of the ontology.
 * @returns a function from the raw path of a request (below the base URL, percent-encoded, no query)
 *   to its match, or undefined when no call has that path.
 */
export function createRoutes(ontology: Ontology): (rawPath: string) => Match | undefined {
  const byShape = new Map<string, { segments: Segment[]; calls: Map<string, CallModel> }>();
  for (const call of ontology.calls) {
    const segments = segmentsOf(call.path);
    const shape = shapeOf(segments);
    const route = byShape.get(shape) ?? { segments, calls: new Map<string, CallModel>() };
    route.calls.set(call.method, call);
    byShape.set(shape, route);
  }
  const byLength = new Map<number, Route[]>();
  for (const route of byShape.values()) {
    byLength.set(route.segments.length, [...(byLength.get(route.segments.length) ?? []), route]);
  }
  for (const routes of byLength.values()) routes.sort(bySpecificity);
  return (rawPath) => {
    if (!rawPath.startsWith('/')) return undefined;
    const pieces = splitPath(rawPath);
    for (const route of byLength.get(pieces.length) ?? []) {
      const parameters = matchSegments(route.segments, pieces);
      if (parameters) return { route, parameters };
    }
    return undefined;
  };
}

function matchSegments(
  segments: readonly Segment[],
  pieces: readonly string[],
): Record<string, string | undefined> | undefined {
  const parameters: Record<string, string | undefined> = {};
  for (const [index, segment] of segments.entries()) {
    const piece = pieces[index] ?? '';
    if (piece === '') return undefined;
    if ('literal' in segment) {
      if (segment.literal !== piece) return undefined;
    } else {
      parameters[segment.parameter] = decode(piece);
    }
  }
  return parameters;
}

/** Percent-decoding of one path segment (RFC 3986 §2.1), or undefined where the octets are not UTF-8. */
function decode(piece: string): string | undefined {
  try {
    return decodeURIComponent(piece);
  } catch {
    return undefined;
  }
}
