import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIsoDate } from '../../rdf/iso-date.js';
import type { Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import type { Rule } from '../check/rule.js';
import { pathsOf } from '../ontology/call-facts.js';
import type { Folders } from '../ontology/directory.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { adding, guardFaults, type Policy } from './check/guards.js';
import { broken } from './check/query-rule.js';
import { reachRules } from './check/reach-rules.js';
import { textRules } from './check/text-rules.js';
import { QueriesError, type ReadingOfQueries } from './load-queries.js';
import { instants } from './partial-date.js';
import { QueryFileError } from './query-file-error.js';
import { treeOrFault, type QueryTree } from './syntax.js';
import { QueryTemplate } from './template.js';
import { lineAt, termsOf, tokenize } from './tokenizer.js';

const accessQuery: Rule = {
  id: 'access-query',
  severity: 'error',
  summary:
    'An access query finds ?practitioner, ?from and ?until of a $record in graphs of declared classes, the same at all times.',
  hint: 'Write SELECT ?practitioner ?from ?until WHERE { GRAPH ?g { ?g sp:belongsTo $record ; a … } }, without NOW or RAND.',
};

const accessDays: Rule = {
  id: 'access-days',
  severity: 'error',
  summary: 'An access query states for how many days after ?until the record stays open.',
  hint: 'Write a line such as "# days: 90" above the query; 0 is possible.',
};

export const accessRules: readonly Rule[] = [accessQuery, accessDays];

/** Finds in a record who cares for the patient, and from when to when. */
export interface AccessQuery {
  readonly template: QueryTemplate;
  readonly days: number;
  /** The paths of all statements that it reads. */
  readonly paths: readonly PathTemplate[];
}

const COLUMNS = ['practitioner', 'from', 'until'];
const ACCESS = 'access';
const DAY = 24 * 60 * 60 * 1000;
const changing = /^(?:NOW|RAND|UUID|STRUUID)$/i;

/** Reads and checks `access/*.rq` of folders of queries; those of later folders replace others of their name. */
export async function readAccessQueries(
  folders: Folders,
  ontology: Ontology,
  { plans }: ReadingOfQueries = {},
): Promise<{ queries: ReadonlyMap<string, AccessQuery>; problems: readonly QueryFileError[] }> {
  const files = new Map<string, string>();
  for (const folder of [folders].flat().map((each) => join(each, ACCESS)))
    for (const name of (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.rq')))
      files.set(name, join(folder, name));
  const queries = new Map<string, AccessQuery>();
  const problems: QueryFileError[] = [];
  for (const [entry, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = entry.slice(0, -'.rq'.length);
    const text = await readFile(file, 'utf8');
    const found = plans ? [] : faultsOf(file, name, text, ontology);
    problems.push(...found);
    const classes = termsOf(text).flatMap(({ iri }) => pathsInRecord(ontology, iri));
    const paths = [...new Set(classes)].map((path) => PathTemplate.of(path));
    if (found.length === 0)
      queries.set(name, { template: new QueryTemplate(name, file, text), days: daysIn(text) ?? 0, paths });
  }
  return { queries, problems };
}

/** @throws QueriesError when one cannot be used */
export async function loadAccessQueries(
  folders: Folders,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<ReadonlyMap<string, AccessQuery>> {
  const { queries, problems } = await readAccessQueries(folders, ontology, options);
  if (problems.length > 0) throw new QueriesError(problems);
  return queries;
}

/** Reads a row: whose relation, and its time in milliseconds since 1970; undefined where a date names no day. */
export function relationIn(row: Readonly<Record<string, Term>>, days: number) {
  const { practitioner, from, until } = row;
  const [first, last] = [dayOf(from), dayOf(until)];
  if (!practitioner || !first || !last) return undefined;
  return {
    practitioner: practitioner.value,
    from: Date.parse(first.low),
    until: Date.parse(last.high) + days * DAY,
  };
}

const dayOf = (date: Term | undefined) =>
  date && readIsoDate(date.value)?.day !== undefined ? instants(date.value) : undefined;

function daysIn(text: string): number | undefined {
  const [head = ''] = text.split(/^(?!#|\s*$)/mu);
  const days = /^# days: (\d{1,5})$/mu.exec(head)?.[1];
  return days === undefined ? undefined : Number(days);
}

const RECORD = '/records/{record_id}/';

const pathsInRecord = (ontology: Ontology, iri: string): string[] =>
  ontology.classes.has(iri) ? pathsOf(ontology, iri).filter((path) => path.startsWith(RECORD)) : [];

function faultsOf(file: string, name: string, sparql: string, ontology: Ontology): QueryFileError[] {
  const tree = treeOrFault(sparql, 'select');
  if ('reason' in tree) return [new QueryFileError(accessQuery, file, tree.line, tree.reason)];
  const template = new QueryTemplate(name, file, sparql);
  const text = { file, sparql, tree, ontology, template, call: aboutRecord(name) };
  const found = [
    ...formFaults(sparql, tree, template).map(
      ({ at, says }) =>
        new QueryFileError(accessQuery, file, at === undefined ? undefined : lineAt(sparql, at), says),
    ),
    ...(daysIn(sparql) === undefined
      ? [new QueryFileError(accessDays, file, undefined, 'no line "# days: …" stands above the query')]
      : []),
    ...broken(textRules, text),
  ];
  const [guarded, deciding] = reachRules;
  const stages = [guarded, deciding].map((rules) => () => broken(rules, text));
  for (const stage of [...stages, () => classFaults(file, tree, ontology)])
    if (found.length === 0) found.push(...stage());
  return found;
}

function formFaults(sparql: string, tree: QueryTree<'select'>, { parameters }: QueryTemplate) {
  const tokens = tokenize(sparql);
  const columns = tree.variables.flatMap((each) =>
    'variable' in each ? each.variable.value : 'value' in each ? each.value : [],
  );
  return [
    ...(COLUMNS.every((each) => columns.includes(each)) && columns.length === COLUMNS.length
      ? []
      : [{ at: undefined, says: `its columns are not ${COLUMNS.map((each) => `?${each}`).join(', ')}` }]),
    ...parameters
      .filter((each) => each !== 'record')
      .map((each) => ({
        at: tokens.find(({ kind, value }) => kind === 'parameter' && value === each)?.at,
        says: `there is no parameter $${each}, only $record`,
      })),
    ...tokens
      .filter(({ kind, text }) => kind === 'word' && changing.test(text))
      .map(({ at, text }) => ({ at, says: `${text} says something else each time` })),
  ];
}

/** What is derived from a graph of no class would not be looked at again when that graph changes. */
function classFaults(file: string, tree: QueryTree, ontology: Ontology): QueryFileError[] {
  const policy: Policy = {
    own: [],
    owners: [],
    learn: ({ graph, predicate, object }, known) =>
      predicate.kind === 'iri' &&
      predicate.iri === rdf.type &&
      object.kind === 'iri' &&
      pathsInRecord(ontology, object.iri).length > 0
        ? { ...known, own: adding(known.own, graph) }
        : known,
  };
  const graphs = new Set(guardFaults(tree, policy).map(({ graph }) => graph));
  return [...graphs].map(
    (graph) =>
      new QueryFileError(
        accessQuery,
        file,
        undefined,
        `a graph ?${graph} may be read of which no class is said`,
      ),
  );
}

/** What the rules for queries of calls ask of a call. */
const aboutRecord = (name: string): CallModel => ({
  ...{ iri: '', name, path: RECORD, pathParameters: ['record_id'], scope: 'record', target: sp.Statement },
  ...{ method: 'GET', cardinality: 'multiple', answer: 'rdf', label: '', comment: '' },
  ...{ sortProperties: [], sortNames: [], parameters: [], filters: [] },
});
