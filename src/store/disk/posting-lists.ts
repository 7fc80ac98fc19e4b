import { mkdir } from 'node:fs/promises';
import { open } from 'lmdb';
import { requireSpace } from './disk-space.js';
import { openWriteGate, type WriteGate } from './lmdb-locks.js';
import { closeToOthers } from './small-files.js';

interface FileFacts {
  readonly first: number;
  readonly last: number;
  /** Set by versions whose lists tell kinds of entries apart. */
  readonly hasKinds?: boolean;
}

/** Where keys occur in numbered, immutable files. Derived from them, so it may be lost. */
export type PostingLists = ReturnType<typeof postingLists>;

/** @throws LMDB's error for a damaged file, or the file system's when there is no room */
export async function openPostingLists(folder: string): Promise<PostingLists> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  requireSpace(folder);
  const gate = openWriteGate(folder);
  try {
    return await gate.opening(() => postingLists(folder, gate));
  } catch (error) {
    gate.close();
    throw error;
  }
}

/** Used when there is no room for lists: files are then read through. */
export const noPostingLists: PostingLists = {
  facts: () => undefined,
  positions: () => new Uint32Array(0),
  add: () => Promise.resolve(false),
  dropThrough: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

function postingLists(path: string, gate: WriteGate) {
  const options = { overlappingSync: false, eventTurnBatching: false, noSubdir: false, maxReaders: 512 };
  const root = open({ path, ...options });
  const files = root.openDB<FileFacts, number>({ name: 'files' });
  const lists = root.openDB<Buffer, string>({ name: 'lists', encoding: 'binary' });
  closeToOthers(path);
  const write = async (work: () => void): Promise<void> => {
    await gate.writing(() => root.transaction(work));
  };
  return {
    facts: (file: number): FileFacts | undefined => files.get(file),
    /** Returns byte offsets in one file, ascending. */
    positions(key: string, file: number): Uint32Array {
      const bytes = lists.get(listKey(key, file)) ?? Buffer.alloc(0);
      const positions = new Uint32Array(bytes.length / 4);
      for (let at = 0; at < positions.length; at++) positions[at] = bytes.readUInt32LE(at * 4);
      return positions;
    },
    async add(file: number, facts: FileFacts, added: ReadonlyMap<string, readonly number[]>) {
      try {
        await write(() => {
          if (files.get(file) !== undefined) return;
          for (const [key, positions] of added) lists.putSync(listKey(key, file), packed(positions));
          files.putSync(file, facts);
        });
        return true;
      } catch (error) {
        if (!(error instanceof Error && 'commitError' in error)) throw error;
        // This promise rejects as well; unhandled, it would end the process.
        await Promise.resolve(error.commitError).catch(() => undefined);
        return false;
      }
    },
    dropThrough: (file: number) =>
      write(() => {
        const dropped = new Set(Array.from(files.getKeys({ end: file + 1 }), String));
        if (dropped.size === 0) return;
        for (const key of lists.getKeys()) {
          if (dropped.has(key.slice(key.lastIndexOf(' ') + 1))) lists.removeSync(key);
        }
        for (const each of dropped) files.removeSync(Number(each));
      }),
    close: () => gate.closing(() => root.close()),
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
