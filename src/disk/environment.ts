import { realpath } from 'node:fs/promises';
import { open, type Database, type RootDatabase } from 'lmdb';
import { requireFirstRoom } from './first-room.js';
import { forgetLockFile } from './lmdb-lock-file.js';
import { holdsText, isSealed, tableNames, type TableName } from './tables.js';
import { openWriteGate, type WriteGate } from './write-gate.js';

/** The largest key that a table takes, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1900;

/**
 * Up to version 0.2 LMDB compressed graphs; that can still be read. Now they are compressed before they are sealed, so
 * LMDB has nothing to compress: no value is as long as this threshold.
 */
const compression = { threshold: 0x7fff_ffff, dictionary: Buffer.alloc(0) };

/** An open LMDB environment with all tables of a data directory; those whose values are sealed hold bytes. */
export interface Environment {
  /** Where it lies. */
  readonly folder: string;
  readonly root: RootDatabase;
  /** Whoever writes does it inside. */
  readonly gate: Pick<WriteGate, 'writing'>;
  readonly tables: Readonly<Record<TableName, Database>>;
  /** Waits for what is being written, then lets go. */
  close(): Promise<void>;
}

interface Shared {
  users: number;
  readonly ready: Promise<Environment>;
}

/**
 * The environments that this thread has open, by folder. Two on the same folder could wait for each other for ever:
 * one holds LMDB's write lock until this thread runs its callback, the other blocks this thread to get the lock.
 */
const opened = new Map<string, Shared>();
const closing = new Map<string, Promise<void>>();

/** Opens the environment in a folder of its own, or shares the one that is open already. @throws what the file system says */
export async function openEnvironment(path: string): Promise<Environment> {
  const folder = await realpath(path);
  for (let last = closing.get(folder); last; last = closing.get(folder)) await last;
  const shared = opened.get(folder) ?? { users: 0, ready: openFresh(folder) };
  opened.set(folder, shared);
  shared.users++;
  const close = async (): Promise<void> => {
    if (--shared.users > 0) return;
    opened.delete(folder);
    const closed = shared.ready
      .then((environment) => environment.close())
      .finally(() => closing.delete(folder));
    closing.set(folder, closed);
    await closed;
  };
  try {
    return { ...(await shared.ready), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function openFresh(folder: string): Promise<Environment> {
  const gate = openWriteGate(folder);
  try {
    const { root, tables } = await gate.opening(() => openTables(folder));
    const close = (): Promise<void> =>
      root.close().finally(() => {
        forgetLockFile(folder);
        gate.close();
      });
    return { folder, root, gate, tables, close };
  } catch (error) {
    gate.close();
    throw error;
  }
}

function openTables(folder: string): Pick<Environment, 'root' | 'tables'> {
  requireFirstRoom(folder);
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
  return { root, tables: Object.fromEntries(tables) as Record<TableName, Database> };
}
