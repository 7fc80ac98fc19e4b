import { randomBytes } from 'node:crypto';
import { json, text } from 'node:stream/consumers';
import type { Analysis } from '../../analysts/analyses/analysis.js';
import { boundTerms, withTerms } from '../../analysts/analyses/bound-terms.js';
import { readHead } from '../../analysts/analyses/read-head.js';
import type { QueryExplanation } from '../../analysts/explain/explanation.js';
import { firstRows } from '../../analysts/read-tsv.js';
import { PARAMETER, workbenchPage, type ShownAnswer } from '../../pages/workbench-page.js';
import { workbenchStyleSource } from '../../pages/workbench-style.js';
import { Problem } from '../../problem.js';
import type { Answer, PlainAnswer } from '../answer.js';
import type { Site } from '../app-parts.js';
import { readPageForm } from '../pages/form.js';
import { pageAnswer } from '../pages/page-answer.js';
import { pageRoutes, type PageHandler, type PageRequest } from '../pages/page-request.js';
import { refusalAnswer } from '../pages/refusals.js';
import { enrolmentFirst, signInFirst } from '../pages/sign-in-first.js';
import type { RequestContext, Route } from '../request-context.js';
import { readQuery } from '../target.js';
import { bound, refusingValues } from './analyses-routes.js';
import { analystRoute, type Analyst } from './analyst.js';
import { QUERY_BODY, requireShort } from './protocol-request.js';
import { recordedQuery } from './recorded-query.js';
import { SAVED_QUERIES_PATH } from './saved-query-routes.js';
import { SchemaCounter, type SchemaParts } from './schema-counter.js';
import { SPARQL_PATH, whenGone, WORKBENCH_PATH } from './sparql-routes.js';

/** What the workbench is answered with. */
export interface WorkbenchParts extends SchemaParts {
  readonly site: Site;
  readonly analyses: ReadonlyMap<string, Analysis>;
  /** The path of its program. */
  readonly script: string;
}

/** Rows, and characters of a graph, that the page shows to browsers without scripts. */
const SHOWN_ROWS = 1000;
const SHOWN_TEXT = 100_000;

/** What the page holds when it is opened or answers. */
interface Held {
  readonly query: string;
  readonly purpose: string;
  /** The values of its parameters that were filled in, by their names. */
  readonly given?: readonly (readonly [name: string, value: string])[];
  /** Whether it is to be explained, in the place of its answer. */
  readonly explain?: boolean;
  readonly answer?: ShownAnswer;
  readonly refusal?: string;
  readonly status?: number;
}

/**
 * `/workbench`: the page on which an analyst writes queries, at the de-identified level. Its program asks `/sparql`; a
 * browser without scripts posts the form of the page. What the data is like is counted beside it.
 */
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

/** A page for analysts who are signed in: others are led to the sign-in, or told that it is not for them. */
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

/** The page with a query to begin with: the one in the address, or that of an analysis with its parameters. */
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

/** The page with the answer to the query of its form, for browsers without scripts. */
async function posted(parts: WorkbenchParts, request: PageRequest, analyst: Analyst): Promise<PlainAnswer> {
  const fields = readPageForm(request);
  const [query = '', said = ''] = ['query', 'purpose'].map((name) => fields.get(name));
  // Before anything reads it: that happens in the process that serves records.
  requireShort(query);
  const given = readHead(query).parameters.flatMap(({ name }): [string, string][] => {
    const value = fields.get(PARAMETER + name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  const asked = { query, purpose: said.slice(0, 500), given, explain: fields.has('explain') };
  try {
    return drawn(parts, request, { ...asked, answer: await answered(parts, request, analyst, asked) });
  } catch (error) {
    // What is wrong with a query is told beside it.
    if (!(error instanceof Problem)) throw error;
    return drawn(parts, request, { ...asked, refusal: error.message, status: error.status });
  }
}

async function answered(
  parts: WorkbenchParts,
  request: RequestContext,
  analyst: Analyst,
  { query, purpose: said, given = [], explain }: Held,
): Promise<ShownAnswer> {
  const sparql = withValues(query, given);
  const purpose = said.trim() || 'in the browser';
  const formats = { rows: 'tsv', graph: 'turtle' } as const;
  const asked = { sparql, formats, purpose, explain };
  const { head, body } = await recordedQuery(parts, request, analyst, asked, whenGone(request));
  const of = { rows: head.rows, revision: head.revision, isCut: head.isCut };
  const notes = head.warnings.map(({ line, message }) => `Line ${line}: ${message}`);
  if (explain === true)
    return { ...of, notes, kind: 'explanation', ...((await json(body)) as QueryExplanation) };
  if (head.mediaType.startsWith('text/tab-separated-values')) {
    const { columns, rows } = await firstRows(body, SHOWN_ROWS);
    // SPARQL 1.1 TSV §4: columns are named with their question mark; the answer to an ASK has none.
    const isTable = columns.every((name) => name.startsWith('?'));
    return isTable
      ? { ...of, notes, kind: 'table', columns: columns.map((name) => name.slice(1)), shown: rows }
      : { ...of, notes, kind: 'text', text: columns[0] === 'true' ? 'Yes' : 'No' };
  }
  return { ...of, notes, kind: 'text', text: (await text(body)).slice(0, SHOWN_TEXT) };
}

/** A query with values in the places of its parameters. @throws Problem invalid-parameter */
function withValues(query: string, given: NonNullable<Held['given']>): string {
  const { parameters } = readHead(query);
  if (parameters.length === 0) return query;
  return refusingValues(() => withTerms(query, boundTerms({ name: 'The query', parameters }, given)));
}

function drawn(
  { site: { basePath }, script }: WorkbenchParts,
  { visitor: { page, user } }: PageRequest,
  { status = 200, given = [], ...held }: Held,
): PlainAnswer {
  const values = new Map(given);
  const parameters = readHead(held.query).parameters.map(({ name, comment, choices, standard = '' }) => ({
    ...{ name, comment, choices },
    value: values.get(name) ?? standard,
  }));
  // For the styles that the editor makes while it runs.
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

/** Instances of each class; with `class`, what those of one class have. */
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
  return {
    kind: 'plain',
    mediaType: 'application/json',
    headers: { Vary: 'Authorization, Cookie' },
    body: JSON.stringify(value),
  };
}
