import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fewLines } from '../ontology/check/few-lines.js';
import { answerKeyOf, factsOf } from '../ontology/answer-forms.js';
import type { Rule } from '../ontology/check/rule.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { checkQuery } from './check/check-query.js';
import { QueryFileError } from './query-file-error.js';
import { QueryTemplate } from './template.js';
import { termsOf } from './check/terms-of.js';

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

/** Rules about the folder of queries as a whole. */
export const queryFolderRules: readonly Rule[] = [queryFolder, queryMissing, queryStray];

/** All that is wrong with a folder of queries; the message has a line for each of the first few. */
export class QueriesError extends Error {
  readonly problems: readonly QueryFileError[];

  constructor(problems: readonly QueryFileError[]) {
    super(fewLines(problems.map(({ message }) => message)));
    this.name = 'QueriesError';
    this.problems = problems;
  }
}

/** The queries of a folder by client method name, and all that is wrong with them. */
export interface ReadQueries {
  queries: Map<string, QueryTemplate>;
  problems: QueryFileError[];
  /** Every IRI that a file of the folder names, also one with problems. */
  terms: Set<string>;
}

/** How a folder of queries is read. */
export interface ReadingOfQueries {
  /** Whether these very texts passed every rule before, with this ontology: then they are only read. */
  readonly wereChecked?: boolean;
}

/** Reads and checks a folder of queries; throws QueriesError when one of them cannot be used. */
export async function loadQueries(
  directory: string,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<Map<string, QueryTemplate>> {
  const { queries, problems } = await readQueries(directory, ontology, options);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new QueriesError(errors);
  return queries;
}

/** Reads `<client method name>.rq` of a folder; every GET must have one. */
export async function readQueries(
  directory: string,
  ontology: Ontology,
  { wereChecked = false }: ReadingOfQueries = {},
): Promise<ReadQueries> {
  const queries = new Map<string, QueryTemplate>();
  const terms = new Set<string>();
  const entries = await readdir(directory).catch(() => undefined);
  if (!entries) {
    const unreadable = new QueryFileError(queryFolder, directory, undefined, 'the folder cannot be read');
    return { queries, problems: [unreadable], terms };
  }
  const names = entries.filter((name) => name.endsWith('.rq')).sort();
  const problems: QueryFileError[] = [];
  for (const name of names) {
    const file = join(directory, name);
    const call = ontology.callByName.get(name.slice(0, -'.rq'.length));
    if (!call) {
      problems.push(
        new QueryFileError(
          queryStray,
          file,
          undefined,
          'no call of the ontology has this client method name',
        ),
      );
      continue;
    }
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) {
      problems.push(new QueryFileError(queryFolder, file, undefined, 'the file cannot be read'));
      continue;
    }
    if (wereChecked) {
      queries.set(call.name, new QueryTemplate(call.name, file, text));
      continue;
    }
    for (const { iri } of termsOf(text)) terms.add(iri);
    const checked = checkQuery(file, text, call, ontology);
    problems.push(...checked.problems);
    if (checked.template) queries.set(call.name, checked.template);
  }
  const missing = ontology.calls.filter((call) => needsQuery(call) && !names.includes(`${call.name}.rq`));
  problems.push(
    ...missing.map(
      ({ name, iri }) =>
        new QueryFileError(
          queryMissing,
          join(directory, `${name}.rq`),
          undefined,
          'the query is missing',
          iri,
        ),
    ),
  );
  return { queries, problems, terms };
}

function needsQuery(call: CallModel): boolean {
  return call.method === 'GET' && (answerKeyOf(call) === undefined || factsOf(call).service === undefined);
}
