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
import { append, type Reserve } from './reserve.js';
import { ENTRY_BYTES, expiryOf } from './seen-digests.js';

/** A file of so many bytes is closed, and the next one begun: whole files are removed when all in them has expired. */
const FILE_BYTES = 65_536 * ENTRY_BYTES;
const NAME = /^\d+$/u;

/**
 * Entries in files to which any number of processes append, one after the other: every call is made by whoever holds the
 * mutex of the folder. The last entry of a file that is closed expires at 0, and tells when all others have expired. A
 * process that is killed in the middle of a write leaves a part of an entry, which the next one cuts off: nobody was
 * answered for it.
 */
export class NonceFile {
  readonly #folder: string;
  readonly #reserve: Reserve;
  readonly #take: (entries: Buffer) => void;
  #number: number;
  #fd: number;
  /** How far this process has read or written, and when the last of those entries expires. */
  #offset = 0;
  #latest = 0;

  /** @param take is given all entries that others appended, those of before included, in pieces */
  constructor(folder: string, reserve: Reserve, take: (entries: Buffer) => void) {
    this.#folder = folder;
    this.#reserve = reserve;
    this.#take = take;
    this.#number = this.#numbers()[0] ?? 1;
    this.#fd = this.#open(this.#number);
    this.catchUp();
  }

  /** Takes in what others appended. */
  catchUp(): void {
    for (;;) {
      const { size } = fstatSync(this.#fd);
      const end = size - (size % ENTRY_BYTES);
      if (end < size) ftruncateSync(this.#fd, end);
      if (end <= this.#offset) return;
      const entries = this.#read(this.#offset, end);
      const isClosed = expiryOf(entries, entries.length - ENTRY_BYTES) === 0;
      this.#takeIn(isClosed ? entries.subarray(0, -ENTRY_BYTES) : entries);
      if (!isClosed) {
        this.#offset = end;
        return;
      }
      // Files in between may be gone, if all in them has expired. Where the next one cannot be opened this one stays, with
      // the offset before its end, so that nothing is appended until it can.
      this.#enter(this.#numbers().find((number) => number > this.#number) ?? this.#number + 1);
    }
  }

  /**
   * Appends entries, after `catchUp`: all or none.
   * @param now seconds since 1970
   * @throws what the file system says
   */
  append(entries: Buffer, now: number): void {
    if (this.#offset >= FILE_BYTES) {
      this.#goOn();
      this.#removeExpired(now);
    }
    this.#write(entries);
    this.#note(entries);
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Closes this file, and goes on to the next one as all others do. */
  #goOn(): void {
    const end = this.#offset;
    const last = Buffer.alloc(ENTRY_BYTES);
    last.writeUInt32LE(this.#latest);
    this.#write(last);
    this.#offset = end;
    this.catchUp();
  }

  #takeIn(entries: Buffer): void {
    this.#note(entries);
    this.#take(entries);
  }

  #note(entries: Buffer): void {
    for (let at = 0; at < entries.length; at += ENTRY_BYTES)
      this.#latest = Math.max(this.#latest, expiryOf(entries, at));
  }

  #write(bytes: Buffer): void {
    append(this.#fd, bytes, this.#offset, this.#reserve);
    this.#offset += bytes.length;
  }

  #read(start: number, end: number): Buffer {
    const bytes = Buffer.alloc(end - start);
    for (let at = 0; at < bytes.length;) {
      const count = readSync(this.#fd, bytes, at, bytes.length - at, start + at);
      if (count === 0) throw new Error(`${this.#folder} was cut short by somebody else.`);
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

  /** The oldest first, up to one that holds something live. */
  #removeExpired(now: number): void {
    for (const number of this.#numbers().filter((each) => each < this.#number)) {
      const file = join(this.#folder, String(number));
      const fd = openSync(file, 'r');
      const last = Buffer.alloc(ENTRY_BYTES);
      readSync(fd, last, 0, ENTRY_BYTES, Math.max(0, fstatSync(fd).size - ENTRY_BYTES));
      closeSync(fd);
      if (last.readUInt32LE() >= now) return;
      rmSync(file);
    }
  }

  #numbers(): number[] {
    const names = readdirSync(this.#folder).filter((name) => NAME.test(name));
    return names.map(Number).sort((a, b) => a - b);
  }

  #open(number: number): number {
    return openSync(join(this.#folder, String(number)), constants.O_RDWR | constants.O_CREAT, 0o600);
  }
}
