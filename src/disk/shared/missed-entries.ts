import { randomBytes } from 'node:crypto';
import { readSync } from 'node:fs';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pack, unpack } from 'msgpackr';
import { isNoRoom, noRoom } from '../no-room.js';
import type { StoredEntry } from './shared-store.js';

const ONLY_OWNER = 0o600;

/**
 * Keeps what a copy has missed until all of it is there: the first part in memory, others, after a restore millions of
 * entries, in a file without a name, which ends with the process, however that ends. Values stand in it as in the copy.
 */
export class MissedEntries {
  readonly #dir: string;
  #first: readonly StoredEntry[] | undefined;
  #file: FileHandle | undefined;
  /** Of the parts in the file, one after the other. */
  readonly #lengths: number[] = [];

  /** @param dir where the file is made, if there is to be one */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws Problem unavailable when the disk is full */
  async add(entries: readonly StoredEntry[]): Promise<void> {
    if (!this.#first) return void (this.#first = entries);
    const part = pack(entries);
    try {
      this.#file ??= await openNameless(this.#dir);
      await this.#file.appendFile(part);
    } catch (error) {
      // As an error of the file system, it would be taken for one of the connection that the entries come by.
      throw isNoRoom(error)
        ? noRoom('There is no room on the disk for what other gateways have written.', error)
        : new Error('what other gateways have written cannot be kept', { cause: error });
    }
    this.#lengths.push(part.length);
  }

  /** Everything in the order in which it came, without a pause. */
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
