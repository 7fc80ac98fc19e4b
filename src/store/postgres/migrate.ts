import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../model/problem.js';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { openDataDirectory, type DataDirectory } from '../disk/data-directory.js';
import { openDocumentStore, type DocumentStore } from '../documents/document-files.js';
import { openEnvironment, type Environment } from '../disk/environment.js';
import { hasSecretKey, KEY_FILE, KEY_VARIABLE } from '../disk/key-file.js';
import { inspectDirectory } from '../disk/marker.js';
import type { Key } from '../disk/transaction.js';
import { digestOf, sharedTables } from './entry-keys.js';
import { openPostgresStore } from './postgres-store.js';
import type { SharedStore, StoredEntry } from './shared-store.js';

type CopyProgress = (done: number) => void;

interface Migrated {
  readonly entries: number;
  readonly documents: number;
}

const PROGRESS_EVERY = 1000;

/**
 * Copies a data directory into an empty shared store, in one transaction, and compares each entry's digest. No server
 * may run on the directory meanwhile.
 * @throws DataDirectoryError when the store is not empty, an entry differs, or a command wrote meanwhile
 */
export async function migrateToStore(dir: string, url: string, progress: CopyProgress): Promise<Migrated> {
  const directory = await openDataDirectory(dir);
  const store = await openPostgresStore(url);
  try {
    await directory.checkPages();
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
 * Copies a shared store into a new data directory, which becomes a container of its own, and compares each entry's
 * digest. The secret key must already be there.
 * @throws DataDirectoryError when the directory holds a container or the store does not, the key is missing, or an
 * entry differs
 */
export async function migrateFromStore(url: string, dir: string, progress: CopyProgress): Promise<Migrated> {
  const state = await inspectDirectory(dir);
  if (state === 'ready')
    throw new DataDirectoryError(
      `${dir} holds a container already: name a directory that does not exist, or is empty.`,
    );
  const store = await openPostgresStore(url);
  try {
    if ((await store.head()).sequence === 0)
      throw new DataDirectoryError('The database holds no container: name the one that gateways serve.');
    if (!hasSecretKey(dir, process.env))
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

async function copyToDirectory(url: string, dir: string, progress: CopyProgress): Promise<number> {
  const directory = await openDataDirectory(dir, { create: true, store: url });
  try {
    const files = openDocumentStore(directory);
    let done = 0;
    for (const sha256 of (await directory.shared?.documentsBefore(Number.MAX_SAFE_INTEGER)) ?? []) {
      await refuseDamaged(files, sha256);
      progress(++done);
    }
    return done;
  } finally {
    await directory.close();
  }
}

function* storedEntries({ root, tables }: Environment): Generator<StoredEntry> {
  root.resetReadTxn();
  for (const table of sharedTables) {
    for (const key of tables[table].getKeys()) {
      const value = tables[table].getBinary(key);
      if (value) yield { table, key: key as Key, value };
    }
  }
}

/**
 * Yields entries, and checks at the end that nothing was written meanwhile, since that would be copied in part.
 * @param before the last commit before the first read
 * @throws DataDirectoryError after the last entry when something was written
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
    if (++done % PROGRESS_EVERY === 0) progress(done);
  }
  progress(done);
}

/** @returns the number of entries @throws DataDirectoryError when one is missing, different or unexpected */
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
