import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { Mutex } from '../../store/disk/lmdb-locks.js';
import { append, type Reserve } from '../../store/disk/disk-space.js';
import { sha256 } from '../../store/disk/bytes.js';
import { withFile } from '../../store/disk/small-files.js';
import {
  CLOSED,
  headerText,
  readLine,
  headerOf,
  lastLine,
  listSegments,
  segmentFile,
  type ChainHead,
  type SegmentHeader,
} from './segment-files.js';

/** A segment beyond either limit is closed; whole segments are indexed and dropped. */
export interface SegmentLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

interface OpenSegment {
  readonly number: number;
  readonly fd: number;
  readonly chain: string;
  readonly begun: number;
}

/**
 * Appends to the one chain of a folder, which all processes share: the holder of the mutex first reads what the
 * others wrote. A process killed during a write leaves an unfinished line. The next writer cuts it off, since its
 * request was never answered.
 */
export class ChainWriter {
  #segment: OpenSegment;
  #offset = 0;
  #entries = 0;
  #hash = '';
  /** Whether the segment has its last line; the next segment must open before anything is appended. */
  #isClosed = false;
  #syncing: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly mutex: Mutex,
    private readonly limits: SegmentLimits,
    private readonly reserve: Reserve,
  ) {
    this.#segment = mutex.run(() => this.#openNewest());
  }

  head(): ChainHead & { readonly chain: string } {
    return this.mutex.run(() => {
      this.#catchUp();
      return { chain: this.#segment.chain, entries: this.#entries, hash: this.#hash };
    });
  }

  /** Hands stored entries to the operating system, all or none. */
  append(stored: readonly string[]): void {
    this.mutex.run(() => {
      this.#catchUp();
      this.#closeWhenFull();
      const head: ChainHead = { entries: this.#entries, hash: this.#hash };
      this.#write(...chained(head, stored));
    });
  }

  /** Makes everything appended so far, by any process, survive a power loss. */
  async sync(): Promise<void> {
    this.#syncing = promisify(fdatasync)(this.#segment.fd);
    await this.#syncing;
  }

  close(): void {
    fdatasyncSync(this.#segment.fd);
    closeSync(this.#segment.fd);
  }

  #write(bytes: Buffer, head: ChainHead): void {
    append(this.#segment.fd, bytes, this.#offset, this.reserve);
    this.#offset += bytes.length;
    this.#entries = head.entries;
    this.#hash = head.hash;
  }

  #catchUp(): void {
    for (;;) {
      if (this.#isClosed) this.#enter(this.#openSegment(this.#segment.number + 1));
      const { size, nlink } = fstatSync(this.#segment.fd);
      if (nlink === 0) return this.#leaveRemoved();
      if (size === this.#offset) return;
      const { end, text } = lastLine(this.#segment.fd, Math.min(this.#offset, size));
      if (end < size) ftruncateSync(this.#segment.fd, end);
      this.#offset = end;
      if (text === undefined) return;
      const line = readLine(text);
      // The chain continues after an unreadable line; verifying reports that line.
      this.#entries = line?.entries ?? this.#entries + 1;
      this.#hash = line?.hash ?? sha256(text);
      if (line?.stored !== CLOSED) return;
      this.#isClosed = true;
    }
  }

  #closeWhenFull(): void {
    const age = Date.now() - this.#segment.begun;
    if (this.#offset < this.limits.bytes && age < this.limits.milliseconds) return;
    // The closing line does not count as an entry.
    const before: ChainHead = { entries: this.#entries - 1, hash: this.#hash };
    this.#write(...chained(before, [CLOSED]));
    this.#isClosed = true;
    fdatasyncSync(this.#segment.fd);
    this.#catchUp();
  }

  /** After someone removed the file: writes must not be lost in it, and the gap must show. */
  #leaveRemoved(): void {
    const newest = listSegments(this.folder).at(-1) ?? 0;
    const here = this.#segment.number;
    this.#enter(this.#openSegment(newest > here ? newest : here + 1));
    if (newest > here) this.#catchUp();
  }

  #enter(segment: OpenSegment): void {
    const { fd } = this.#segment;
    const letGo = (): void => closeSync(fd);
    void this.#syncing.then(letGo, letGo);
    this.#segment = segment;
    this.#isClosed = false;
  }

  #openNewest(): OpenSegment {
    // A process may have been killed before it wrote its header; the segment before is closed by then.
    const begun = (number: number): boolean =>
      withFile(segmentFile(this.folder, number), (fd) => lastLine(fd, 0).text) !== undefined;
    this.#segment = this.#openSegment(listSegments(this.folder).findLast(begun) ?? 1);
    this.#catchUp();
    return this.#segment;
  }

  #openSegment(number: number): OpenSegment {
    const file = segmentFile(this.folder, number);
    const fd = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      if (lastLine(fd, 0).text === undefined) this.#beginSegment(fd, number);
      const header = headerOf(fd, file);
      this.#startAt(header);
      return { number, fd, chain: header.chain, begun: Date.parse(header.begun) };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  #startAt(header: SegmentHeader & { readonly length: number }): void {
    this.#offset = header.length;
    this.#entries = header.entries;
    this.#hash = sha256(headerText(header));
  }

  #beginSegment(fd: number, segment: number): void {
    const first = this.#hash === '';
    const chain = first ? randomBytes(32).toString('base64url') : this.#segment.chain;
    const hash = first ? chain : this.#hash;
    const header = { chain, segment, entries: this.#entries, hash, begun: new Date().toISOString() };
    ftruncateSync(fd, 0);
    writeSync(fd, headerText(header) + '\n', 0);
    fdatasyncSync(fd);
    const folder = openSync(this.folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}

/** The most a line adds: a number, a hash, two spaces and the line feed. */
const LINE_BEGINNING = 15 + 43 + 3;
function chained(head: ChainHead, stored: readonly string[]): [lines: Buffer, head: ChainHead] {
  let { entries, hash } = head;
  const lines = Buffer.allocUnsafe(stored.reduce((sum, each) => sum + each.length + LINE_BEGINNING, 0));
  let end = 0;
  for (const each of stored) {
    const begin = end;
    entries += 1;
    end += lines.write(`${hash} ${entries} ${each}\n`, begin, 'latin1');
    hash = sha256(lines.subarray(begin, end - 1));
    // The hashed text is as long as the line; only its beginning differs, so it is overwritten in place.
    lines.write(`${entries} ${hash}`, begin, 'latin1');
  }
  return [lines.subarray(0, end), { entries, hash }];
}
