import { mkdir } from 'node:fs/promises';
import { open } from 'lmdb';
import { requireFirstRoom } from './first-room.js';
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

/**
 * Opens the posting lists in a folder of their own.
 * @throws whatever LMDB says of a damaged file, or the file system where there is no room for new ones
 */
export async function openPostingLists(folder: string): Promise<PostingLists> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  requireFirstRoom(folder);
  const gate = openWriteGate(folder);
  try {
    return await gate.opening(() => postingLists(folder, gate));
  } catch (error) {
    gate.close();
    throw error;
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

function postingLists(path: string, gate: WriteGate): PostingLists {
  const options = { overlappingSync: false, eventTurnBatching: false, noSubdir: false, maxReaders: 512 };
  const root = open({ path, ...options });
  const files = root.openDB<FileFacts, number>({ name: 'files' });
  const lists = root.openDB<Buffer, string>({ name: 'lists', encoding: 'binary' });
  const write = async (work: () => void): Promise<void> => {
    await gate.writing(() => root.transaction(work));
  };
  return {
    facts: (file) => files.get(file),
    positions(key, file) {
      const bytes = lists.get(listKey(key, file)) ?? Buffer.alloc(0);
      const positions = new Uint32Array(bytes.length / 4);
      for (let at = 0; at < positions.length; at++) positions[at] = bytes.readUInt32LE(at * 4);
      return positions;
    },
    async add(file, facts, added) {
      try {
        await write(() => {
          if (files.get(file) !== undefined) return;
          for (const [key, positions] of added) lists.putSync(listKey(key, file), packed(positions));
          files.putSync(file, facts);
        });
        return true;
      } catch (error) {
        if (!(error instanceof Error && 'commitError' in error)) throw error;
        // It rejects with the reason, too, which would end the process.
        await Promise.resolve(error.commitError).catch(() => undefined);
        return false;
      }
    },
    dropThrough: (file) =>
      write(() => {
        const dropped = new Set(Array.from(files.getKeys({ end: file + 1 }), String));
        if (dropped.size === 0) return;
        for (const key of lists.getKeys()) {
          if (dropped.has(key.slice(key.lastIndexOf(' ') + 1))) lists.removeSync(key);
        }
        for (const each of dropped) files.removeSync(Number(each));
      }),
    async close() {
      await root.close();
      gate.close();
    },
  };
}

function listKey(key: string, file: number): string {
  return `${key} ${file}`;
}

function packed(positions: readonly number[]): Buffer {
  const bytes = Buffer.alloc(positions.length * 4);
  for (const [at, position] of positions.entries()) bytes.writeUInt32LE(position, at * 4);
  return bytes;
}
