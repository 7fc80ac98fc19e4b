import { existsSync } from 'node:fs';
import { openDataDirectory, type DataDirectory } from '../disk/data-directory.js';
import { openPrimaryStore, type PrimaryStore } from '../store/primary-store.js';
import { servedBase } from '../disk/served-base.js';
import { commandMadeDirectory, runningCommand } from './command-entries.js';
import type { Ontology } from '../ontology/model.js';
import { listForSearches } from '../records/search-rows.js';
import { CommandError } from './command-errors.js';
import { baseUrlOf, type Settings } from './settings.js';

/** An open data directory with its primary store; commands need no working set to list, load or remove. */
export interface OpenData {
  directory: DataDirectory;
  primary: PrimaryStore;
  /** The base URL under which IRIs are read and written: the one that is set, else that of the last server. */
  base: string;
}

/** Throws CommandError where there is no data directory to work on; the copy of a shared store is made where it is missing. */
export function requireData(settings: Settings): void {
  if (settings.store !== undefined || existsSync(settings.data)) return;
  throw new CommandError(`No data directory at ${settings.data}: start the container once or load a file.`);
}

/**
 * Opens the data directory, runs `work` and closes it whatever happens. A server may run on the same one.
 * Throws CommandError where there is none, unless `create` says to make it.
 */
export async function withData<T>(
  settings: Settings,
  work: (open: OpenData) => Promise<T> | T,
  { create = false }: { create?: boolean } = {},
): Promise<T> {
  if (!create) requireData(settings);
  const directory = await openDataDirectory(settings.data, {
    create,
    store: settings.store,
    seal: settings.seal,
  });
  try {
    await commandMadeDirectory();
    const base = settings.baseUrl ?? directory.read(servedBase) ?? baseUrlOf(settings);
    return await work({
      directory,
      base,
      primary: openPrimaryStore(directory, base, { command: runningCommand() }),
    });
  } finally {
    await directory.close();
  }
}

/** The base URL of IRIs in a data directory: the one that is set, else that of the last server, else the local port. */
export function baseOf(settings: Settings): Promise<string> {
  return withData(settings, ({ base }) => base);
}

/** Has what is written into a directory that holds nothing yet listed for searches at once, and not at the first start. */
export async function listFromTheStart(
  { directory, primary, base }: OpenData,
  ontology: Ontology,
): Promise<void> {
  if (primary.revision('') === 0) await listForSearches(directory, base, ontology);
}
