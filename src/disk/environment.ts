import { realpath } from 'node:fs/promises';
import { open, type Database, type RootDatabase } from 'lmdb';
import { holdsText, isSealed, tableNames, type TableName } from './tables.js';
import { whenWritable } from './write-lock.js';

/** The largest key that a table takes, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1900;

/**
 * Up to version 0.2 graphs were stored compressed; that can still be read. What is sealed looks random, so nothing is
 * compressed any more: no value is as long as this threshold.
 */
const compression = { threshold: 0x7fff_ffff, dictionary: Buffer.alloc(0) };

/** An open LMDB environment with all tables of a data directory; those whose values are sealed hold bytes. */
export interface Environment {
  readonly root: RootDatabase;
  readonly tables: Readonly<Record<TableName, Database>>;
  /** Waits for what is being written, then lets go. */
  close(): Promise<void>;
}

interface Shared extends Environment {
  users: number;
}

/**
 * The environments that this thread has open, by folder. Two on the same folder could wait for each other for ever:
 * one holds LMDB's write lock until this thread runs its callback, the other blocks this thread to get the lock.
 */
const opened = new Map<string, Shared>();
const closing = new Map<string, Promise<void>>();

/** Opens the environment in a folder of its own, or shares the one that is open already. */
export async function openEnvironment(path: string): Promise<Environment> {
  const folder = await realpath(path);
  if (!opened.has(folder)) await whenWritable(folder);
  for (let last = closing.get(folder); last; last = closing.get(folder)) await last;
  const shared = opened.get(folder) ?? openFresh(folder);
  opened.set(folder, shared);
  shared.users++;
  const { root, tables } = shared;
  return {
    root,
    tables,
    async close() {
      if (--shared.users > 0) return;
      opened.delete(folder);
      const closed = root.close().finally(() => closing.delete(folder));
      closing.set(folder, closed);
      await closed;
    },
  };
}

/** The number of the last transaction in an environment, whoever committed it (mdb_env_info). */
export function lastTransaction(root: RootDatabase): number {
  return (root as unknown as { readonly env: { info(): { lastTxnId: number } } }).env.info().lastTxnId;
}

function openFresh(folder: string): Shared {
  const root = open<unknown, string>({
    path: folder,
    // A commit then returns only after it has been synced, and that is what a write is acknowledged by. Syncing
    // beside the next commit was no faster.
    overlappingSync: false,
    // Writers that wait at the same time still share a commit. With it, a commit that fails (disk full) would also
    // reject a promise that nobody holds, and end the process.
    eventTurnBatching: false,
    maxDbs: 64,
    maxReaders: 512,
    // A folder whose name has a dot must not be taken for a file.
    noSubdir: false,
  });
  const tables = tableNames.map((name) => [
    name,
    root.openDB({
      name,
      encoding: isSealed(name) ? 'binary' : 'msgpack',
      ...(holdsText(name) ? { compression } : {}),
    }),
  ]);
  return {
    root,
    tables: Object.fromEntries(tables) as Record<TableName, Database>,
    users: 0,
    close: () => root.close(),
  };
}
