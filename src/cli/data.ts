import { existsSync } from 'node:fs';
import { openDataDirectory, type DataDirectory } from '../disk/data-directory.js';
import { openTruth, type Truth } from '../store/truth.js';
import { CommandError } from './errors.js';
import { baseUrlOf, type Settings } from './settings.js';

/** An open data directory with its truth; commands need no replica to list, load or remove. */
export interface OpenData {
  directory: DataDirectory;
  truth: Truth;
  /** The base URL under which IRIs are read and written. */
  base: string;
}

/** Throws CommandError where there is no data directory to work on. */
export function requireData(settings: Settings): void {
  if (existsSync(settings.data)) return;
  throw new CommandError(`No data directory at ${settings.data}: start the container once or load a file.`);
}

/**
 * Opens the data directory, runs `work` and closes it whatever happens. A server may run on the same one.
 * Throws CommandError where there is none, unless `create` says to make it.
 */
export async function withData<T>(
  settings: Settings,
  work: (open: OpenData) => Promise<T>,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  if (!create) requireData(settings);
  const directory = await openDataDirectory(settings.data, { create });
  try {
    const base = baseUrlOf(settings);
    return await work({ directory, base, truth: openTruth(directory, base) });
  } finally {
    await directory.close();
  }
}
