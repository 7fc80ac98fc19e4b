import { fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { AccessLogError } from './access-entry.js';

const NAME = /^(\d{9})\.log$/u;
const LINE_FEED = 10;
const CHUNK = 65_536;

export function segmentFile(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(9, '0')}.log`);
}

export function listSegments(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** A line without its line feed, with the offset of its first byte. */
export interface PlacedLine {
  readonly offset: number;
  readonly text: string;
}

/**
 * Yields the complete lines of an open file. They are decoded as Latin-1, which maps every byte string to a different
 * text; `utf8` recovers what was written.
 * @param from offset of a line
 */
export function* readLines(fd: number, from = 0): Generator<PlacedLine> {
  const chunk = Buffer.alloc(CHUNK);
  let rest = '';
  let begin = from;
  for (let at = from; ;) {
    const size = readSync(fd, chunk, 0, CHUNK, at);
    if (size === 0) return;
    at += size;
    const lines = (rest + chunk.toString('latin1', 0, size)).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      yield { offset: begin, text };
      begin += text.length + 1;
    }
  }
}

export function utf8(latin1: string): string {
  // Nearly every line is ASCII.
  return /[\u0080-\u00ff]/u.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}

export function readLineAt(fd: number, offset: number): string | undefined {
  for (let size = 1024; ; size *= 4) {
    const bytes = Buffer.alloc(size);
    const read = readSync(fd, bytes, 0, size, offset);
    const end = bytes.subarray(0, read).indexOf(LINE_FEED);
    if (end >= 0) return bytes.toString('utf8', 0, end);
    if (read < size) return undefined;
  }
}

/** Returns the end of the last complete line, and the line itself if it begins at or after `from`. */
export function lastLine(fd: number, from: number): { end: number; text: string | undefined } {
  const { size } = fstatSync(fd);
  for (let length = CHUNK; ; length *= 4) {
    const begin = Math.max(from, size - length);
    const bytes = Buffer.alloc(size - begin);
    const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, begin));
    const last = read.lastIndexOf(LINE_FEED);
    const before = last < 1 ? -1 : read.lastIndexOf(LINE_FEED, last - 1);
    if (begin > from && before < 0) continue;
    if (last < 0) return { end: from, text: undefined };
    return { end: begin + last + 1, text: read.toString('utf8', before + 1, last) };
  }
}

/** @throws AccessLogError when the file has no header */
export function headerOf(fd: number, file: string): SegmentHeader & { readonly length: number } {
  const text = readLineAt(fd, 0) ?? '';
  const header = readHeader(text);
  if (!header)
    throw new AccessLogError(`${file} is damaged: run chartgraph audit verify, and keep the file.`);
  return { ...header, length: text.length + 1 };
}

/**
 * The state of a chain: the number and hash (base64url) of its last entry. A line's hash is SHA-256 over the previous
 * hash, a space and the rest of the line; segment headers are hashed the same way.
 */
export interface ChainHead {
  readonly entries: number;
  readonly hash: string;
}

export interface SegmentHeader extends ChainHead {
  /** Random; the chain starts with it as its hash. */
  readonly chain: string;
  readonly segment: number;
  readonly begun: string;
}

export interface ChainLine extends ChainHead {
  readonly stored: string;
}

/** Stands in place of an entry in the last line of a segment. */
export const CLOSED = 'closed';

/** Whether an entry is readable without a key: those of retention, and those from before entries were sealed. */
export function isInTheClear(stored: string): boolean {
  return stored.startsWith('[') || stored.startsWith('{');
}

const HASH = '[A-Za-z0-9_-]{43}';
const HEADER = new RegExp(
  `^chartgraph-access-log 1 (${HASH}) (\\d{1,9}) (\\d{1,15}) (${HASH}) (\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,12}Z)$`,
  'u',
);
const LINE = new RegExp(`^(0|[1-9]\\d{0,14}) (${HASH}) (.+)$`, 'su');

export function headerText({ chain, segment, entries, hash, begun }: SegmentHeader): string {
  return `chartgraph-access-log 1 ${chain} ${segment} ${entries} ${hash} ${begun}`;
}

export function readHeader(text: string): SegmentHeader | undefined {
  const [, chain, segment, entries, hash, begun] = HEADER.exec(text) ?? [];
  if (chain === undefined || hash === undefined || begun === undefined) return undefined;
  return { chain, segment: Number(segment), entries: Number(entries), hash, begun };
}

export function readLine(text: string): ChainLine | undefined {
  const [, entries, hash, stored] = LINE.exec(text) ?? [];
  if (hash === undefined || stored === undefined) return undefined;
  return { entries: Number(entries), hash, stored };
}
