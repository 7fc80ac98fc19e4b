import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fewLines, type Rule } from '../check/rule.js';
import { answerKeyOf, factsOf } from '../ontology/answer-forms.js';
import { layerReplaces } from '../check/layer-rules.js';
import type { Folders } from '../ontology/directory.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { acrossQueries, acrossRules } from './check/across-queries.js';
import { checkQuery } from './check/check-query.js';
import { QueryFileError } from './query-file-error.js';
import type { ReadPlan } from './read-plan.js';
import { QueryTemplate } from './template.js';
import { termsOf } from './tokenizer.js';

const queryFolder: Rule = {
  id: 'query-folder',
  severity: 'error',
  summary: 'The folder of queries can be read.',
  hint: 'Name the folder with --queries.',
};

const queryMissing: Rule = {
  id: 'query-missing',
  severity: 'error',
  summary: 'Every GET that no service answers has a query.',
  hint: 'Add a file with the client method name of the call and the extension .rq to the folder of queries.',
};

const queryStray: Rule = {
  id: 'query-stray',
  severity: 'error',
  summary: 'Every query file has the client method name of a call.',
  hint: 'Rename the file, or declare the call.',
};

export const queryFolderRules: readonly Rule[] = [queryFolder, queryMissing, queryStray, ...acrossRules];

/** All problems of a folder of queries; the message lists the first few. */
export class QueriesError extends Error {
  constructor(readonly problems: readonly QueryFileError[]) {
    super(fewLines(problems.map(({ message }) => message)));
    this.name = 'QueriesError';
  }
}

export interface ReadingOfQueries {
  // SPARQL 1.1 §15.1: unbound sorts first, hence last in descending order.
  readonly plans?: Readonly<Record<string, ReadPlan>>;
}

/** Reads and checks folders of queries. @throws QueriesError when one cannot be used */
export async function loadQueries(
  folders: Folders,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<Map<string, QueryTemplate>> {
  const { queries, problems } = await readQueries(folders, ontology, options);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new QueriesError(errors);
  return queries;
}

/**
 * Reads `<call name>.rq` of folders, the lowest layer first; every GET must have one.
 * @returns the queries by call name, all problems, and the terms that queries use
 */
export async function readQueries(folders: Folders, ontology: Ontology, { plans }: ReadingOfQueries = {}) {
  const queries = new Map<string, QueryTemplate>();
  const terms = new Set<string>();
  const problems: QueryFileError[] = [];
  const tell = (rule: Rule, file: string, reason: string, call?: string): unknown =>
    problems.push(new QueryFileError(rule, file, undefined, reason, call));
  const files = new Map<string, string>();
  for (const directory of [folders].flat()) {
    const entries = await readdir(directory).catch(() => undefined);
    if (!entries) {
      tell(queryFolder, directory, 'the folder cannot be read');
      return { queries, problems, terms };
    }
    for (const name of entries.filter((each) => each.endsWith('.rq'))) {
      const before = files.get(name);
      const call = ontology.callByName.get(name.slice(0, -'.rq'.length));
      const isReplaced = ontology.layers.some(({ overrides }) => call && overrides.has(call.iri));
      if (before !== undefined && !isReplaced)
        tell(layerReplaces, join(directory, name), `takes the place of ${before}, which no layer declares`);
      files.set(name, join(directory, name));
    }
  }
  for (const [name, file] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const call = ontology.callByName.get(name.slice(0, -'.rq'.length));
    if (!call) {
      tell(queryStray, file, 'no call of the ontology has this client method name');
      continue;
    }
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) {
      tell(queryFolder, file, 'the file cannot be read');
      continue;
    }
    if (plans) {
      queries.set(call.name, new QueryTemplate(call.name, file, text, plans[call.name]));
      continue;
    }
    for (const { iri } of termsOf(text)) terms.add(iri);
    const checked = checkQuery(file, text, call, ontology);
    problems.push(...checked.problems);
    if (checked.template) queries.set(call.name, checked.template);
  }
  const missing = ontology.calls.filter((call) => needsQuery(call) && !files.has(`${call.name}.rq`));
  for (const { name, iri } of missing)
    tell(queryMissing, join([folders].flat().at(-1) ?? '', `${name}.rq`), 'the query is missing', iri);
  // A query that is refused says nothing of the others.
  if (!plans && problems.every(({ severity }) => severity !== 'error'))
    problems.push(...acrossQueries(ontology, queries));
  return { queries, problems, terms };
}

function needsQuery(call: CallModel): boolean {
  return call.method === 'GET' && (answerKeyOf(call) === undefined || factsOf(call).service === undefined);
}
