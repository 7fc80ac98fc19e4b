import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DataDirectoryError } from './data-directory-error.js';
import { enterDirectory } from './lock.js';
import { openEnvironment } from './environment.js';
import { beginDirectory, finishDirectory, inspectDirectory, type DirectoryState } from './marker.js';
import { OpenDirectory, STORE } from './open-directory.js';
import { syncFolder } from './small-files.js';
import type { SharedStore } from '../postgres/shared-store.js';
import { checkStoreFile } from './store-file.js';
export type { ReadTx, WriteTx } from './transaction.js';

/** The durable storage of a container: an LMDB environment and document files beside it. */
export type DataDirectory = Omit<OpenDirectory, 'begin'>;

interface OpenOptions {
  readonly create?: boolean | undefined;
  /** The secret key, when it is neither in a file nor in the environment. */
  readonly secret?: Uint8Array | undefined;
  readonly store?: string | undefined;
  /** Whether records are sealed. Chosen when a directory or shared store is created; default yes. */
  readonly seal?: boolean | undefined;
}

/** Opens a data directory, or creates one in an empty or missing folder. @throws DataDirectoryError */
export async function openDataDirectory(path: string, options: OpenOptions = {}): Promise<DataDirectory> {
  const { create = false, store } = options;
  const dir = resolve(path);
  const state = await inspectDirectory(dir);
  if (state === 'ready') checkStoreFile(join(dir, STORE, 'data.mdb'));
  else if (!create && store === undefined)
    throw new DataDirectoryError(
      state === 'absent' ? `There is no data directory at ${dir}.` : `${dir} holds no Chartgraph data yet.`,
    );
  else await beginDirectory(dir);
  const leave = await enterDirectory(dir);
  let shared: SharedStore | undefined;
  try {
    if (store !== undefined)
      shared = await (await import('../postgres/postgres-store.js')).openPostgresStore(store);
    return await openEntered(dir, state, shared, leave, options);
  } catch (error) {
    await shared?.close();
    leave();
    throw error;
  }
}

async function openEntered(
  dir: string,
  state: DirectoryState,
  shared: SharedStore | undefined,
  leave: () => void,
  { seal, secret }: OpenOptions,
): Promise<DataDirectory> {
  const folder = join(dir, STORE);
  const documentsDir = join(dir, 'documents');
  for (const each of [folder, documentsDir]) await mkdir(each, { recursive: true, mode: 0o700 });
  const environment = await openEnvironment(folder);
  const directory = new OpenDirectory(dir, documentsDir, environment, shared, leave, secret);
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
