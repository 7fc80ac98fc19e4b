import { setTimeout as wait } from 'node:timers/promises';
import { asBinary } from 'lmdb';
import { DataDirectoryError } from '../data-directory-error.js';
import type { Environment } from '../environment.js';
import { openFileLock } from '../file-lock.js';
import type { SealedValues } from '../sealed-values.js';
import { isSealed } from '../tables.js';
import type { ReadTx } from '../transaction.js';
import { sharedTables } from './entry-keys.js';
import type { CopyHome } from './local-copy.js';
import { MissedEntries } from './missed-entries.js';
import { HistoryLost, type Position, type SharedStore, type StoredEntry } from './shared-store.js';

const POLL = 50;
/** Entries that a directory takes over at once when it is opened: after a change of the data key it has missed all. */
const MOST_MISSED = 100_000;

/** What a data directory lends to its copy. */
export interface CopyParts {
  readonly dir: string;
  readonly environment: Environment;
  readonly values: SealedValues;
  read<T>(work: (tx: ReadTx) => T): T;
  /** Runs `work` in one write transaction of the directory itself. */
  commit<T>(work: () => T): Promise<T>;
}

/** The copy as it stands in the environment of a data directory. */
export function copyHome({ dir, environment, values, read, commit }: CopyParts): CopyHome {
  const { tables } = environment;
  const position = (): Position | undefined => tables.copy.get('position') as Position | undefined;
  return {
    read,
    position: () => read(position),
    apply: async (advance, from) => {
      const missed = new MissedEntries(dir);
      try {
        const to = await advance((entries) => missed.add(entries));
        return await commit(() => {
          if (position()?.commit !== from.commit) return false;
          write(environment, missed);
          tables.copy.putSync('position', to);
          return true;
        });
      } finally {
        await missed.close();
      }
    },
    stored: (table, key, content) => (isSealed(table) ? values.seal(content, table, key) : content),
  };
}

/** Whether a directory holds a copy of a shared store, be it unfinished. */
export function isCopy({ tables }: Environment): boolean {
  return tables.copy.get('made') !== undefined;
}

/**
 * Brings a copy up to date when a directory is opened, and makes it where there is none, or where the store no longer
 * knows the state that it is in. Of several processes one does, and the others wait.
 * @throws DataDirectoryError when the directory holds a container of its own, or a copy and the store nothing
 */
export async function prepareCopy(parts: CopyParts, store: SharedStore): Promise<void> {
  const { dir, environment, read } = parts;
  if (!read(() => isCopy(environment)) && read((tx) => tx.get('meta', 'format')) !== undefined)
    throw new DataDirectoryError(
      `${dir} holds a container of its own: copy it with chartgraph migrate, or give another --data with --store.`,
    );
  const lock = openFileLock(dir, 'copying');
  try {
    // However long that takes: a copy of millions of graphs takes minutes.
    while (!lock.try('exclusive')) await wait(POLL);
    if (await catchUp(parts, store)) return;
    // A misspelt name, or a database that was lost: then this copy may be all that is left.
    if ((await store.head()).sequence === 0 && read((tx) => tx.get('meta', 'format')) !== undefined)
      throw new DataDirectoryError(
        `The store is empty, and ${dir} holds a copy of another one: name that, or give another --data to begin a container in this one.`,
      );
    await makeCopy(parts, store);
  } finally {
    lock.close();
  }
}

async function catchUp(parts: CopyParts, store: SharedStore): Promise<boolean> {
  const home = copyHome(parts);
  for (;;) {
    const at = home.position();
    if (!at) return false;
    if ((await store.head()).commit === at.commit) return true;
    try {
      if (await home.apply((take) => store.since(at, take, MOST_MISSED), at)) return true;
    } catch (error) {
      if (!(error instanceof HistoryLost)) throw error;
      return false;
    }
  }
}

async function makeCopy({ environment, commit }: CopyParts, store: SharedStore): Promise<void> {
  const { tables } = environment;
  await commit(() => {
    tables.copy.removeSync('position');
    tables.copy.putSync('made', true);
    for (const table of sharedTables) tables[table].clearSync();
  });
  const position = await store.everything((entries) => commit(() => write(environment, entries)));
  await commit(() => tables.copy.putSync('position', position));
}

function write({ tables }: Environment, entries: Iterable<StoredEntry>): void {
  for (const { table, key, value } of entries) {
    if (value) tables[table].putSync(key, asBinary(Buffer.from(value)));
    else tables[table].removeSync(key);
  }
}
