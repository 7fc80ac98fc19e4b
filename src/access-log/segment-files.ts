import { fstatSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { AccessLogError } from './access-log-error.js';
import { readHeader, type SegmentHeader } from './chain-lines.js';

const NAME = /^(\d{9})\.log$/u;
const LINE_FEED = 10;
/** How much is read at once; lines are shorter, nearly always. */
const CHUNK = 65_536;

/** The file of a segment. */
export function segmentFile(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(9, '0')}.log`);
}

/** The numbers of the segments in a folder, ascending. */
export function listSegments(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** One line with the offset of its first byte; without its line feed. */
export interface PlacedLine {
  readonly offset: number;
  readonly text: string;
}

/**
 * The lines of an open file from an offset on. What follows the last line feed is left out: somebody may be writing it.
 * Bytes are read as Latin-1, so that no two of them give the same text; `utf8` turns a line into what was written.
 */
export function* readLines(fd: number, offset = 0): Generator<PlacedLine> {
  const chunk = Buffer.alloc(CHUNK);
  let rest = '';
  let begin = offset;
  for (let at = offset; ;) {
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

/** The text that bytes read as Latin-1 stand for. */
export function utf8(latin1: string): string {
  // Nearly every line is ASCII.
  return /[\u0080-\u00ff]/u.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}

/** The one line at an offset. */
export function readLineAt(fd: number, offset: number): string | undefined {
  for (let size = 1024; ; size *= 4) {
    const bytes = Buffer.alloc(size);
    const read = readSync(fd, bytes, 0, size, offset);
    const end = bytes.subarray(0, read).indexOf(LINE_FEED);
    if (end >= 0) return bytes.toString('utf8', 0, end);
    if (read < size) return undefined;
  }
}

/** The end of the last whole line of an open file, and that line where it begins at or after `from`. */
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

/** The header of an open segment. @throws AccessLogError for another file */
export function headerOf(fd: number, file: string): SegmentHeader & { readonly length: number } {
  const text = readLineAt(fd, 0) ?? '';
  const header = readHeader(text);
  if (!header)
    throw new AccessLogError(`${file} is damaged: run chartgraph audit verify, and keep the file.`);
  return { ...header, length: text.length + 1 };
}
