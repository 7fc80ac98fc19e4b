import { existsSync } from 'node:fs';
import { openDataDirectory, type DataDirectory } from '../store/disk/data-directory.js';
import { openPrimaryStore, type PrimaryStore } from '../store/primary-store.js';
import { servedBase } from '../store/disk/served-base.js';
import { commandMadeDirectory, runningCommand } from './command-entries.js';
import type { Ontology } from '../model/ontology/model.js';
import { listForSearches } from '../records/search-rows.js';
import { CommandError } from './command-errors.js';
import { baseUrlOf, type Settings } from './read-settings.js';
import { keyOf, openAccounts, type Accounts } from '../access/accounts/accounts.js';
import type { SecretKey } from '../access/accounts/secret-key.js';
import type { Quad } from '../rdf/terms.js';

export interface OpenData {
  directory: DataDirectory;
  primary: PrimaryStore;
  /** The base URL of IRIs: the configured one, else that of the last server. */
  base: string;
}

export interface OpenAccounts extends OpenData {
  accounts: Accounts;
  key: SecretKey;
}

/** Makes sure that there is a data directory; a missing copy of a shared store is made later. @throws CommandError */
export function requireData(settings: Settings): void {
  if (settings.store !== undefined || existsSync(settings.data)) return;
  throw new CommandError(`No data directory at ${settings.data}: start the container once or load a file.`);
}

/** Opens the data directory, also beside a server, and closes it after `work`. @throws CommandError without one */
export async function withData<T>(
  settings: Settings & { create?: boolean },
  work: (open: OpenData) => Promise<T> | T,
): Promise<T> {
  const { data, store, seal, create = false } = settings;
  if (!create) requireData(settings);
  const directory = await openDataDirectory(data, { create, store, seal });
  try {
    await commandMadeDirectory();
    const base = settings.baseUrl ?? directory.read(servedBase) ?? baseUrlOf(settings);
    const primary = openPrimaryStore(directory, base, { command: runningCommand() });
    return await work({ directory, base, primary });
  } finally {
    await directory.close();
  }
}

export function withAccounts<T>(
  settings: Settings & { create?: boolean },
  work: (open: OpenAccounts) => Promise<T> | T,
): Promise<T> {
  return withData(settings, (open) => {
    const key = keyOf(open.directory);
    return work({ ...open, key, accounts: openAccounts(open.directory, key) });
  });
}

/** Returns the base URL of IRIs: the configured one, else that of the last server, else the local port. */
export function baseOf(settings: Settings): Promise<string> {
  return withData(settings, ({ base }) => base);
}

/** Builds the search index of an empty directory as data is written, not at the first start. */
export async function listFromTheStart(
  { directory, primary, base }: OpenData,
  ontology: Ontology,
): Promise<void> {
  if (primary.revision('') === 0) await listForSearches(directory, base, ontology);
}

/** Returns the first value of a property in a graph; '' if there is none. */
export function textOf(quads: readonly Quad[] | undefined, property: string): string {
  return quads?.find(({ predicate }) => predicate.value === property)?.object.value ?? '';
}
