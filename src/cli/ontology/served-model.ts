import { basename } from 'node:path';
import type { LoadedOntology } from '../../ontology/directory.js';
import { readQueries } from '../../query/load-queries.js';
import type { ServedModel } from '../../records/trial/trial-answers.js';
import { CommandError } from '../command-errors.js';

/**
 * An ontology with the queries of a folder, and for each call what is wrong with its query.
 * @throws CommandError for a folder that cannot be read
 */
export async function withQueries(
  { ontology, quads }: LoadedOntology,
  directory: string,
): Promise<ServedModel> {
  const { queries, problems } = await readQueries(directory, ontology);
  const faults = new Map<string, string>();
  for (const { rule, severity, file, message } of problems) {
    if (rule === 'query-folder') throw new CommandError(`${message}.`);
    const call = basename(file, '.rq');
    if (severity === 'error' && !faults.has(call)) faults.set(call, message);
  }
  return { ontology, quads, queries, faults };
}
