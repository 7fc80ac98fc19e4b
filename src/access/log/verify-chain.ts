import type { Pause } from '../../store/steps.js';
import { sha256 } from '../../store/disk/bytes.js';
import { withFile } from '../../store/disk/small-files.js';
import { readEntryText, type DroppedEntries } from './access-entry.js';
import {
  CLOSED,
  isInTheClear,
  readHeader,
  readLine,
  type ChainHead,
  type ChainLine,
  type SegmentHeader,
} from './segment-files.js';
import { listSegments, readLines, segmentFile, utf8 } from './segment-files.js';

export interface Checkpoint extends ChainHead {
  readonly chain: string;
}

export interface Verification {
  readonly entries: number;
  readonly intact: boolean;
  readonly brokenAt?: number;
  readonly file?: string;
  readonly line?: number;
  readonly reason?: string;
}

class Break extends Error {
  constructor(
    readonly entry: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Follows the chain, read-only, from its beginning or from where retention cut it off. A chain that lost its newest
 * entries still passes: only an earlier checkpoint reveals that.
 */
export function verifyChain(folder: string, checkpoint?: Checkpoint): Verification {
  const steps = verifySegments(folder, checkpoint);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As verifyChain, a segment at a time, in a log that others write to meanwhile. */
export async function verifyInSteps(
  folder: string,
  checkpoint: Checkpoint | undefined,
  pause: Pause,
): Promise<Verification> {
  const steps = verifySegments(folder, checkpoint);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

function* verifySegments(folder: string, checkpoint?: Checkpoint): Generator<undefined, Verification> {
  const chain = new ChainReader(checkpoint);
  let place: { file?: string; line?: number } = {};
  try {
    // Listed anew each time, because a new segment may have begun.
    let segment: number | undefined;
    const following = (last = -1): number | undefined => listSegments(folder).find((each) => each > last);
    while ((segment = following(segment)) !== undefined) {
      const own = segment;
      const file = segmentFile(folder, segment);
      place = { file, line: 1 };
      withFile(file, (fd) => {
        let line = 0;
        for (const { text } of readLines(fd)) {
          place = { file, line: ++line };
          if (line === 1) chain.header(text, own);
          else chain.line(text);
        }
        if (line === 0) throw new Break(chain.entries + 1, 'the segment has no header');
      });
      yield;
    }
    place = {};
    chain.end();
    return { entries: chain.count, intact: true };
  } catch (error) {
    if (!(error instanceof Break)) throw error;
    const { entry: brokenAt, message: reason } = error;
    return { entries: chain.count, intact: false, brokenAt, ...place, reason };
  }
}

class ChainReader {
  count = 0;
  entries = 0;
  #hash = '';
  #first: SegmentHeader | undefined;
  #previous: SegmentHeader | undefined;
  #isClosed = false;
  #dropIsTold = false;

  constructor(private checkpoint: Checkpoint | undefined) {}

  header(text: string, segment: number): void {
    const header = readHeader(text);
    const next = this.entries + 1;
    if (header?.segment !== segment) throw new Break(next, 'the header of the segment has been changed');
    if (this.#previous) this.#follow(header, this.#previous, next);
    else this.#begin(header);
    this.#previous = header;
    this.#isClosed = false;
    this.#hash = sha256(text);
    this.#compare();
  }

  line(text: string): void {
    const next = this.entries + 1;
    if (this.#isClosed) throw new Break(next, 'there are lines after the end of the segment');
    const line = readLine(text);
    if (!line) throw new Break(next, 'the line is none of the log');
    const isClosing = line.stored === CLOSED;
    const expected = isClosing ? this.entries : next;
    if (line.entries > expected) throw new Break(next, `entries ${next} to ${line.entries - 1} are missing`);
    if (line.entries < expected) throw new Break(next, `entry ${line.entries} stands where ${next} belongs`);
    if (hashOf(this.#hash, line) !== line.hash)
      throw new Break(
        next,
        isClosing ? 'the end of the segment has been changed' : 'the entry has been changed',
      );
    this.#hash = line.hash;
    this.entries = line.entries;
    this.#isClosed = isClosing;
    if (!isClosing) {
      this.count++;
      this.#lookForDrop(line);
    }
    this.#compare();
  }

  end(): void {
    const next = this.entries + 1;
    if (this.#isClosed) throw new Break(next, 'the segment that follows is missing');
    if (this.#first && this.#first.entries > 0 && !this.#dropIsTold)
      throw new Break(
        this.#first.entries,
        `entries up to ${this.#first.entries} are missing, and no entry tells that they were dropped`,
      );
    const kept = this.checkpoint;
    if (kept && kept.entries >= (this.#first?.entries ?? 0))
      throw new Break(
        kept.entries > this.entries ? next : kept.entries,
        kept.entries > this.entries
          ? `the checkpoint knows ${kept.entries} entries`
          : `the chain had another hash at entry ${kept.entries} when the checkpoint was printed`,
      );
  }

  #begin(header: SegmentHeader): void {
    if (this.checkpoint && this.checkpoint.chain !== header.chain)
      throw new Break(1, 'the checkpoint is of another chain');
    if (header.segment === 1 && (header.entries !== 0 || header.hash !== header.chain))
      throw new Break(1, 'the header of the segment has been changed');
    this.#first = header;
    this.entries = header.entries;
    this.#hash = header.hash;
    this.#compare();
  }

  #follow(header: SegmentHeader, previous: SegmentHeader, next: number): void {
    if (header.segment !== previous.segment + 1)
      throw new Break(next, `entries ${next} to ${header.entries} are missing`);
    if (!this.#isClosed) throw new Break(next, 'the end of the segment before it is missing');
    const same =
      header.chain === previous.chain && header.entries === this.entries && header.hash === this.#hash;
    if (!same) throw new Break(next, 'the header of the segment has been changed');
  }

  /** Retention records in the chain where it cut, with the hash there. */
  #lookForDrop(line: ChainLine): void {
    const first = this.#first;
    if (this.#dropIsTold || !first || first.entries === 0) return;
    const dropped = dropOf(line);
    if (dropped === undefined || dropped.through < first.entries) return;
    this.#dropIsTold = dropped.through > first.entries || dropped.hash === first.hash;
  }

  #compare(): void {
    const kept = this.checkpoint;
    if (kept?.entries === this.entries && kept.hash === this.#hash) this.checkpoint = undefined;
  }
}

/** Only retention entries are in the clear. */
function dropOf(line: ChainLine): DroppedEntries | undefined {
  if (!isInTheClear(line.stored)) return undefined;
  try {
    return readEntryText(utf8(line.stored), line.entries).dropped;
  } catch {
    throw new Break(line.entries, 'the entry cannot be read');
  }
}

/** Lines are Latin-1, so that every byte counts. */
function hashOf(previous: string, { entries, stored }: ChainLine): string {
  return sha256(Buffer.from(`${previous} ${entries} ${stored}`, 'latin1'));
}
