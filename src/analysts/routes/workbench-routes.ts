import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { boundTerms, withTerms, type Analysis } from '../../model/analyses/analysis.js';
import { readHead } from '../../model/analyses/read-head.js';
import { firstRows } from '../read-tsv.js';
import { PARAMETER, workbenchPage, type ShownAnswer } from '../workbench/workbench-page.js';
import { workbenchStyleSource } from '../workbench/workbench-style.js';
import { Problem } from '../../model/problem.js';
import type { Answer, PlainAnswer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { jsonAnswer } from '../../http/json-body.js';
import { readPageForm } from '../../http/sign-in/page-request.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import { pageRoutes, type PageHandler, type PageRequest } from '../../http/sign-in/page-request.js';
import { refusalAnswer } from '../../http/sign-in/refusals.js';
import { enrolmentFirst, signInFirst } from '../../http/sign-in/page-request.js';
import type { RequestContext, Route } from '../../http/request-context.js';
import { readQuery } from '../../http/target.js';
import { bound, refusingValues } from './analyses-routes.js';
import { analystRoute, type Analyst } from '../../http/analyst.js';
import { QUERY_BODY, requireShort, SPARQL_PATH, whenGone, WORKBENCH_PATH } from './sparql-routes.js';
import { recordedQuery } from './analyst-client.js';
import { SAVED_QUERIES_PATH } from './saved-query-routes.js';
import { SchemaCounter, type SchemaParts } from './schema-counter.js';

export interface WorkbenchParts extends SchemaParts {
  readonly site: Site;
  readonly analyses: ReadonlyMap<string, Analysis>;
  readonly script: string;
}

const SHOWN_ROWS = 1000;
const SHOWN_TEXT = 100_000;

interface WorkbenchState {
  readonly query: string;
  readonly purpose: string;
  readonly given?: readonly (readonly [name: string, value: string])[];
  readonly answer?: ShownAnswer;
  readonly refusal?: string;
  readonly status?: number;
}

/** `/workbench`: the page for de-identified queries. Its script uses `/sparql`; without it, the form is posted. */
export function workbenchRoutes(parts: WorkbenchParts): readonly Route[] {
  const { site } = parts;
  const GET = forAnalysts(site, (request) => opened(parts, request));
  const POST = forAnalysts(site, (request, analyst) => posted(parts, request, analyst));
  const counter = new SchemaCounter(parts);
  const counts = analystRoute('GET', `${WORKBENCH_PATH}/counts`, (request, analyst) =>
    counted(parts, counter, request, analyst),
  );
  return [...pageRoutes(WORKBENCH_PATH, { GET, POST, bodyLimit: QUERY_BODY }, enrolmentFirst(site)), counts];
}

/** Wraps a page for signed-in analysts; others are sent to sign in, or refused. */
function forAnalysts(
  site: Site,
  handler: (request: PageRequest, analyst: Analyst) => Promise<Answer> | Answer,
): PageHandler {
  return (request) => {
    const { visitor, target, route } = request;
    const { user, page } = visitor;
    const here = route.method === 'GET' ? target.raw : `${site.basePath}${WORKBENCH_PATH}`;
    if (!user) return signInFirst(site, here, route.method === 'GET' ? 302 : 303);
    if (user.role !== 'analyst') return refusalAnswer(visitor, 'notAnalyst');
    return handler(request, { user, level: 'deidentified', purpose: undefined, tokenId: undefined, page });
  };
}

function opened(parts: WorkbenchParts, request: PageRequest): PlainAnswer {
  const pairs = readQuery(request.target.query);
  const valueOf = (wanted: string): string | undefined => pairs.find(([name]) => name === wanted)?.[1];
  const name = valueOf('analysis');
  if (name === undefined) return drawn(parts, request, { query: valueOf('query') ?? '', purpose: '' });
  const analysis = parts.analyses.get(name);
  if (!analysis)
    throw new Problem('not-found', 'There is no such analysis; the page of analyses lists them.');
  const query = bound(
    analysis,
    pairs.filter(([parameter]) => parameter !== 'analysis'),
  );
  return drawn(parts, request, { query, purpose: '' });
}

async function posted(parts: WorkbenchParts, request: PageRequest, analyst: Analyst): Promise<PlainAnswer> {
  const fields = readPageForm(request);
  const [query = '', said = ''] = ['query', 'purpose'].map((name) => fields.get(name));
  // Checked first: parsing blocks the process that serves records.
  requireShort(query);
  const given = readHead(query).parameters.flatMap(({ name }): [string, string][] => {
    const value = fields.get(PARAMETER + name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  const asked = { query, purpose: said.slice(0, 500), given };
  try {
    return drawn(parts, request, { ...asked, answer: await answered(parts, request, analyst, asked) });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return drawn(parts, request, { ...asked, refusal: error.message, status: error.status });
  }
}

async function answered(
  parts: WorkbenchParts,
  request: RequestContext,
  analyst: Analyst,
  { query, purpose: said, given = [] }: WorkbenchState,
): Promise<ShownAnswer> {
  const sparql = withValues(query, given);
  const purpose = said.trim() || 'in the browser';
  const formats = { rows: 'tsv', graph: 'turtle' } as const;
  const asked = { sparql, formats, purpose };
  const { head, body } = await recordedQuery(parts, request, analyst, asked, whenGone(request));
  const of = { rows: head.rows ?? 0, revision: head.revision, isCut: head.isCut ?? false };
  const notes = head.warnings.map(({ line, message }) => `Line ${line}: ${message}`);
  if (head.mediaType.startsWith('text/tab-separated-values')) {
    const { columns, rows } = await firstRows(body, SHOWN_ROWS);
    // SPARQL 1.1 TSV §4: column names begin with a question mark; the answer of an ASK has none.
    const isTable = columns.every((name) => name.startsWith('?'));
    return isTable
      ? { ...of, notes, kind: 'table', columns: columns.map((name) => name.slice(1)), shown: rows }
      : { ...of, notes, kind: 'text', text: columns[0] === 'true' ? 'Yes' : 'No' };
  }
  return { ...of, notes, kind: 'text', text: (await text(body)).slice(0, SHOWN_TEXT) };
}

/** Binds a query's parameters. @throws Problem invalid-parameter */
function withValues(query: string, given: NonNullable<WorkbenchState['given']>): string {
  const { parameters } = readHead(query);
  if (parameters.length === 0) return query;
  return refusingValues(() => withTerms(query, boundTerms({ name: 'The query', parameters }, given)));
}

function drawn(
  { site: { basePath }, script }: WorkbenchParts,
  { visitor: { page, user } }: PageRequest,
  { status = 200, given = [], ...held }: WorkbenchState,
): PlainAnswer {
  const values = new Map(given);
  const parameters = readHead(held.query).parameters.map(({ name, comment, choices, standard = '' }) => ({
    ...{ name, comment, choices },
    value: values.get(name) ?? standard,
  }));
  const nonce = randomBytes(16).toString('base64');
  const content = workbenchPage(page, {
    ...held,
    parameters,
    nonce,
    reader: user?.id ?? '',
    script: `${basePath}${script}`,
    vocabulary: `${basePath}${WORKBENCH_PATH}/vocabulary.json`,
    counts: `${basePath}${WORKBENCH_PATH}/counts`,
    sparql: `${basePath}${SPARQL_PATH}`,
    queries: `${basePath}${SAVED_QUERIES_PATH}`,
  });
  return pageAnswer(page, content, {
    status,
    policy: { styles: [workbenchStyleSource, `'nonce-${nonce}'`], scripts: true, images: ['blob:'] },
  });
}

async function counted(
  { ontology }: WorkbenchParts,
  counter: SchemaCounter,
  request: RequestContext,
  analyst: Analyst,
): Promise<Answer> {
  const [iri] = readQuery(request.target.query).flatMap(([name, value]) => (name === 'class' ? [value] : []));
  const of = iri === undefined ? undefined : ontology.classes.get(iri);
  if (iri !== undefined && !of)
    throw new Problem('invalid-parameter', 'class is the IRI of a class that the ontology declares.');
  const value = of ? await counter.properties(request, analyst, of) : await counter.classes(request, analyst);
  return { ...jsonAnswer(value), headers: { Vary: 'Authorization, Cookie' } };
}
