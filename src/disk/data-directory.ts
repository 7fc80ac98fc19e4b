import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { enterDirectory } from './entrance.js';
import { lastTransaction, openEnvironment, type Environment } from './environment.js';
import { readSecretKey, readSecretKeyNow } from './key-file.js';
import { checkOldMark, firstKeys, keepCurrentDataKey, type WrappedKeys } from './keyring.js';
import { noRoom } from './no-room.js';
import { refuseOldServer } from './old-server.js';
import { resealSome } from './reseal.js';
import { resealDocuments } from './reseal-documents.js';
import { SealedValues, type DataKeys } from './sealed-values.js';
import {
  beginDirectory,
  checkVersion,
  finishDirectory,
  FORMAT_VERSION,
  inspectDirectory,
  type DirectoryState,
} from './marker.js';
import { syncFolder } from './put-file.js';
import { checkStoreFile } from './store-file.js';
import { isSealed, tableNames } from './tables.js';
import { decodeValue, readTx, writeTx, type Key, type ReadTx, type WriteTx } from './transaction.js';
import { copyHome, isCopy, prepareCopy, type CopyParts } from './shared/copy-home.js';
import { LocalCopy } from './shared/local-copy.js';
import type { SharedStore } from './shared/shared-store.js';
import { sayWhenLong } from './write-lock.js';

export type { ReadTx, WriteTx } from './transaction.js';

/** The one durable place of a container: an LMDB environment, and beside it the files of documents. */
export interface DataDirectory {
  /**
   * Resolves when reads see everything that any gateway acknowledged before; undefined for a directory of its own, where
   * they always do.
   * @throws Problem unavailable when the shared store cannot be reached
   */
  readonly current?: (() => Promise<void>) | undefined;
  /** The store of which this directory holds a copy. */
  readonly shared?: SharedStore | undefined;
  /** Absolute path. */
  readonly dir: string;
  /** Names the history of this directory: a restore begins a new one. Read afresh at each access. */
  readonly epoch: string;
  readonly formatVersion: number;
  /** The number of the last transaction that any process has committed; it only grows. */
  readonly lastCommit: number;
  /** Folder for the bytes of documents. */
  readonly documentsDir: string;
  /** Runs `work` (synchronous) on one snapshot that holds everything acknowledged so far, by any process. */
  read<T>(work: (tx: ReadTx) => T): T;
  /**
   * Runs `work` (synchronous) in one write transaction and resolves when it is synced to disk. What `work` throws
   * rejects the promise, and nothing is written. Transactions that wait at the same time share one sync.
   */
  transact<T>(work: (tx: WriteTx) => T): Promise<T>;
  /** What accounts seal their secrets with, once more, and find tokens by: 64 bytes. */
  readonly accountKey: Uint8Array;
  /** The data keys as they are now, for files. */
  readonly dataKeys: DataKeys;
  /** Whether values may be there that another data key sealed, or none: `resealAll` has to be run. */
  readonly hasOthers: boolean;
  /** Writes the wrapped keys anew, in a transaction. */
  changeKeys(change: (keys: WrappedKeys) => WrappedKeys): Promise<void>;
  /**
   * Seals each value and each document that the current data key did not seal, in short transactions, and drops the
   * other keys.
   */
  resealAll(progress?: (done: number, total: number) => void): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Makes a directory where there is none, or where the folder is empty. */
  readonly create?: boolean | undefined;
  /** The address of the shared store of which the directory is to hold a copy. */
  readonly store?: string | undefined;
}

/** Where the environment stands in a data directory. */
const STORE = 'store';

/**
 * Opens a data directory; with `create`, makes one where there is none or where the folder is empty.
 * @throws DataDirectoryError for a missing, foreign, damaged or newer directory, which is left as it is
 */
export async function openDataDirectory(path: string, options: OpenOptions = {}): Promise<DataDirectory> {
  const { create = false, store } = options;
  const dir = resolve(path);
  const state = await inspectDirectory(dir);
  if (state === 'ready') checkStoreFile(join(dir, STORE, 'data.mdb'));
  else if (!create && store === undefined) throw new DataDirectoryError(missing(dir, state));
  else await beginDirectory(dir);
  const leave = await enterDirectory(dir);
  let shared: SharedStore | undefined;
  try {
    if (store !== undefined)
      shared = await (await import('./shared/postgres-store.js')).openPostgresStore(store);
    return await openEntered(dir, { state, shared, leave });
  } catch (error) {
    await shared?.close();
    leave();
    throw error;
  }
}

interface Entered {
  readonly state: DirectoryState;
  readonly shared: SharedStore | undefined;
  readonly leave: () => void;
}

async function openEntered(dir: string, { state, shared, leave }: Entered): Promise<DataDirectory> {
  const folder = join(dir, STORE);
  const documentsDir = join(dir, 'documents');
  for (const each of [folder, documentsDir]) await mkdir(each, { recursive: true, mode: 0o700 });
  const directory = new OpenDirectory(dir, documentsDir, await openEnvironment(folder), { shared, leave });
  try {
    await directory.begin(state !== 'ready');
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
  readonly #values: SealedValues;
  readonly #reader: ReadTx;
  readonly #writer: WriteTx;
  readonly shared: SharedStore | undefined;
  readonly #copy: LocalCopy | undefined;
  readonly current: (() => Promise<void>) | undefined;
  #depth = 0;
  #closed = false;

  constructor(
    readonly dir: string,
    readonly documentsDir: string,
    environment: Environment,
    { shared, leave }: Pick<Entered, 'shared' | 'leave'>,
  ) {
    this.#environment = environment;
    this.#leave = leave;
    this.shared = shared;
    const { meta } = environment.tables;
    this.#values = new SealedValues({
      secret: () => readSecretKeyNow(dir, process.env),
      stored: () => meta.getBinary('keys'),
      decode: (stored) => decodeValue(stored) as WrappedKeys,
    });
    this.#reader = readTx(environment, this.#values);
    this.#writer = writeTx(environment, this.#values);
    if (!shared) return;
    const copy = new LocalCopy(shared, copyHome(this.#copyParts()));
    this.#copy = copy;
    this.current = () => copy.current();
  }

  get lastCommit(): number {
    this.#refuseIfClosed();
    return lastTransaction(this.#environment.root);
  }

  get epoch(): string {
    return this.read((tx) => String(tx.get('meta', 'epoch')));
  }

  /**
   * Writes what a new directory holds, or what one of before 0.3 lacks, and opens the keys; harmless when another process does
   * the same at the same time.
   */
  async begin(isNew: boolean): Promise<void> {
    if (this.shared) await prepareCopy(this.#copyParts(), this.shared);
    else if (this.read(() => isCopy(this.#environment)))
      throw new DataDirectoryError(
        `${this.dir} holds a copy of a shared store: give its address with --store.`,
      );
    const [format, keys, mark] = this.read(() =>
      ['format', 'keys', 'secret-key-check'].map(
        (name) => this.#environment.tables.meta.get(name) as unknown,
      ),
    );
    if (!isNew || format !== undefined) checkVersion(this.dir, format);
    const sealed = keys !== undefined || mark !== undefined;
    const secret = await readSecretKey(this.dir, process.env, { create: !sealed });
    if (format === undefined) {
      await this.transact((tx) => {
        if (tx.get('meta', 'format') !== undefined) return;
        tx.put('meta', 'format', FORMAT_VERSION);
        tx.put('meta', 'epoch', randomUUID());
        tx.put('meta', 'sequence', 0);
        tx.put('meta', 'keys', firstKeys(secret, false));
      });
    } else if (keys === undefined) {
      checkOldMark(mark, secret);
      refuseOldServer(this.dir, this.#environment);
      // First the marker: version 0.2 would take sealed values for texts.
      await finishDirectory(this.dir);
      await this.transact((tx) => {
        if (tx.get('meta', 'keys') !== undefined) return;
        tx.put('meta', 'format', FORMAT_VERSION);
        tx.put('meta', 'keys', firstKeys(secret, true));
      });
    }
    this.read(() => this.#values.refresh());
  }

  get accountKey(): Uint8Array {
    // A restore may have changed it.
    this.read(() => this.#values.refresh());
    return this.#values.accountKey;
  }

  get dataKeys(): DataKeys {
    this.read(() => this.#values.refresh());
    return this.#values;
  }

  get hasOthers(): boolean {
    return this.read(() => (this.#environment.tables.meta.get('keys') as WrappedKeys).pending);
  }

  changeKeys(change: (keys: WrappedKeys) => WrappedKeys): Promise<void> {
    return this.transact((tx) => tx.put('meta', 'keys', change(tx.get('meta', 'keys') as WrappedKeys)));
  }

  async resealAll(progress: (done: number, total: number) => void = () => undefined): Promise<void> {
    const { tables } = this.#environment;
    const all = tableNames.filter(isSealed);
    const total = this.read((tx) => all.reduce((sum, table) => sum + tx.count(table), 0));
    let done = 0;
    for (const table of all) {
      for (let after: Key | undefined; ;) {
        const step = await this.#commit(() => resealSome(tables[table], table, this.#values, after));
        progress((done += step.looked), total);
        if (step.last === undefined) break;
        after = step.last;
      }
    }
    await resealDocuments(this);
    // Whoever writes looks for the current key in the same transaction, so by now nothing needs another one.
    await this.changeKeys(keepCurrentDataKey);
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
    const run = (tx: WriteTx): T => {
      this.#values.refresh();
      return synchronous(work(tx));
    };
    return this.#copy ? this.#copy.commit(run) : this.#commit(() => run(this.#writer));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.shared?.close();
    await this.#environment.close();
    this.#leave();
  }

  #copyParts(): CopyParts {
    return {
      dir: this.dir,
      environment: this.#environment,
      values: this.#values,
      read: (work) => this.read(work),
      commit: (work) => this.#commit(work),
    };
  }

  #commit<T>(work: () => T): Promise<T> {
    const got = sayWhenLong(join(this.dir, STORE));
    const { root, gate } = this.#environment;
    // A child transaction: LMDB commits many of them together, yet one that throws is undone alone.
    const write = (): Promise<T> =>
      root.childTransaction(() => {
        got();
        return this.#within(work);
      });
    return committed(gate.writing(write)).finally(got);
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
    throw noRoom(`The change could not be written to disk: ${String(cause)}.`, cause);
  }
}
