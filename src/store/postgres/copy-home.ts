import { randomBytes } from 'node:crypto';
import { readSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { asBinary } from 'lmdb';
import { pack, unpack } from 'msgpackr';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { isNoRoom, noRoom } from '../disk/disk-space.js';
import type { Environment } from '../disk/environment.js';
import { openFileLock } from '../disk/file-lock.js';
import type { SealedValues } from '../disk/sealed-values.js';
import { isSealed, type TableName } from '../disk/tables.js';
import type { Key, ReadTx } from '../disk/transaction.js';
import { sharedTables } from './entry-keys.js';
import {
  HistoryLost,
  type Advance,
  type Position,
  type SharedStore,
  type StoredEntry,
} from './shared-store.js';

const ONLY_OWNER = 0o600;

/**
 * Collects the entries that a copy has missed, until they are complete. The first batch stays in memory; the others
 * (after a restore, millions of entries) go to an unlinked file, which ends with the process. Values are sealed as in
 * the copy.
 */
export class MissedEntries {
  #first: readonly StoredEntry[] | undefined;
  #file: FileHandle | undefined;
  readonly #lengths: number[] = [];

  constructor(private readonly dir: string) {}

  /** @throws Problem unavailable when the disk is full */
  async add(entries: readonly StoredEntry[]): Promise<void> {
    if (!this.#first) return void (this.#first = entries);
    const part = pack(entries);
    try {
      this.#file ??= await openNameless(this.dir);
      await this.#file.appendFile(part);
    } catch (error) {
      // A file system error would be mistaken for a connection error.
      throw isNoRoom(error)
        ? noRoom('There is no room on the disk for what other gateways have written.', error)
        : new Error('what other gateways have written cannot be kept', { cause: error });
    }
    this.#lengths.push(part.length);
  }

  *[Symbol.iterator](): Generator<StoredEntry> {
    yield* this.#first ?? [];
    let at = 0;
    for (const length of this.#lengths) {
      const part = Buffer.alloc(length);
      if (!this.#file || readSync(this.#file.fd, part, 0, length, at) < length)
        throw new Error('what other gateways have written was not kept');
      yield* unpack(part) as StoredEntry[];
      at += length;
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

async function openNameless(dir: string): Promise<FileHandle> {
  const path = join(dir, `missed.${randomBytes(6).toString('hex')}`);
  const file = await open(path, 'wx+', ONLY_OWNER);
  await unlink(path);
  return file;
}

const POLL_MS = 50;
/** Maximum entries to catch up on when a directory is opened; beyond that, the copy is made again. */
const MAX_MISSED = 100_000;

export interface CopyParts {
  readonly dir: string;
  readonly environment: Environment;
  readonly values: SealedValues;
  read<T>(work: (tx: ReadTx) => T): T;
  commit<T>(work: () => T): Promise<T>;
}

export function copyHome({ dir, environment, values, read, commit }: CopyParts) {
  const { tables } = environment;
  const position = (): Position | undefined => tables.copy.get('position') as Position | undefined;
  return {
    read,
    position: (): Position | undefined => read(position),
    /** Advances the copy in one commit, once all entries are there. @returns false when the copy has moved */
    apply: async (advance: Advance, from: Position): Promise<boolean> => {
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
    stored: (table: TableName, key: Key, content: Uint8Array): Uint8Array =>
      isSealed(table) ? values.seal(content, table, key) : content,
  };
}

/** Tells whether a directory holds a copy of a shared store, even an unfinished one. */
export function isCopy({ tables }: Environment): boolean {
  return tables.copy.get('made') !== undefined;
}

/**
 * Brings a copy up to date when a directory is opened, or makes it again if it is missing or the store no longer knows
 * its state. One process does it while others wait.
 * @throws DataDirectoryError when the directory holds its own container, or the store has lost the one copied here
 */
export async function prepareCopy(parts: CopyParts, store: SharedStore): Promise<void> {
  const { dir, environment, read } = parts;
  if (!read(() => isCopy(environment)) && read((tx) => tx.get('meta', 'format')) !== undefined)
    throw new DataDirectoryError(
      `${dir} holds a container of its own: copy it with chartgraph migrate, or give another --data with --store.`,
    );
  const lock = openFileLock(dir, 'copying');
  try {
    // Copying millions of graphs takes minutes.
    while (!lock.try('exclusive')) await wait(POLL_MS);
    if (await catchUp(parts, store)) return;
    // The name is misspelt, or the database is lost: this copy may be all that is left.
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
      if (await home.apply((take) => store.since(at, take, MAX_MISSED), at)) return true;
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
