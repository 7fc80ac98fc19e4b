import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ontology } from '../../ontology/model.js';
import { QueriesError, type ReadingOfQueries } from '../../query/load-queries.js';
import type { QueryFileError } from '../../query/query-file-error.js';
import type { Analysis } from './analysis.js';
import { readAnalysis } from './read-analysis.js';

/** Where analyses stand in a folder of queries. */
export const ANALYSES = 'analyses';

/** The analyses of a folder by name, in its order, and all that is wrong with them. */
export interface ReadAnalyses {
  readonly analyses: ReadonlyMap<string, Analysis>;
  readonly problems: readonly QueryFileError[];
}

/** Reads `analyses/*.rq` of a folder of queries; a folder without has none. */
export async function readAnalyses(
  queries: string,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<ReadAnalyses> {
  const folder = join(queries, ANALYSES);
  const entries = await readdir(folder).catch(() => []);
  const names = entries
    .flatMap((entry) => (entry.endsWith('.rq') ? entry.slice(0, -'.rq'.length) : []))
    .sort();
  const analyses = new Map<string, Analysis>();
  const problems: QueryFileError[] = [];
  for (const name of names) {
    const file = join(folder, `${name}.rq`);
    const read = readAnalysis(file, name, await readFile(file, 'utf8'), ontology, options);
    problems.push(...read.problems);
    if (read.analysis) analyses.set(name, read.analysis);
  }
  return { analyses, problems };
}

/** Reads and checks the analyses of a folder of queries. @throws QueriesError when one of them cannot be used */
export async function loadAnalyses(
  queries: string,
  ontology: Ontology,
  options: ReadingOfQueries = {},
): Promise<ReadonlyMap<string, Analysis>> {
  const { analyses, problems } = await readAnalyses(queries, ontology, options);
  if (problems.length > 0) throw new QueriesError(problems);
  return analyses;
}
