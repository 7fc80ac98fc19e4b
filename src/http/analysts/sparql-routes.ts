import { Problem } from '../../problem.js';
import { textAnswer, type Answer, type Fields, type StreamAnswer } from '../answer.js';
import type { RequestContext, Route } from '../request-context.js';
import { analystRoute, type Analyst } from './analyst.js';
import { limitsLink, type BegunAnswer } from './analyst-client.js';
import { answerFormats } from './answer-formats.js';
import { datasetDescription } from './dataset-description.js';
import { QUERY_BODY, readProtocolRequest } from './protocol-request.js';
import { recordedQuery, type QueryParts } from './recorded-query.js';
import { describedService, graphAnswer } from './service-description.js';

/** What queries are answered with. */
export interface SparqlParts extends QueryParts {
  /** The base URL without a slash at its end. */
  readonly base: string;
}

/** The path of the endpoint. */
export const SPARQL_PATH = '/sparql';
/** The path of the list of analyses; each stands below it. */
export const ANALYSES_PATH = '/analyses';
/** The path of the page on which analysts write queries. */
export const WORKBENCH_PATH = '/workbench';
const QUERIES = `${SPARQL_PATH}/queries`;
const DATASET = '/.well-known/void';

/** Whether a path belongs to analysts: tools of every origin may ask there with their token. */
export function isOfAnalysts(path: string | undefined): boolean {
  const roots = [SPARQL_PATH, ANALYSES_PATH];
  return path === DATASET || roots.some((root) => path === root || path?.startsWith(`${root}/`));
}

/** The SPARQL 1.1 Protocol for analysts, query only; what runs; and what the data is like (VoID). */
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
  if (!asked) return graphAnswer(request, describedService(parts.base));
  const formats = answerFormats(request.context.get('Accept'));
  const { sparql, dataset, explain } = asked;
  const purpose = analyst.purpose ?? asked.purpose ?? 'in the browser';
  const query = { sparql, dataset, formats, purpose, explain };
  return streamed(parts, await recordedQuery(parts, request, analyst, query, whenGone(request)), analyst);
}

/** Aborted when the caller leaves before the answer is out. */
export function whenGone({ context }: RequestContext): AbortSignal {
  const controller = new AbortController();
  context.res.once('close', () => controller.abort());
  return controller.signal;
}

/** An answer as it comes, with what is said of it before its first row. */
export function streamed(
  { base }: SparqlParts,
  { head, body }: BegunAnswer,
  { level }: Analyst,
): StreamAnswer {
  const cut = `The answer is cut after ${head.rows} rows; add LIMIT and OFFSET, or filter.`;
  const warnings = [
    ...(head.isCut ? [cut] : []),
    ...head.warnings.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`),
  ];
  const headers: Fields = {
    'Chartgraph-Level': level,
    'Chartgraph-Revision': String(head.revision),
    'Chartgraph-Rows': String(head.rows),
    'Chartgraph-Truncated': String(head.isCut),
    Vary: 'Accept, Authorization, Cookie',
    ...(head.isCut && { Link: limitsLink(base) }),
    ...(warnings.length > 0 && { Warning: warnings.map(warning).join(', ') }),
  };
  return { kind: 'stream', mediaType: head.mediaType, headers, body };
}

/** RFC 7234 §5.5: 199 is a warning of any kind, `-` somebody who is not named. */
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
