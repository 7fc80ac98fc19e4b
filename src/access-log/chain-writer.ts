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
import type { Mutex } from '../disk/mutex.js';
import { append, type Reserve } from '../disk/reserve.js';
import { sha256 } from '../disk/sha256.js';
import { withFile } from '../disk/with-file.js';
import {
  chained,
  CLOSED,
  headerHash,
  headerText,
  newChain,
  readLine,
  type ChainHead,
  type SegmentHeader,
} from './chain-lines.js';
import { headerOf, lastLine, listSegments, segmentFile } from './segment-files.js';

/** A segment that is longer, or older, is closed: whole segments are indexed, and dropped when their time is over. */
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
 * Appends to the one chain of a folder, which all processes share: whoever has the mutex first reads how far the others
 * came. A process that is killed in the middle of a write leaves at most a line without an end, which the next one cuts
 * off, since nobody was answered for it.
 */
export class ChainWriter {
  #segment: OpenSegment;
  /** The end of the last whole line. */
  #offset = 0;
  #entries = 0;
  #hash = '';
  /** Whether the segment has its last line: until the next one is open, nothing is appended. */
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

  /** Where the chain stands now, whoever wrote last. */
  head(): ChainHead & { readonly chain: string } {
    return this.mutex.run(() => {
      this.#catchUp();
      return { chain: this.#segment.chain, entries: this.#entries, hash: this.#hash };
    });
  }

  /** Hands stored entries to the operating system, all or none. @throws what the file system says */
  append(stored: readonly string[]): void {
    this.mutex.run(() => {
      this.#catchUp();
      this.#closeWhenFull();
      const head: ChainHead = { entries: this.#entries, hash: this.#hash };
      this.#write(...chained(head, stored));
    });
  }

  /** Makes what was appended so far, by whomever, outlive a power loss. */
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

  /** Reads how far other processes have come. */
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
      // After a line that cannot be read the chain goes on; verifying it names that line.
      this.#entries = line?.entries ?? this.#entries + 1;
      this.#hash = line?.hash ?? sha256(text);
      if (line?.stored !== CLOSED) return;
      this.#isClosed = true;
    }
  }

  #closeWhenFull(): void {
    const age = Date.now() - this.#segment.begun;
    if (this.#offset < this.limits.bytes && age < this.limits.milliseconds) return;
    // That line counts no entry.
    const before: ChainHead = { entries: this.#entries - 1, hash: this.#hash };
    this.#write(...chained(before, [CLOSED]));
    this.#isClosed = true;
    fdatasyncSync(this.#segment.fd);
    this.#catchUp();
  }

  /** Somebody removed the file under a running process: what is missing must show, and nothing be written to nowhere. */
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
    // Whoever began a segment may have been killed before its header stood; the one before it is closed by then.
    const begun = (number: number): boolean =>
      withFile(segmentFile(this.folder, number), (fd) => lastLine(fd, 0).text) !== undefined;
    this.#segment = this.#openSegment(listSegments(this.folder).findLast(begun) ?? 1);
    this.#catchUp();
    return this.#segment;
  }

  /** Opens a segment at its header, with which it is begun where it is missing or was not finished. */
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
    this.#hash = headerHash(headerText(header));
  }

  #beginSegment(fd: number, segment: number): void {
    const first = this.#hash === '';
    const chain = first ? newChain() : this.#segment.chain;
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
