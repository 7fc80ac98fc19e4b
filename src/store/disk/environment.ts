import { realpath } from 'node:fs/promises';
import { open, type Database, type RootDatabase } from 'lmdb';
import { requireSpace } from './disk-space.js';
import { forgetLockFile, openWriteGate, type WriteGate } from './lmdb-locks.js';
import { closeToOthers } from './small-files.js';
import { isSealed, tableNames, type TableName } from './tables.js';

export const MAX_KEY_BYTES = 1900;

/** An open LMDB environment with all tables of a data directory; sealed tables hold bytes. */
export interface Environment {
  readonly folder: string;
  readonly root: RootDatabase;
  readonly gate: Pick<WriteGate, 'writing'>;
  readonly tables: Readonly<Record<TableName, Database>>;
  close(): Promise<void>;
}

/** Environments that this thread has open, by folder: two on one folder could deadlock. */
const opened = new Map<string, { users: number; readonly ready: Promise<Environment> }>();
const closing = new Map<string, Promise<void>>();

/** Opens the environment in a folder, or shares an open one. */
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
    const close = (): Promise<void> => gate.closing(() => root.close().finally(() => forgetLockFile(folder)));
    return { folder, root, gate, tables, close };
  } catch (error) {
    gate.close();
    throw error;
  }
}

function openTables(folder: string): Pick<Environment, 'root' | 'tables'> {
  requireSpace(folder);
  const root = open<unknown, string>({
    path: folder,
    // A commit must be synced before it returns, since that acknowledges a write. Overlapping syncs were no faster.
    overlappingSync: false,
    // Waiting writers share a commit without it. With it, a failing commit (disk full) would also reject a promise that
    // nobody holds, and end the process.
    eventTurnBatching: false,
    maxDbs: 64,
    maxReaders: 512,
    // Otherwise a folder with a dot in its name would be taken for a file.
    noSubdir: false,
  });
  const tables = tableNames.map((name) => [
    name,
    root.openDB({ name, encoding: isSealed(name) ? 'binary' : 'msgpack' }),
  ]);
  closeToOthers(folder);
  return { root, tables: Object.fromEntries(tables) as Record<TableName, Database> };
}
