import { existsSync } from 'node:fs';
import type { Ontology } from '../../ontology/model.js';
import { directorySource, seedSource, type DataSource } from '../../records/trial/data-source.js';
import { withData } from '../open-data.js';
import { CommandError } from '../command-errors.js';
import { baseUrlOf, type Settings } from '../settings.js';

/** Data with the words that say where it comes from. */
export interface NamedSource {
  readonly name: string;
  readonly source: DataSource;
}

/**
 * Runs work on the data directory of the settings, where there is one, else on the seed, which is read into memory.
 * @throws CommandError where there is neither
 */
export function withDataOrSeed<T>(
  settings: Settings,
  ontology: Ontology,
  work: (data: NamedSource) => Promise<T>,
): Promise<T> {
  if (!existsSync(settings.data)) return withSeed(settings, ontology, work);
  return withData(settings, ({ directory, base }) =>
    work({ name: `the data directory ${settings.data}`, source: directorySource(directory, base) }),
  );
}

async function withSeed<T>(
  settings: Settings,
  ontology: Ontology,
  work: (data: NamedSource) => Promise<T>,
): Promise<T> {
  const { seed: dir } = settings;
  if (dir === false || !existsSync(dir)) {
    throw new CommandError(`There is neither a data directory at ${settings.data} nor a seed.`);
  }
  const source = await seedSource({ dir, ontology, base: baseUrlOf(settings) });
  return work({ name: `the seed ${dir}`, source });
}
