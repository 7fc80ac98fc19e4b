import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isNoRoom } from '../../store/disk/disk-space.js';
import { noPostingLists, openPostingLists, type PostingLists } from '../../store/disk/posting-lists.js';
import { withFile } from '../../store/disk/small-files.js';
import { addTo } from '../../rdf/by-key.js';
import { readEntryText, type RecordedEntry, type Sealing } from './access-entry.js';
import { CLOSED, readHeader, readLine } from './segment-files.js';
import { listSegments, type PlacedLine, readLineAt, readLines, segmentFile, utf8 } from './segment-files.js';

export interface AccessFilter {
  readonly record?: string | undefined;
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  readonly limit?: number | undefined;
}

const keys = {
  record: (entry: RecordedEntry) => [entry.record],
  user: (entry: RecordedEntry) => [entry.user, entry.account, entry.onBehalfOf],
  app: (entry: RecordedEntry) => [entry.app],
} as const;

// Ordered from the fewest entries (a record) to the most (an app).
const names = ['record', 'user', 'app'] as const;

function keysOf(entry: RecordedEntry): string[] {
  return names.flatMap((name) =>
    [...new Set(keys[name](entry))].flatMap((value) => (value === undefined ? [] : `${name} ${value}`)),
  );
}

function narrowestKey(filter: AccessFilter): string | undefined {
  const name = names.find((each) => filter[each] !== undefined);
  return name && `${name} ${filter[name]}`;
}

export function isAskedFor(entry: RecordedEntry, filter: AccessFilter): boolean {
  const { since } = filter;
  if (since !== undefined && Date.parse(entry.time) < since) return false;
  return names.every((name) => filter[name] === undefined || keys[name](entry).includes(filter[name]));
}

const LINES_IN_A_TURN = 500;

/** Opens the index of closed segments, which is derived from them. Without disk space, segments are read whole. */
export async function openEntryIndex(folder: string): Promise<PostingLists> {
  // The names in the index of 0.3 were not keyed.
  rmSync(join(folder, 'index'), { recursive: true, force: true });
  try {
    return await openPostingLists(join(folder, 'keyed-index'));
  } catch (error) {
    if (isNoRoom(error)) return noPostingLists;
    throw error;
  }
}

export async function indexClosed(folder: string, index: PostingLists, sealing: Sealing): Promise<void> {
  for (const segment of listSegments(folder).slice(0, -1)) {
    if (index.facts(segment) !== undefined) continue;
    // Reads the whole file, a few megabytes, because retention may remove it between turns.
    const lines = withFile(segmentFile(folder, segment), (fd) => [...readLines(fd)]);
    if (lines && !(await indexSegment(segment, lines, index, sealing))) return;
  }
}

async function indexSegment(
  segment: number,
  lines: readonly PlacedLine[],
  index: PostingLists,
  sealing: Sealing,
): Promise<boolean> {
  const lists = new Map<string, number[]>();
  let [first, last] = [Infinity, -Infinity];
  for (const [at, { offset, text }] of lines.entries()) {
    if (at % LINES_IN_A_TURN === LINES_IN_A_TURN - 1) await nextTurn();
    const entry = entryOf(utf8(text), sealing);
    if (!entry) continue;
    const time = Date.parse(entry.time);
    first = Math.min(first, time);
    last = Math.max(last, time);
    for (const key of keysOf(entry)) addTo(lists, sealing.name(key), offset);
  }
  return index.add(segment, { first, last }, lists);
}

function entryOf(text: string, sealing: Sealing): RecordedEntry | undefined {
  const line = readLine(text);
  if (!line || line.stored === CLOSED || readHeader(text)) return undefined;
  try {
    return readEntryText(sealing.open(line.stored), line.entries);
  } catch {
    return undefined;
  }
}

interface EntrySource {
  readonly folder: string;
  readonly index: PostingLists;
  readonly sealing: Sealing;
}

/**
 * Yields the entries that match a filter, by number or newest first. With a record, user or app, the index says which
 * parts of closed segments to read. Skips unreadable lines; verifying reports them.
 */
export async function* readEntries(
  source: EntrySource,
  filter: AccessFilter = {},
): AsyncGenerator<RecordedEntry> {
  const { folder, index, sealing } = source;
  await indexClosed(folder, index, sealing);
  const segments = listSegments(folder);
  if (filter.newestFirst) segments.reverse();
  let left = filter.limit ?? Infinity;
  for (const segment of segments) {
    for (const entry of entriesOf(segment, source, filter)) {
      if (left-- <= 0) return;
      yield entry;
    }
  }
}

function entriesOf(
  segment: number,
  { folder, index, sealing }: EntrySource,
  filter: AccessFilter,
): RecordedEntry[] {
  const facts = index.facts(segment);
  if (facts && filter.since !== undefined && facts.last < filter.since) return [];
  const key = narrowestKey(filter);
  const found = withFile(segmentFile(folder, segment), (fd) => {
    const lines =
      facts && key !== undefined
        ? [...index.positions(sealing.name(key), segment)].map((offset) => readLineAt(fd, offset) ?? '')
        : Array.from(readLines(fd), ({ text }) => utf8(text));
    return lines.flatMap((line) => entryOf(line, sealing) ?? []);
  });
  const matching = (found ?? []).filter((entry) => isAskedFor(entry, filter));
  return filter.newestFirst ? matching.reverse() : matching;
}

/** Formats a CSV cell (RFC 4180) without control characters, so that no spreadsheet reads it as a formula. */
export function guardedCell(text: string): string {
  // Some localized spreadsheets read full-width signs as formula signs.
  const guarded = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u.test(text) ? `'${text}` : text;
  const plain = guarded.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, ' ');
  return /[",]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function guardedRow(cells: readonly string[]): string {
  return `${cells.map(guardedCell).join(',')}\n`;
}
