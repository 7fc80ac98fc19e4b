import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallModel, Ontology } from '../ontology/model.js';
import { checkQuery } from './check-query.js';
import { QueryFileError } from './query-file-error.js';
import type { QueryTemplate } from './template.js';

/** All that is wrong with a folder of queries; one line of the message for each. */
export class QueriesError extends Error {
  readonly problems: readonly QueryFileError[];

  constructor(problems: readonly QueryFileError[]) {
    super(problems.map(({ message }) => message).join('\n'));
    this.name = 'QueriesError';
    this.problems = problems;
  }
}

/** The queries of a folder by client method name, and all that is wrong with them. */
export interface ReadQueries {
  queries: Map<string, QueryTemplate>;
  problems: QueryFileError[];
}

/** Reads and checks a folder of queries; throws QueriesError when anything is wrong with one of them. */
export async function loadQueries(
  directory: string,
  ontology: Ontology,
): Promise<Map<string, QueryTemplate>> {
  const { queries, problems } = await readQueries(directory, ontology);
  if (problems.length > 0) throw new QueriesError(problems);
  return queries;
}

/** Reads `<client method name>.rq` of a folder; every GET must have one. */
export async function readQueries(directory: string, ontology: Ontology): Promise<ReadQueries> {
  const queries = new Map<string, QueryTemplate>();
  const entries = await readdir(directory).catch(() => undefined);
  if (!entries)
    return { queries, problems: [new QueryFileError(directory, undefined, 'the folder cannot be read')] };
  const names = entries.filter((name) => name.endsWith('.rq')).sort();
  const problems: QueryFileError[] = [];
  for (const name of names) {
    const file = join(directory, name);
    const call = ontology.callByName.get(name.slice(0, -'.rq'.length));
    if (!call) {
      problems.push(
        new QueryFileError(file, undefined, 'no call of the ontology has this client method name'),
      );
      continue;
    }
    const checked = checkQuery(file, await readFile(file, 'utf8'), call, ontology);
    problems.push(...checked.problems);
    if (checked.template) queries.set(call.name, checked.template);
  }
  const missing = ontology.calls.filter((call) => needsQuery(call) && !names.includes(`${call.name}.rq`));
  problems.push(
    ...missing.map(
      ({ name }) => new QueryFileError(join(directory, `${name}.rq`), undefined, 'the query is missing'),
    ),
  );
  return { queries, problems };
}

function needsQuery({ method }: CallModel): boolean {
  return method === 'GET';
}
