import { json } from 'node:stream/consumers';
import type { Ontology } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import { textAnswer, type Answer, type Fields, type StreamAnswer } from '../../http/answer.js';
import type { RequestContext, Route } from '../../http/request-context.js';
import { analystRoute, type Analyst } from '../../http/analyst.js';
import { THRESHOLD } from './aggregate-answer.js';
import { limitsLink, type BegunAnswer, recordedQuery, type QueryParts } from './analyst-client.js';
import { describedService, graphAnswer, describedDataset, type Counts } from './service-description.js';
import { resultFormatNames, resultType } from '../result-formats.js';
import type { AnswerFormats, AnswerTail } from '../thread-messages.js';
import { formats, typeAliases, type RdfFormat } from '../../rdf/formats.js';
import { preferredType } from '../../http/respond/negotiate.js';
import { MAX_QUERY_LENGTH } from '../prepare-query.js';
import type { Dataset } from '../../store/working-set.js';
import { nearestName } from '../../rdf/nearest-name.js';
import { bodyBytes } from '../../http/admission/bodies.js';
import { isUtf8, readMediaType } from '../../http/media-type.js';
import { readQuery } from '../../http/target.js';

export interface SparqlParts extends QueryParts {
  readonly base: string;
  readonly ontology: Pick<Ontology, 'prefixes'>;
}

export const SPARQL_PATH = '/sparql';
/** The path of the list, and the parent of each analysis. */
export const ANALYSES_PATH = '/analyses';
export const WORKBENCH_PATH = '/workbench';
const QUERIES = `${SPARQL_PATH}/queries`;
const DATASET = '/.well-known/void';

/** Whether a path is for analysts' tools, which may request it from any origin with a token. */
export function isOfAnalysts(path: string | undefined): boolean {
  const roots = [SPARQL_PATH, ANALYSES_PATH];
  return path === DATASET || roots.some((root) => path === root || path?.startsWith(`${root}/`));
}

/** Makes the routes of the SPARQL 1.1 Protocol (query only), of running queries and of VoID. */
export function sparqlRoutes(parts: SparqlParts): readonly Route[] {
  const own = { bodyLimit: QUERY_BODY };
  const shown = { ...own, access: 'analyst or admin' } as const;
  const answer = (request: RequestContext, analyst: Analyst): Promise<Answer> =>
    answered(parts, request, analyst);
  return [
    analystRoute('GET', SPARQL_PATH, answer, own),
    analystRoute('POST', SPARQL_PATH, answer, own),
    analystRoute('GET', DATASET, (request, analyst) => datasetDescription(parts, request, analyst), own),
    analystRoute('GET', QUERIES, (_, analyst) => listed(parts, analyst), shown),
    analystRoute('DELETE', `${QUERIES}/{id}`, (request, analyst) => ended(parts, request, analyst), shown),
  ];
}

async function answered(parts: SparqlParts, request: RequestContext, analyst: Analyst): Promise<Answer> {
  const asked = readProtocolRequest(request);
  if (!asked) return graphAnswer(parts, request, describedService(parts.base));
  const formats = answerFormats(request.context.get('Accept'));
  const { sparql, dataset, explain } = asked;
  const purpose = analyst.purpose ?? asked.purpose ?? 'in the browser';
  const query = { sparql, dataset, formats, purpose, explain };
  return streamed(parts, await recordedQuery(parts, request, analyst, query, whenGone(request)), analyst);
}

/** Returns a signal that is aborted when the client disconnects. */
export function whenGone({ context }: RequestContext): AbortSignal {
  const controller = new AbortController();
  context.res.once('close', () => controller.abort());
  return controller.signal;
}

/** Makes a streamed answer, with its facts in header fields. */
export function streamed(
  { base }: SparqlParts,
  { head, body, tail }: BegunAnswer,
  { level, isAggregate }: Analyst,
): StreamAnswer {
  const isCounted = head.rows !== undefined;
  const warnings = [
    ...(head.isCut ? [`The answer is cut after ${head.rows} rows; add LIMIT and OFFSET, or filter.`] : []),
    ...(isCounted ? [] : ['A long answer may be cut; Chartgraph-Truncated comes after the last row.']),
    ...(isAggregate ? [`Groups of fewer than ${THRESHOLD} patients are withheld.`] : []),
    ...head.warnings.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`),
  ];
  const headers: Fields = {
    'Chartgraph-Level': isAggregate ? 'aggregate' : level,
    'Chartgraph-Revision': String(head.revision),
    ...(isCounted && counts(head)),
    Vary: 'Accept, Authorization, Cookie',
    ...((head.isCut ?? true) && { Link: limitsLink(base) }),
    ...(warnings.length > 0 && { Warning: warnings.map(warning).join(', ') }),
  };
  const names = Object.keys(counts({}));
  const trailers = isCounted ? undefined : { names, made: () => counts(tail() ?? {}) };
  return { kind: 'stream', mediaType: head.mediaType, headers, body, trailers };
}

const counts = ({ rows, isCut }: Partial<AnswerTail>): Fields => ({
  'Chartgraph-Rows': String(rows),
  'Chartgraph-Truncated': String(isCut),
});

/** RFC 7234 §5.5: 199 is any warning, `-` an unnamed agent. */
function warning(text: string): string {
  return `199 - "${text.replaceAll(/[^\x20-\x7e]/gu, '?').replaceAll(/["\\]/gu, '\\$&')}"`;
}

async function listed({ client }: SparqlParts, { user }: Analyst): Promise<Answer> {
  const queries = await client.list(user.role === 'admin' ? undefined : user.id);
  return { kind: 'plain', mediaType: 'application/json', body: `${JSON.stringify({ queries })}\n` };
}

async function ended({ client }: SparqlParts, { path }: RequestContext, { user }: Analyst): Promise<Answer> {
  const isEnded = await client.end(path['id'] ?? '', user.role === 'admin' ? undefined : user.id);
  if (!isEnded) throw new Problem('not-found', 'No such query runs, or it is somebody else’s.');
  return { ...textAnswer(''), status: 204 };
}

/** All counts in one query, so that they are of the same state: rows of a kind, an optional IRI and a number. */
const COUNTS = `SELECT ?kind ?iri ?n {
  { SELECT ("triples" AS ?kind) (COUNT(*) AS ?n) { ?s ?p ?o } }
  UNION { SELECT ("subjects" AS ?kind) (COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o } }
  UNION { SELECT ("class" AS ?kind) ?iri (COUNT(DISTINCT ?s) AS ?n) { ?s a ?iri } GROUP BY ?iri }
  UNION { SELECT ("property" AS ?kind) ?iri (COUNT(*) AS ?n) { ?s ?iri ?o } GROUP BY ?iri }
} ORDER BY ?kind ?iri`;

interface CountRow {
  readonly kind: { readonly value: string };
  readonly iri?: { readonly type: string; readonly value: string };
  readonly n: { readonly value: string };
}

async function datasetDescription(parts: SparqlParts, request: RequestContext, analyst: Analyst) {
  const { body } = await recordedQuery(parts, request, analyst, {
    sparql: COUNTS,
    formats: { rows: 'json', graph: undefined },
    purpose: analyst.purpose ?? 'in the browser',
  });
  const { results } = (await json(body)) as { results: { bindings: CountRow[] } };
  return graphAnswer(parts, request, describedDataset(parts.base, countsOf(results.bindings)));
}

function countsOf(rows: readonly CountRow[]): Counts {
  const one = (kind: string): number => Number(rows.find((row) => row.kind.value === kind)?.n.value ?? 0);
  const each = (kind: string): [string, number][] =>
    rows.flatMap(({ kind: { value }, iri, n }) =>
      value === kind && iri?.type === 'uri' ? [[iri.value, Number(n.value)]] : [],
    );
  return {
    triples: one('triples'),
    subjects: one('subjects'),
    classes: each('class'),
    properties: each('property'),
  };
}

const graphFormats: readonly RdfFormat[] = ['turtle', 'ntriples', 'rdfxml', 'jsonld', 'nquads', 'trig'];

const bare = (mediaType: string): string => mediaType.replace(/;.*/u, '');

const rowTypes = new Map(resultFormatNames.map((name) => [bare(resultType(name)), name]));
const graphTypes = new Map(graphFormats.map((name) => [formats[name].mediaType, name]));

const aliases: Readonly<Record<string, readonly string[]>> = {
  'application/sparql-results+json': ['application/json'],
  'application/sparql-results+xml': ['application/xml', 'text/xml'],
};

export const answeredTypes = [...rowTypes.keys(), ...graphTypes.keys()];

/** Returns the formats for Accept (RFC 9110 §12.5.1), for any form of query. @throws Problem not-acceptable */
export function answerFormats(accept: string): AnswerFormats {
  const rows = rowTypes.get(preferredType(accept, [...rowTypes.keys()], aliases) ?? '');
  const graph = graphTypes.get(preferredType(accept, [...graphTypes.keys()], typeAliases) ?? '');
  if (rows !== undefined || graph !== undefined) return { rows, graph };
  throw new Problem('not-acceptable', `Queries are answered with ${answeredTypes.join(', ')}.`);
}

export const QUERY_BODY = 256 * 1024;

interface ProtocolRequest {
  readonly sparql: string;
  readonly dataset: Dataset | undefined;
  readonly purpose: string | undefined;
  readonly explain: boolean;
}

const SPARQL = 'application/sparql-query';
const FORM = 'application/x-www-form-urlencoded';

/**
 * Reads a query operation (SPARQL 1.1 Protocol §2.1): GET, POST of a form, POST of the query itself. @returns undefined
 * without a query, for the service description
 * @throws Problem malformed-request, unknown-parameter, unsupported-media-type, too-large
 */
function readProtocolRequest(request: RequestContext): ProtocolRequest | undefined {
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

/** @throws Problem malformed-request for a query beyond the limit */
export function requireShort(sparql: string): void {
  if (sparql.length <= MAX_QUERY_LENGTH) return;
  throw new Problem(
    'malformed-request',
    `The query is longer than ${MAX_QUERY_LENGTH} characters; ask less at once.`,
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
  // Before the access log stores the whole query.
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

const own = ['purpose', 'explain'];
const known: readonly string[] = ['query', 'default-graph-uri', 'named-graph-uri', ...own];
/** A greater edit distance suggests a parameter of another client. */
const MAX_DISTANCE = 2;

/** A misspelt parameter would record the wrong purpose, or run a query instead of explaining it. */
function refuseMisspelt(name: string): void {
  const meant = known.includes(name) ? undefined : nearestName(name, own, MAX_DISTANCE);
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
