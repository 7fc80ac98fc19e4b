import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../problem.js';
import { DataDirectoryError } from '../data-directory-error.js';
import { openDataDirectory, type DataDirectory } from '../data-directory.js';
import { openDocumentStore, type DocumentStore } from '../document-files.js';
import { openEnvironment } from '../environment.js';
import { hasSecretKey, KEY_FILE, KEY_VARIABLE } from '../key-file.js';
import { inspectDirectory } from '../marker.js';
import type { Key } from '../transaction.js';
import { digestOf, sharedTables } from './entry-keys.js';
import { openPostgresStore } from './postgres-store.js';
import type { SharedStore, StoredEntry } from './shared-store.js';

/** Called now and then with how many entries and documents were copied. */
export type CopyProgress = (done: number) => void;

/** What was copied, and compared with its source afterwards. */
export interface Migrated {
  readonly entries: number;
  readonly documents: number;
}

/** How many entries are copied between two words about it. */
const TOLD_EVERY = 1000;

/**
 * Copies everything of a data directory into an empty shared store, in one transaction: until it ends nobody sees
 * anything of it, and what interrupts it leaves the store empty. The digest of each entry is compared before that.
 * Nobody may serve the directory meanwhile.
 * @throws DataDirectoryError when the store is not empty, something was not copied as it is, or a command wrote meanwhile
 */
export async function migrateToStore(dir: string, url: string, progress: CopyProgress): Promise<Migrated> {
  const directory = await openDataDirectory(dir);
  const store = await openPostgresStore(url);
  try {
    const before = directory.lastCommit;
    const documents = await sendDocuments(directory, store, progress);
    const source = await openEnvironment(join(resolve(dir), 'store'));
    try {
      const entries = await store.fill(
        unchanged(counted(storedEntries(source), progress), directory, before),
      );
      return { entries, documents };
    } finally {
      await source.close();
    }
  } finally {
    await store.close();
    await directory.close();
  }
}

/**
 * Copies everything of a shared store into a new data directory, which is then a container of its own. The digest of
 * each entry is compared with the store's. The secret key of the store has to be there: in the directory as
 * `secret.key`, or in the environment.
 * @throws DataDirectoryError when the directory holds a container or the store none, no key is there, or something was not copied as it is
 */
export async function migrateFromStore(url: string, dir: string, progress: CopyProgress): Promise<Migrated> {
  const state = await inspectDirectory(dir);
  if (state === 'ready')
    throw new DataDirectoryError(
      `${dir} holds a container already: name a directory that does not exist, or is empty.`,
    );
  const store = await openPostgresStore(url);
  try {
    // Before anything is made: half a directory would have to be removed again.
    if ((await store.head()).sequence === 0)
      throw new DataDirectoryError('The database holds no container: name the one that gateways serve.');
    if (!(await hasSecretKey(dir, process.env)))
      throw new DataDirectoryError(
        `The store is sealed with its secret key: put that at ${join(dir, KEY_FILE)} first, or set ${KEY_VARIABLE}.`,
      );
    const documents = await copyToDirectory(url, dir, progress);
    const copy = await openEnvironment(join(resolve(dir), 'store'));
    try {
      const digests = await store.digests();
      const entries = compare(counted(storedEntries(copy), progress), digests);
      await copy.gate.writing(() => {
        copy.root.transactionSync(() => copy.tables.copy.clearSync());
      });
      return { entries, documents };
    } finally {
      await copy.close();
    }
  } finally {
    await store.close();
  }
}

/** @returns how many documents there are */
async function copyToDirectory(url: string, dir: string, progress: CopyProgress): Promise<number> {
  const directory = await openDataDirectory(dir, { create: true, store: url });
  try {
    return await fetchDocuments(directory, progress);
  } finally {
    await directory.close();
  }
}

type Source = Awaited<ReturnType<typeof openEnvironment>>;

function* storedEntries({ root, tables }: Source): Generator<StoredEntry> {
  root.resetReadTxn();
  for (const table of sharedTables) {
    for (const key of tables[table].getKeys()) {
      const value = tables[table].getBinary(key);
      if (value) yield { table, key: key as Key, value };
    }
  }
}

/**
 * Entries of one state: what is written while they are read would be in the copy in part, and what a command goes on to
 * write not at all.
 * @param before the number of the last commit before anything was read
 * @throws DataDirectoryError behind the last one, when something was written since
 */
function* unchanged(
  entries: Iterable<StoredEntry>,
  directory: DataDirectory,
  before: number,
): Generator<StoredEntry> {
  yield* entries;
  if (directory.lastCommit !== before)
    throw new DataDirectoryError(
      `Another command wrote to ${directory.dir} while it was copied, so nothing is in use yet: wait until it has ended, and try again.`,
    );
}

function* counted(entries: Iterable<StoredEntry>, progress: CopyProgress): Generator<StoredEntry> {
  let done = 0;
  for (const entry of entries) {
    yield entry;
    if (++done % TOLD_EVERY === 0) progress(done);
  }
  progress(done);
}

/**
 * Whether entries are exactly those that digests, by name, say.
 * @returns how many they are
 * @throws DataDirectoryError when one is missing, another one, or too many
 */
function compare(entries: Iterable<StoredEntry>, digests: ReadonlyMap<string, string>): number {
  let count = 0;
  for (const entry of entries) {
    const [name, digest] = digestOf(entry);
    if (digests.get(name) !== digest)
      throw new DataDirectoryError(
        `An entry of ${entry.table} was not copied as it is; nothing is in use yet, try again.`,
      );
    count++;
  }
  if (count === digests.size) return count;
  throw new DataDirectoryError(
    `The copy has ${count} entries where the source has ${digests.size}: somebody writes meanwhile; stop the servers and try again.`,
  );
}

async function sendDocuments(
  directory: DataDirectory,
  store: SharedStore,
  progress: CopyProgress,
): Promise<number> {
  const files = openDocumentStore(directory);
  let done = 0;
  for (const { sha256 } of await files.list()) {
    await refuseDamaged(files, sha256);
    await store.putDocument(sha256, createReadStream(files.path(sha256)));
    progress(++done);
  }
  return done;
}

async function fetchDocuments(directory: DataDirectory, progress: CopyProgress): Promise<number> {
  const files = openDocumentStore(directory);
  let done = 0;
  for (const sha256 of (await directory.shared?.documentsBefore(Number.MAX_SAFE_INTEGER)) ?? []) {
    await refuseDamaged(files, sha256);
    progress(++done);
  }
  return done;
}

/** Compares a document with its hash, after it was taken over where it was not here yet. */
async function refuseDamaged(files: DocumentStore, sha256: string): Promise<void> {
  try {
    await (await files.open({ sha256 })).close();
  } catch (cause) {
    if (!(cause instanceof Problem && cause.kind === 'damaged-document')) throw cause;
    throw new DataDirectoryError(
      `The document ${sha256} of the source is damaged, so nothing is in use yet: put it in once more there, or remove it, and try again.`,
      { cause },
    );
  }
}
