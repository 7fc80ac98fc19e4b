import { basename } from 'node:path';
import type { Folders, LoadedOntology } from '../../model/ontology/directory.js';
import { readQueries } from '../../model/query/load-queries.js';
import type { ContainerDescription } from '../../records/container-manifest.js';
import { packageVersion } from '../package.js';
import type { ServedModel } from '../../authoring/trial/trial-answers.js';
import { CommandError } from '../command-errors.js';
import { existsSync } from 'node:fs';
import type { Ontology } from '../../model/ontology/model.js';
import { directorySource, seedSource, type DataSource } from '../../authoring/trial/data-source.js';
import { withData } from '../open-data.js';
import { baseUrlOf, type Settings } from '../read-settings.js';

/** Adds the queries of folders and their faults to an ontology. @throws CommandError if they cannot be read */
export async function withQueries(
  { ontology, quads }: LoadedOntology,
  folders: Folders,
): Promise<ServedModel> {
  const { queries, problems } = await readQueries(folders, ontology);
  const faults = new Map<string, string>();
  for (const { rule, severity, file, message } of problems) {
    if (rule === 'query-folder') throw new CommandError(`${message}.`);
    const call = basename(file, '.rq');
    if (severity === 'error' && !faults.has(call)) faults.set(call, message);
  }
  return { ontology, quads, queries, faults };
}

export const describedBy = ({ name, description, admin }: Settings): ContainerDescription => ({
  name,
  description,
  admin,
  version: packageVersion(),
});

export interface NamedSource {
  readonly name: string;
  readonly source: DataSource;
}

/** Works on the data directory if it exists, else on the seed. @throws CommandError if there is neither */
export async function withDataOrSeed<T>(
  settings: Settings,
  ontology: Ontology,
  work: (data: NamedSource) => Promise<T>,
): Promise<T> {
  const { data, seed: dir } = settings;
  if (existsSync(data))
    return withData(settings, ({ directory, base }) =>
      work({ name: `the data directory ${data}`, source: directorySource(directory, base) }),
    );
  if (dir === false || !existsSync(dir))
    throw new CommandError(`There is neither a data directory at ${data} nor a seed.`);
  const source = await seedSource({ dir, ontology, base: baseUrlOf(settings) });
  return work({ name: `the seed ${dir}`, source });
}
