import { open, type Database, type RootDatabase } from 'lmdb';
import { holdsText, tableNames, type TableName } from './tables.js';

/** The largest key that a table takes, in bytes of UTF-8. */
export const MAX_KEY_BYTES = 1900;

/** An open LMDB environment with all tables of a data directory. */
export interface Environment {
  readonly root: RootDatabase;
  readonly tables: Readonly<Record<TableName, Database>>;
}

/**
 * Opens the environment in a folder of its own. `overlappingSync` is off: a commit then returns only after it has
 * been synced, which is what a write is acknowledged by; it costs nothing measurable and needs no second wait.
 */
export function openEnvironment(folder: string): Environment {
  const root = open<unknown, string>({
    path: folder,
    overlappingSync: false,
    maxDbs: 64,
    maxReaders: 512,
    // A folder whose name has a dot must not be taken for a file.
    noSubdir: false,
  } as Parameters<typeof open>[0] & { path: string });
  const opened = tableNames.map((name) => [
    name,
    // Compressed graphs take a sixth of the space, and reading all of them back costs the same time.
    root.openDB(
      holdsText(name) ? { name, encoding: 'string', compression: true } : { name, encoding: 'msgpack' },
    ),
  ]);
  return { root, tables: Object.fromEntries(opened) as Record<TableName, Database> };
}
