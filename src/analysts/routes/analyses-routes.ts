import {
  AnalysisValueError,
  bindAnalysis,
  type Analysis,
  type AnalysisChart,
} from '../../model/analyses/analysis.js';
import { firstRows, type FirstRows } from '../read-tsv.js';
import { PARQUET } from '../result-formats.js';
import type { AnswerFormats } from '../thread-messages.js';
import {
  analysesPage,
  analysisPage,
  withoutNamespace,
  type AnsweredAnalysis,
} from '../workbench/analyses-page.js';
import type { PageContext } from '../../http/html/layout.js';
import { Problem } from '../../model/problem.js';
import type { Answer } from '../../http/answer.js';
import type { Site } from '../../http/app-parts.js';
import { pageAnswer } from '../../http/sign-in/page-answer.js';
import type { RequestContext, Route } from '../../http/request-context.js';
import { preferredType } from '../../http/respond/negotiate.js';
import { readQuery } from '../../http/target.js';
import { analystRoute, type Analyst } from '../../http/analyst.js';
import { aggregateAnswer, THRESHOLD } from './aggregate-answer.js';
import { type BegunAnswer, recordedQuery } from './analyst-client.js';
import { answeredTypes, answerFormats } from './sparql-routes.js';
import { ANALYSES_PATH, streamed, whenGone, WORKBENCH_PATH, type SparqlParts } from './sparql-routes.js';
import type { ChartData } from '../workbench/analysis-chart.js';

export interface AnalysesParts extends SparqlParts {
  readonly site: Pick<Site, 'name' | 'basePath'>;
  readonly analyses: ReadonlyMap<string, Analysis>;
}

const HTML = 'text/html';
const MAX_ROWS = 1000;

const formatNames: Readonly<Record<string, string>> = {
  html: HTML,
  json: 'application/sparql-results+json',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  xml: 'application/sparql-results+xml',
  parquet: PARQUET,
};

/** Makes the routes of the list of analyses, and of each one as a page or in any result format. */
export function analysesRoutes(parts: AnalysesParts): readonly Route[] {
  const own = { access: 'analyses' } as const;
  return [
    analystRoute('GET', ANALYSES_PATH, (request, analyst) => listed(parts, request, analyst), own),
    analystRoute(
      'GET',
      `${ANALYSES_PATH}/{name}`,
      (request, analyst) => answered(parts, request, analyst),
      own,
    ),
  ];
}

function splitQuery({ target }: RequestContext): { given: [string, string][]; accept: string | undefined } {
  const pairs = readQuery(target.query);
  const [format, again] = pairs.filter(([name]) => name === '_format').map(([, value]) => value);
  if (again !== undefined) throw new Problem('invalid-parameter', '_format is given twice; give it once.');
  const accept = format === undefined ? undefined : formatNames[format];
  if (format !== undefined && accept === undefined)
    throw new Problem('invalid-parameter', `_format is one of ${Object.keys(formatNames).join(', ')}.`);
  return { given: pairs.filter(([name]) => name !== '_format'), accept };
}

function wantsPage(accept: string): boolean {
  return preferredType(accept, [...answeredTypes, HTML]) === HTML;
}

function listed({ analyses, site, base }: AnalysesParts, request: RequestContext, analyst: Analyst): Answer {
  const all = [...analyses.values()].filter(({ aggregate }) => aggregate ?? !analyst.isAggregate);
  const accept = splitQuery(request).accept ?? request.context.get('Accept');
  if (wantsPage(accept)) {
    const page = analysesPage(
      all.map(({ name, title, description }) => ({
        href: `${site.basePath}${ANALYSES_PATH}/${name}`,
        title,
        description,
      })),
    );
    return pageAnswer(pageContext(site, analyst), page);
  }
  const body = all.map(({ name, title, description, parameters, columns, chart }) => ({
    name,
    title,
    description,
    url: `${base}${ANALYSES_PATH}/${name}`,
    parameters: parameters.map(({ name: parameter, type, comment, standard, choices }) => ({
      name: parameter,
      type,
      description: comment,
      default: standard ?? null,
      ...(choices.length > 0 && { choices }),
    })),
    columns,
    chart: chart ?? null,
  }));
  return {
    kind: 'plain',
    mediaType: 'application/json',
    headers: { Vary: 'Accept, Authorization, Cookie' },
    body: `${JSON.stringify({ analyses: body })}\n`,
  };
}

async function answered(parts: AnalysesParts, request: RequestContext, analyst: Analyst): Promise<Answer> {
  const analysis = parts.analyses.get(request.path['name'] ?? '');
  if (!analysis)
    throw new Problem('not-found', `There is no such analysis; ${parts.base}${ANALYSES_PATH}/ lists them.`);
  const { given, accept = request.context.get('Accept') } = splitQuery(request);
  const { aggregate } = analysis;
  const { isAggregate } = analyst;
  if (isAggregate && !aggregate)
    throw new Problem('forbidden', 'This analysis tells of single patients, so this token may not run it.');
  // Only tokens are for aggregates, and pages are for people.
  if (wantsPage(accept) && !isAggregate) return answeredPage(parts, request, analyst, { analysis, given });
  const wanted = answerFormats(accept);
  const formats: AnswerFormats = isAggregate ? { rows: 'json', graph: undefined } : wanted;
  const begun = await asked(parts, request, analyst, {
    analysis,
    given: isAggregate ? atThreshold(analysis, given) : given,
    formats,
  });
  const answer =
    isAggregate && aggregate ? await aggregateAnswer(begun, aggregate, wanted.rows ?? 'json') : begun;
  return streamed(parts, answer, analyst);
}

/** The parameter for the fewest patients of whom a row may tell. */
const LEAST = 'least';

/** A lower bound than the threshold would tell, in two answers, how large the groups are that neither shows. */
function atThreshold({ parameters }: Analysis, given: AskedAnalysis['given']): [string, string][] {
  const others = given.filter(([name, value]) => name !== LEAST || !(Number(value) < THRESHOLD));
  const isBounded = others.some(([name]) => name === LEAST) || !parameters.some(({ name }) => name === LEAST);
  return isBounded ? others : [...others, [LEAST, String(THRESHOLD)]];
}

interface AskedAnalysis {
  readonly analysis: Analysis;
  readonly given: readonly [string, string][];
}

/** @throws Problem invalid-parameter, and as any query */
function asked(
  parts: AnalysesParts,
  request: RequestContext,
  analyst: Analyst,
  { analysis, given, formats }: AskedAnalysis & { readonly formats: AnswerFormats },
): Promise<BegunAnswer> {
  const sparql = bound(analysis, given);
  const purpose = analyst.purpose ?? `analysis ${analysis.name}`;
  return recordedQuery(parts, request, analyst, { sparql, formats, purpose }, whenGone(request));
}

/** Binds an analysis to its parameters. @throws Problem invalid-parameter */
export function bound(analysis: Analysis, given: AskedAnalysis['given']): string {
  return refusingValues(() => bindAnalysis(analysis, given));
}

/** Binds values. @throws Problem invalid-parameter for a bad or missing one */
export function refusingValues(bind: () => string): string {
  try {
    return bind();
  } catch (error) {
    throw error instanceof AnalysisValueError ? new Problem('invalid-parameter', error.message) : error;
  }
}

const nothing: FirstRows = { columns: [], rows: [], hasMore: false };

async function answeredPage(
  parts: AnalysesParts,
  request: RequestContext,
  analyst: Analyst,
  { analysis, given }: AskedAnalysis,
): Promise<Answer> {
  const { title, description, parameters, columns, chart } = analysis;
  const { basePath } = parts.site;
  const here = `${basePath}${ANALYSES_PATH}/${analysis.name}`;
  const texts = new Map(given);
  const fields = parameters.map(({ name, comment, choices, standard = '' }) => ({
    name,
    comment,
    choices,
    value: texts.get(name) ?? standard,
  }));
  let revision: number | undefined;
  let refusal: string | undefined;
  let found = nothing;
  try {
    const formats: AnswerFormats = { rows: 'tsv', graph: undefined };
    const begun = await asked(parts, request, analyst, { analysis, given, formats });
    revision = begun.head.revision;
    found = await firstRows(begun.body, MAX_ROWS);
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'invalid-parameter') throw error;
    refusal = error.message;
  }
  const page: AnsweredAnalysis = {
    title,
    description,
    all: `${basePath}${ANALYSES_PATH}/`,
    here,
    level: analyst.level === 'deidentified' ? 'de-identified' : 'identified',
    revision,
    fields,
    refusal,
    ...found,
    columns,
    chart: chart && analysisChartData(title, chart, columns, found.rows),
    workbench:
      refusal === undefined && analyst.page
        ? `${basePath}${WORKBENCH_PATH}?${new URLSearchParams([['analysis', analysis.name], ...given])}`
        : undefined,
    downloads: Object.entries({ csv: 'CSV', tsv: 'TSV', json: 'JSON', parquet: 'Parquet' }).map(
      ([format, name]) => [name, `${here}?${new URLSearchParams([...given, ['_format', format]])}`],
    ),
  };
  return pageAnswer(pageContext(parts.site, analyst), analysisPage(page), {
    status: refusal === undefined ? 200 : 400,
    headers: { Vary: 'Accept, Authorization, Cookie' },
  });
}

const pageContext = ({ name, basePath }: AnalysesParts['site'], { page }: Analyst): PageContext =>
  page ?? { container: name, basePath, csrf: '' };

const MAX_POINTS = { bar: 30, line: 120 };

/** Makes the data of a chart, adding up rows of the same point. Undefined without numbers. */
function analysisChartData(
  title: string,
  { kind, across, values }: AnalysisChart,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): ChartData | undefined {
  const at = columns.indexOf(across);
  const places = new Map<string, (number | undefined)[]>();
  for (const row of rows) {
    const name = withoutNamespace(row[at] ?? '');
    const sums = places.get(name) ?? values.map(() => undefined);
    for (const [index, column] of values.entries()) {
      const number = numberOf(row[columns.indexOf(column)]);
      if (number !== undefined) sums[index] = (sums[index] ?? 0) + number;
    }
    places.set(name, sums);
  }
  const points = [...places]
    .slice(0, MAX_POINTS[kind])
    .map(([name, sums]) => ({ across: name, values: sums }));
  const isDrawn = points.some((point) => point.values.some((value) => value !== undefined));
  return isDrawn ? { title, kind, series: values, points, left: places.size - points.length } : undefined;
}

function numberOf(cell: string | undefined): number | undefined {
  const number = cell === undefined || cell === '' ? NaN : Number(cell);
  return Number.isFinite(number) ? number : undefined;
}
