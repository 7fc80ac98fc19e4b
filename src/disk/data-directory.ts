import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { enterDirectory } from './entrance.js';
import { openEnvironment, type Environment } from './environment.js';
import {
  beginDirectory,
  checkVersion,
  finishDirectory,
  FORMAT_VERSION,
  inspectDirectory,
  syncFolder,
  type DirectoryState,
} from './marker.js';
import { checkStoreFile } from './store-file.js';
import { readTx, writeTx, type ReadTx, type WriteTx } from './transaction.js';
import { sayWhenLong } from './write-lock.js';

export type { ReadTx, WriteTx } from './transaction.js';

/** The one durable place of a container: an LMDB environment, and beside it the files of documents. */
export interface DataDirectory {
  /** Absolute path. */
  readonly dir: string;
  /** Names the history of this directory: a restore begins a new one. Read afresh at each access. */
  readonly epoch: string;
  readonly formatVersion: number;
  /** Folder for the bytes of documents. */
  readonly documentsDir: string;
  /** Runs `work` (synchronous) on one snapshot that holds everything acknowledged so far, by any process. */
  read<T>(work: (tx: ReadTx) => T): T;
  /**
   * Runs `work` (synchronous) in one write transaction and resolves when it is synced to disk. What `work` throws
   * rejects the promise, and nothing is written. Transactions that wait at the same time share one sync.
   */
  transact<T>(work: (tx: WriteTx) => T): Promise<T>;
  close(): Promise<void>;
}

/** Where the environment stands in a data directory. */
const STORE = 'store';

/**
 * Opens a data directory; with `create`, makes one where there is none or where the folder is empty.
 * @throws DataDirectoryError for a missing, foreign, damaged or newer directory, which is left as it is
 */
export async function openDataDirectory(
  path: string,
  options: { create?: boolean } = {},
): Promise<DataDirectory> {
  const dir = resolve(path);
  const state = await inspectDirectory(dir);
  if (state === 'ready') checkStoreFile(join(dir, STORE, 'data.mdb'));
  else if (!options.create) throw new DataDirectoryError(missing(dir, state));
  else await beginDirectory(dir);
  const leave = await enterDirectory(dir);
  try {
    return await openEntered(dir, state, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

async function openEntered(dir: string, state: DirectoryState, leave: () => void): Promise<DataDirectory> {
  const folder = join(dir, STORE);
  const documentsDir = join(dir, 'documents');
  for (const each of [folder, documentsDir]) await mkdir(each, { recursive: true, mode: 0o700 });
  const directory = new OpenDirectory(dir, documentsDir, await openEnvironment(folder), leave);
  try {
    if (state !== 'ready') await directory.begin();
    directory.check();
  } catch (error) {
    await directory.close();
    throw error;
  }
  if (state !== 'ready') {
    for (const each of [folder, dirname(dir)]) await syncFolder(each);
    await finishDirectory(dir);
  }
  return directory;
}

function missing(dir: string, state: string): string {
  return state === 'absent'
    ? `There is no data directory at ${dir}.`
    : `${dir} holds no Chartgraph data yet.`;
}

class OpenDirectory implements DataDirectory {
  readonly formatVersion = FORMAT_VERSION;
  readonly #environment: Environment;
  readonly #leave: () => void;
  readonly #reader: ReadTx;
  readonly #writer: WriteTx;
  #depth = 0;
  #closed = false;

  constructor(
    readonly dir: string,
    readonly documentsDir: string,
    environment: Environment,
    leave: () => void,
  ) {
    this.#environment = environment;
    this.#leave = leave;
    this.#reader = readTx(environment);
    this.#writer = writeTx(environment);
  }

  get epoch(): string {
    return this.read((tx) => String(tx.get('meta', 'epoch')));
  }

  /** Writes what a new directory holds; harmless when another process does the same at the same time. */
  async begin(): Promise<void> {
    await this.transact((tx) => {
      if (tx.get('meta', 'format') !== undefined) return;
      tx.put('meta', 'format', FORMAT_VERSION);
      tx.put('meta', 'epoch', randomUUID());
      tx.put('meta', 'sequence', 0);
    });
  }

  check(): void {
    checkVersion(
      this.dir,
      this.read((tx) => tx.get('meta', 'format')),
    );
  }

  read<T>(work: (tx: ReadTx) => T): T {
    this.#refuseIfClosed();
    // LMDB's read transaction lives on until the next turn of the event loop; without this, what another process
    // has just committed stays unseen. A read inside a read or a write keeps the outer snapshot.
    if (this.#depth === 0) this.#environment.root.resetReadTxn();
    return this.#within(() => work(this.#reader));
  }

  async transact<T>(work: (tx: WriteTx) => T): Promise<T> {
    this.#refuseIfClosed();
    if (this.#depth > 0) throw new Error('A transaction cannot begin inside another read or write.');
    const got = sayWhenLong(join(this.dir, STORE));
    // A child transaction: LMDB commits many of them together, yet one that throws is undone alone.
    return committed(
      this.#environment.root.childTransaction(() => {
        got();
        return this.#within(() => synchronous(work(this.#writer)));
      }),
    ).finally(got);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#environment.close();
    this.#leave();
  }

  #within<T>(work: () => T): T {
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The data directory is closed.');
  }
}

/** Work that goes on after its transaction would be half inside it. */
function synchronous<T>(result: T): T {
  if (result instanceof Promise) throw new TypeError('the work of a transaction must be synchronous');
  return result;
}

/** Says why a commit failed: LMDB's error only points to another promise, which rejects with the reason. */
async function committed<T>(transaction: Promise<T>): Promise<T> {
  try {
    return await transaction;
  } catch (error) {
    if (!(error instanceof Error && 'commitError' in error)) throw error;
    const cause = await Promise.resolve(error.commitError).catch((reason: unknown) => reason);
    throw new DataDirectoryError(`The change could not be written to disk: ${String(cause)}.`, { cause });
  }
}
