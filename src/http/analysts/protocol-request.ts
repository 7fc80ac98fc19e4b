import { LONGEST_QUERY } from '../../analysts/prepare-query.js';
import type { Dataset } from '../../store/working-set.js';
import { Problem } from '../../problem.js';
import { nearestName } from '../../rdf/nearest-name.js';
import { bodyBytes } from '../body.js';
import { isUtf8, readMediaType } from '../media-type.js';
import type { RequestContext } from '../request-context.js';
import { readQuery } from '../target.js';

/** Bytes of a body: the longest query, percent-encoded. */
export const QUERY_BODY = 256 * 1024;

/** What a request of the SPARQL 1.1 Protocol asks for. */
export interface ProtocolRequest {
  readonly sparql: string;
  readonly dataset: Dataset | undefined;
  /** Why, where it is said (a parameter of ours). */
  readonly purpose: string | undefined;
  /** Whether to tell how the query comes to its answer, in its place (a parameter of ours). */
  readonly explain: boolean;
}

const SPARQL = 'application/sparql-query';
const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads a query operation (SPARQL 1.1 Protocol §2.1): GET, POST of a form, POST of the query itself.
 * @returns undefined where there is no query, which asks for the description of the service
 * @throws Problem malformed-request, unknown-parameter, unsupported-media-type, too-large
 */
export function readProtocolRequest(request: RequestContext): ProtocolRequest | undefined {
  const { context, target, route } = request;
  const inTarget = readQuery(target.query);
  if (route.method === 'GET') return operation(inTarget);
  const type = readMediaType(context.get('Content-Type'));
  const isText = type?.essence === SPARQL;
  if (!type || !isUtf8(type) || ![SPARQL, FORM, 'application/sparql-update'].includes(type.essence)) {
    throw new Problem('unsupported-media-type', `Send a query as ${SPARQL} or ${FORM}, in UTF-8.`);
  }
  if (type.essence === 'application/sparql-update') throw updateRefused();
  const body = decoded(bodyBytes(request.body, QUERY_BODY));
  const pairs = isText ? [...inTarget, ['query', body] as [string, string]] : readQuery(body);
  return operation(pairs) ?? refuseEmpty();
}

/** @throws Problem malformed-request for a query that is longer than any is run */
export function requireShort(sparql: string): void {
  if (sparql.length <= LONGEST_QUERY) return;
  throw new Problem(
    'malformed-request',
    `The query is longer than ${LONGEST_QUERY} characters; ask less at once.`,
  );
}

function operation(pairs: readonly (readonly [string, string])[]): ProtocolRequest | undefined {
  const all = (name: string): string[] => pairs.filter(([key]) => key === name).map(([, value]) => value);
  if (all('update').length > 0) throw updateRefused();
  for (const [name] of pairs) refuseMisspelt(name);
  const [sparql, ...more] = all('query');
  // §2.1.4: exactly one.
  if (more.length > 0) throw new Problem('malformed-request', 'query is given more than once; give it once.');
  if (sparql === undefined) return undefined;
  // Here already: the access log has every query whole, before it runs.
  requireShort(sparql);
  const [defaultGraphs, namedGraphs] = [all('default-graph-uri'), all('named-graph-uri')];
  for (const iri of [...defaultGraphs, ...namedGraphs]) refuseNoIri(iri);
  const dataset =
    defaultGraphs.length + namedGraphs.length === 0 ? undefined : { defaultGraphs, namedGraphs };
  return {
    sparql,
    dataset,
    purpose: all('purpose')[0],
    explain: all('explain').some((each) => each !== 'false'),
  };
}

/** Parameters that are no part of the protocol. */
const own = ['purpose', 'explain'];
/** With those of the protocol. */
const known: readonly string[] = ['query', 'default-graph-uri', 'named-graph-uri', ...own];
/** A name that differs in more characters from ours is one that a client sends with every query. */
const FAR = 2;

/** Else a query would run and be recorded for another purpose than was said, or run where it was to be explained. */
function refuseMisspelt(name: string): void {
  const meant = known.includes(name) ? undefined : nearestName(name, own, FAR);
  if (meant === undefined) return;
  throw new Problem('unknown-parameter', `Queries have no parameter of this name. Did you mean ${meant}?`, {
    extra: { parameter: name },
  });
}

function refuseNoIri(text: string): void {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/u.test(text)) return;
  throw new Problem('invalid-parameter', 'default-graph-uri and named-graph-uri are absolute IRIs.');
}

const updateRefused = (): Problem =>
  new Problem('malformed-request', 'Data is only read here; write it with the calls of the API.');

function refuseEmpty(): never {
  throw new Problem('malformed-request', 'There is no query; send it as the field query, or as the body.');
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('malformed-request', 'The query is not UTF-8; send it so.', { cause });
  }
}
