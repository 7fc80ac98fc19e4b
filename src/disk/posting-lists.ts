import { rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { openWriteGate, type WriteGate } from './write-gate.js';

/** Where a key occurs in one file: byte offsets, ascending. */
export type Positions = Uint32Array;

/** What is known of a file that was read through. */
export interface FileFacts {
  /** The earliest and the latest time in it, milliseconds since 1970. */
  readonly first: number;
  readonly last: number;
}

/** For numbered files that do not change any more: where in which file a key occurs. Made from them, so it may be lost. */
export interface PostingLists {
  facts(file: number): FileFacts | undefined;
  positions(key: string, file: number): Positions;
  /** Adds all keys of a file, at once or not at all. @returns false where there is no room for them */
  add(file: number, facts: FileFacts, lists: ReadonlyMap<string, readonly number[]>): Promise<boolean>;
  /** Forgets the files up to this number. */
  dropThrough(file: number): Promise<void>;
  close(): Promise<void>;
}

/** More than the first pages of an environment, and of the file of its locks, take. */
const FIRST_BYTES = 128 * 1024;

/**
 * Opens the posting lists in a folder of their own.
 * @throws whatever LMDB says of a damaged file, or the file system where there is no room for new ones
 */
export async function openPostingLists(folder: string): Promise<PostingLists> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!statSync(join(folder, 'data.mdb'), { throwIfNoEntry: false })?.size) requireRoom(folder);
  const gate = openWriteGate(folder);
  try {
    return await gate.opening(() => new LmdbPostingLists(folder, gate));
  } catch (error) {
    gate.close();
    throw error;
  }
}

/**
 * LMDB makes a file without its blocks and writes to it as to memory: where the disk has none for it, the system ends the
 * process (SIGBUS), so that is found out before. @throws what the file system says
 */
function requireRoom(folder: string): void {
  const file = join(folder, `room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(FIRST_BYTES), { flush: true, mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Posting lists in which nothing is: files are read through as long as there is no room for others. */
export const noPostingLists: PostingLists = {
  facts: () => undefined,
  positions: () => new Uint32Array(0),
  add: () => Promise.resolve(false),
  dropThrough: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

class LmdbPostingLists implements PostingLists {
  readonly #root: RootDatabase;
  readonly #files: Database<FileFacts, number>;
  readonly #lists: Database<Buffer, string>;

  readonly #gate: WriteGate;

  constructor(path: string, gate: WriteGate) {
    this.#gate = gate;
    const options = { overlappingSync: false, eventTurnBatching: false, noSubdir: false, maxReaders: 512 };
    const root = open({ path, ...options });
    this.#root = root;
    this.#files = root.openDB({ name: 'files' });
    this.#lists = root.openDB({ name: 'lists', encoding: 'binary' });
  }

  facts(file: number): FileFacts | undefined {
    return this.#files.get(file);
  }

  positions(key: string, file: number): Positions {
    const bytes = this.#lists.get(listKey(key, file)) ?? Buffer.alloc(0);
    const positions = new Uint32Array(bytes.length / 4);
    for (let at = 0; at < positions.length; at++) positions[at] = bytes.readUInt32LE(at * 4);
    return positions;
  }

  async add(file: number, facts: FileFacts, lists: ReadonlyMap<string, readonly number[]>): Promise<boolean> {
    try {
      await this.#write(() => {
        if (this.#files.get(file) !== undefined) return;
        for (const [key, positions] of lists) this.#lists.putSync(listKey(key, file), packed(positions));
        this.#files.putSync(file, facts);
      });
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'commitError' in error)) throw error;
      // It rejects with the reason, too, which would end the process.
      await Promise.resolve(error.commitError).catch(() => undefined);
      return false;
    }
  }

  async dropThrough(file: number): Promise<void> {
    await this.#write(() => {
      const files = [...this.#files.getKeys({ end: file + 1 })];
      if (files.length === 0) return;
      const dropped = new Set(files.map(String));
      for (const key of this.#lists.getKeys()) {
        if (dropped.has(key.slice(key.lastIndexOf(' ') + 1))) this.#lists.removeSync(key);
      }
      for (const each of files) this.#files.removeSync(each);
    });
  }

  async #write(work: () => void): Promise<void> {
    await this.#gate.writing(() => this.#root.transaction(work));
  }

  async close(): Promise<void> {
    await this.#root.close();
    this.#gate.close();
  }
}

function listKey(key: string, file: number): string {
  return `${key} ${file}`;
}

function packed(positions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(positions.length * 4);
  for (const [at, position] of positions.entries()) bytes.writeUInt32LE(position, at * 4);
  return bytes;
}
