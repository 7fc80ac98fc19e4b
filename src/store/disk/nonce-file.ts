import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { append, type Reserve } from './disk-space.js';

/** Parts grow and are cleaned one by one, so that no step takes long. A power of two, at most 2^16. */
const PARTS = 64;
const MIN_SLOTS = 64;
const NUMBERS = 3;

export const ENTRY_BYTES = 4 * NUMBERS;

/** Writes an entry: the first eight bytes of a digest, and its expiry in seconds since 1970. */
export function writeEntry(to: Buffer, at: number, digest: Buffer, expiresAt: number): void {
  digest.copy(to, at, 0, 8);
  to.writeUInt32LE(expiresAt, at + 8);
}

function expiryOf(entries: Buffer, at: number): number {
  return entries.readUInt32LE(at + 8);
}

/** A set of digests with expiry, keyed by their first eight bytes; collisions are unlikely even among ten million. */
export class SeenDigests {
  readonly #parts = Array.from({ length: PARTS }, () => new Part());

  has(digest: Buffer, now: number): boolean {
    const [first, second] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    return this.#part(first).has(first, second, now);
  }

  /** Adds entries from `writeEntry`. @param now seconds since 1970 */
  add(entries: Buffer, now: number): void {
    for (let at = 0; at < entries.byteLength; at += ENTRY_BYTES) {
      const first = entries.readUInt32LE(at);
      this.#part(first).add(first, entries.readUInt32LE(at + 4), expiryOf(entries, at), now);
    }
  }

  #part(first: number): Part {
    // The lower bits choose the slot within a part.
    return this.#parts[first >>> 26] as Part;
  }
}

class Part {
  #numbers = new Uint32Array(MIN_SLOTS * NUMBERS);
  #used = 0;

  has(first: number, second: number, now: number): boolean {
    return this.#expiry(this.#slot(first, second)) >= now;
  }

  add(first: number, second: number, expiresAt: number, now: number): void {
    if (expiresAt < now) return;
    if (this.#used * 2 >= this.#numbers.length / NUMBERS) this.#makeRoom(now);
    const at = this.#slot(first, second);
    if (this.#expiry(at) === 0) this.#used++;
    this.#put(at, first, second, Math.max(expiresAt, this.#expiry(at)));
  }

  #slot(first: number, second: number): number {
    const numbers = this.#numbers;
    const slots = numbers.length / NUMBERS;
    for (let slot = first & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * NUMBERS;
      if (numbers[at + 2] === 0 || (numbers[at] === first && numbers[at + 1] === second)) return at;
    }
  }

  #expiry(at: number): number {
    return this.#numbers[at + 2] ?? 0;
  }

  #makeRoom(now: number): void {
    const before = this.#numbers;
    let live = 0;
    for (let at = 2; at < before.length; at += NUMBERS) if ((before[at] ?? 0) >= now) live++;
    let slots = MIN_SLOTS;
    while (slots < live * 3) slots *= 2;
    this.#numbers = new Uint32Array(slots * NUMBERS);
    this.#used = live;
    for (let at = 0; at < before.length; at += NUMBERS) {
      const [first = 0, second = 0, expiresAt = 0] = [before[at], before[at + 1], before[at + 2]];
      if (expiresAt >= now) this.#put(this.#slot(first, second), first, second, expiresAt);
    }
  }

  #put(at: number, first: number, second: number, expiresAt: number): void {
    this.#numbers[at] = first;
    this.#numbers[at + 1] = second;
    this.#numbers[at + 2] = expiresAt;
  }
}

/** A full file is closed and a new one begun. Files are removed whole, when all their entries have expired. */
const FILE_BYTES = 65_536 * ENTRY_BYTES;
const NAME = /^\d+$/u;

/**
 * Files of entries to which several processes append while they hold the folder's mutex. A closed file ends with an
 * entry of expiry 0 that holds the latest expiry of the others. A process killed during a write leaves a partial entry,
 * which the next one cuts off: nobody got an answer that relies on it.
 */
export class NonceFile {
  #number: number;
  #fd: number;
  #offset = 0;
  #latest = 0;

  /** @param take receives all entries that others append, in pieces */
  constructor(
    private readonly folder: string,
    private readonly reserve: Reserve,
    private readonly take: (entries: Buffer) => void,
  ) {
    this.#number = this.#numbers()[0] ?? 1;
    this.#fd = this.#open(this.#number);
    this.catchUp();
  }

  catchUp(): void {
    for (;;) {
      const { size } = fstatSync(this.#fd);
      const end = size - (size % ENTRY_BYTES);
      if (end < size) ftruncateSync(this.#fd, end);
      if (end <= this.#offset) return;
      const entries = this.#read(this.#offset, end);
      const isClosed = expiryOf(entries, entries.length - ENTRY_BYTES) === 0;
      const live = isClosed ? entries.subarray(0, -ENTRY_BYTES) : entries;
      this.#note(live);
      this.take(live);
      if (!isClosed) {
        this.#offset = end;
        return;
      }
      // Files in between may be gone. If the next one cannot be opened, this one stays current, with the offset before
      // its end, so that nothing is appended.
      this.#enter(this.#numbers().find((number) => number > this.#number) ?? this.#number + 1);
    }
  }

  /** Appends entries, all or none; call `catchUp` first. @param now seconds since 1970 */
  append(entries: Buffer, now: number): void {
    if (this.#offset >= FILE_BYTES) {
      this.#startNextFile();
      this.#removeExpired(now);
    }
    this.#write(entries);
    this.#note(entries);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #startNextFile(): void {
    const end = this.#offset;
    const last = Buffer.alloc(ENTRY_BYTES);
    last.writeUInt32LE(this.#latest);
    this.#write(last);
    this.#offset = end;
    this.catchUp();
  }

  #note(entries: Buffer): void {
    for (let at = 0; at < entries.length; at += ENTRY_BYTES)
      this.#latest = Math.max(this.#latest, expiryOf(entries, at));
  }

  #write(bytes: Buffer): void {
    append(this.#fd, bytes, this.#offset, this.reserve);
    this.#offset += bytes.length;
  }

  #read(start: number, end: number): Buffer {
    const bytes = Buffer.alloc(end - start);
    for (let at = 0; at < bytes.length;) {
      const count = readSync(this.#fd, bytes, at, bytes.length - at, start + at);
      if (count === 0) throw new Error(`${this.folder} was cut short by somebody else.`);
      at += count;
    }
    return bytes;
  }

  #enter(number: number): void {
    const fd = this.#open(number);
    closeSync(this.#fd);
    this.#fd = fd;
    this.#number = number;
    this.#offset = 0;
    this.#latest = 0;
  }

  #removeExpired(now: number): void {
    for (const number of this.#numbers().filter((each) => each < this.#number)) {
      const file = join(this.folder, String(number));
      const fd = openSync(file, 'r');
      const last = Buffer.alloc(ENTRY_BYTES);
      readSync(fd, last, 0, ENTRY_BYTES, Math.max(0, fstatSync(fd).size - ENTRY_BYTES));
      closeSync(fd);
      if (last.readUInt32LE() >= now) return;
      rmSync(file);
    }
  }

  #numbers(): number[] {
    const names = readdirSync(this.folder).filter((name) => NAME.test(name));
    return names.map(Number).sort((a, b) => a - b);
  }

  #open(number: number): number {
    return openSync(join(this.folder, String(number)), constants.O_RDWR | constants.O_CREAT, 0o600);
  }
}
