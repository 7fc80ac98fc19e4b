import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { enterDirectory } from './entrance.js';
import { openEnvironment } from './environment.js';
import type { WrappedKeys } from './keyring.js';
import { beginDirectory, finishDirectory, inspectDirectory, type DirectoryState } from './marker.js';
import type { Nonces } from './nonces.js';
import { OpenDirectory, STORE } from './open-directory.js';
import { syncFolder } from './put-file.js';
import type { DataKeys } from './sealed-values.js';
import type { SharedStore } from './shared/shared-store.js';
import { checkStoreFile } from './store-file.js';
import type { ReadTx, WriteTx } from './transaction.js';

export type { ReadTx, WriteTx } from './transaction.js';

/** The one durable place of a container: an LMDB environment, and beside it the files of documents. */
export interface DataDirectory {
  /**
   * Resolves when reads see everything that any gateway acknowledged before; undefined for a directory of its own, where
   * they always do.
   * @throws Problem unavailable when the shared store cannot be reached
   */
  readonly current?: (() => Promise<void>) | undefined;
  /**
   * Used nonces that gateways share; undefined for a directory of its own. When it is known whether one is new, reads see
   * what they see after `current`.
   */
  readonly nonces?: Nonces | undefined;
  /** The store of which this directory holds a copy. */
  readonly shared?: SharedStore | undefined;
  /** Absolute path. */
  readonly dir: string;
  /** The secret key as it is now. @throws DataDirectoryError as readSecretKey does */
  readonly secretKey: () => Uint8Array;
  /** Names the history of this directory: a restore begins a new one. Read afresh at each access. */
  readonly epoch: string;
  readonly formatVersion: number;
  /**
   * The number of the last transaction that any process has committed; it only grows. Asked once for all that runs before
   * anything else can come in.
   */
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
  /** Whether what records say is sealed, as was chosen when the directory was made. */
  readonly sealsRecords: boolean;
  /** The data keys as they are now, for files. */
  readonly dataKeys: DataKeys;
  /** Whether values may be there that another data key sealed, or none, as far as the keys say: `resealAll` has to be run. */
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
  /** The secret key of a directory that has it in no file; default that of the environment, or of the file. */
  readonly secret?: Uint8Array | undefined;
  /** The address of the shared store of which the directory is to hold a copy. */
  readonly store?: string | undefined;
  /**
   * Whether what records say is sealed, chosen when a directory, or a shared store, is made: undefined stands for yes
   * then, and later for what was chosen.
   */
  readonly seal?: boolean | undefined;
}

/**
 * Opens a data directory; with `create`, makes one where there is none or where the folder is empty.
 * @throws DataDirectoryError for a missing, foreign, damaged or newer directory, which is left as it is
 */
export async function openDataDirectory(path: string, options: OpenOptions = {}): Promise<DataDirectory> {
  const { create = false, store, seal, secret } = options;
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
    return await openEntered(dir, { state, shared, leave, seal, secret });
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
  readonly seal: boolean | undefined;
  readonly secret: Uint8Array | undefined;
}

async function openEntered(
  dir: string,
  { state, shared, leave, seal, secret }: Entered,
): Promise<DataDirectory> {
  const folder = join(dir, STORE);
  const documentsDir = join(dir, 'documents');
  for (const each of [folder, documentsDir]) await mkdir(each, { recursive: true, mode: 0o700 });
  const environment = await openEnvironment(folder);
  const directory = new OpenDirectory(dir, documentsDir, environment, { shared, leave, secret });
  try {
    await directory.begin(state !== 'ready', seal);
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
