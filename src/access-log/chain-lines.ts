import { randomBytes } from 'node:crypto';
import { sha256 } from '../disk/sha256.js';

/**
 * Where a chain stands: the number of its last entry and its hash, 43 characters of base64url. Each line's hash is
 * SHA-256 over the hash before it, a space and the rest of the line; the header of a segment is hashed alike.
 */
export interface ChainHead {
  readonly entries: number;
  readonly hash: string;
}

/** The first line of a segment: which chain, which segment, where the chain stands, and when it was begun. */
export interface SegmentHeader extends ChainHead {
  /** Names the chain: random, and what its first hash is made of. */
  readonly chain: string;
  readonly segment: number;
  readonly begun: string;
}

/** One entry, or the line that closes a segment, as it stands in the file. */
export interface ChainLine extends ChainHead {
  readonly stored: string;
}

/** What the last line of a segment holds in the place of an entry. */
export const CLOSED = 'closed';

/** Whether a stored entry is JSON that anybody can read: what retention says, and everything until entries were sealed. */
export function isInTheClear(stored: string): boolean {
  return stored.startsWith('[') || stored.startsWith('{');
}

/** As long as it can be: a number, a hash, two spaces, and the line feed. */
const LINE_BEGINNING = 15 + 43 + 3;
const HASH = '[A-Za-z0-9_-]{43}';
const HEADER = new RegExp(
  `^chartgraph-access-log 1 (${HASH}) (\\d{1,9}) (\\d{1,15}) (${HASH}) (\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,12}Z)$`,
  'u',
);
const LINE = new RegExp(`^(0|[1-9]\\d{0,14}) (${HASH}) (.+)$`, 'su');

/** The lines of stored entries that follow a head, each with its line feed, and where the chain then stands. */
export function chained(head: ChainHead, stored: readonly string[]): [lines: Buffer, head: ChainHead] {
  let { entries, hash } = head;
  const lines = Buffer.allocUnsafe(stored.reduce((sum, each) => sum + each.length + LINE_BEGINNING, 0));
  let end = 0;
  for (const each of stored) {
    const begin = end;
    entries += 1;
    end += lines.write(`${hash} ${entries} ${each}\n`, begin, 'latin1');
    hash = sha256(lines.subarray(begin, end - 1));
    // What is hashed is as long as the line: the two differ in how they begin.
    lines.write(`${entries} ${hash}`, begin, 'latin1');
  }
  return [lines.subarray(0, end), { entries, hash }];
}

/** The line that a segment begins with, without its line feed. */
export function headerText({ chain, segment, entries, hash, begun }: SegmentHeader): string {
  return `chartgraph-access-log 1 ${chain} ${segment} ${entries} ${hash} ${begun}`;
}

/** The hash that the first entry of a segment follows. */
export function headerHash(text: string): string {
  return sha256(text);
}

/** Reads the first line of a segment; undefined for what is none. */
export function readHeader(text: string): SegmentHeader | undefined {
  const [, chain, segment, entries, hash, begun] = HEADER.exec(text) ?? [];
  if (chain === undefined || hash === undefined || begun === undefined) return undefined;
  return { chain, segment: Number(segment), entries: Number(entries), hash, begun };
}

/** Reads a line; undefined for what is none. */
export function readLine(text: string): ChainLine | undefined {
  const [, entries, hash, stored] = LINE.exec(text) ?? [];
  if (hash === undefined || stored === undefined) return undefined;
  return { entries: Number(entries), hash, stored };
}

/** A name for a new chain. */
export function newChain(): string {
  return randomBytes(32).toString('base64url');
}
