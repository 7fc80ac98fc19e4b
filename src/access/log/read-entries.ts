import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNoRoom } from '../../store/disk/disk-space.js';
import { noPostingLists, openPostingLists, type PostingLists } from '../../store/disk/posting-lists.js';
import { withFile } from '../../store/disk/small-files.js';
import type { Pause } from '../../store/steps.js';
import { addTo } from '../../rdf/by-key.js';
import {
  administratorOf,
  isAttempt,
  isRemoval,
  readEntryText,
  type RecordedEntry,
  type Sealing,
} from './access-entry.js';
import { CLOSED, readHeader, readLine } from './segment-files.js';
import { listSegments, readLineAt, readLines, segmentFile, utf8 } from './segment-files.js';

export interface AccessFilter {
  readonly record?: string | undefined;
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  readonly before?: number | undefined;
  /** Only entries of a kind, of a record: by default all. */
  readonly kind?: Kind | undefined;
  readonly newestFirst?: boolean | undefined;
  readonly limit?: number | undefined;
}

const kinds = {
  access: (entry: RecordedEntry) => !isAttempt(entry),
  attempt: isAttempt,
  removal: isRemoval,
} as const;

type Kind = keyof typeof kinds;

const keys = {
  record: (entry: RecordedEntry) => [entry.record],
  user: (entry: RecordedEntry) => [entry.user, entry.account, entry.onBehalfOf, administratorOf(entry)],
  app: (entry: RecordedEntry) => [entry.app],
} as const;

// Ordered from the fewest entries (a record) to the most (an app).
const names = ['record', 'user', 'app'] as const;

function keysOf(entry: RecordedEntry): string[] {
  const all = names.flatMap((name) =>
    [...new Set(keys[name](entry))].flatMap((value) => (value === undefined ? [] : `${name} ${value}`)),
  );
  // Apart, so that no number of attempts hides them or makes them slow to find.
  const ofRecord = (['access', 'removal'] as const).filter((kind) => kinds[kind](entry));
  return entry.record === undefined ? all : [...all, ...ofRecord.map((kind) => `${kind} ${entry.record}`)];
}

function narrowestKey(filter: AccessFilter): string | undefined {
  const name = names.find((each) => filter[each] !== undefined);
  return name && `${name} ${filter[name]}`;
}

export function isAskedFor(entry: RecordedEntry, filter: AccessFilter): boolean {
  const { since = -Infinity, before = Infinity, kind } = filter;
  const time = Date.parse(entry.time);
  if (time < since || time >= before || (kind && !kinds[kind](entry))) return false;
  return names.every((name) => filter[name] === undefined || keys[name](entry).includes(filter[name]));
}

/** Bytes of lines, and entries, that are read at once. */
const BATCH_BYTES = 1 << 16;
const BATCH_ENTRIES = 50;

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

/** What is known of a segment up to an offset: where the entries of each key are. */
interface Listed {
  readonly segment: number;
  end: number;
  first: number;
  last: number;
  readonly lists: Map<string, number[]>;
}

export interface EntrySource {
  readonly folder: string;
  readonly index: PostingLists;
  readonly sealing: Sealing;
  /** The list of the newest segment, which grows. */
  open?: Listed | undefined;
}

/** Lists closed segments that are not in the index. */
export async function indexClosed(source: EntrySource, pause: Pause): Promise<void> {
  const { folder, index, sealing } = source;
  for (const segment of listSegments(folder).slice(0, -1)) {
    if (index.facts(segment) !== undefined) continue;
    const { first, last, lists } = await listedOf(source, segment, pause);
    const named = new Map(Array.from(lists, ([key, offsets]) => [sealing.name(key), offsets]));
    if (!(await index.add(segment, { first, last, hasKinds: true }, named))) return;
  }
}

/** Lists all segments: closed ones in the index, the newest one in memory. */
export async function listEntries(source: EntrySource, pause: Pause): Promise<void> {
  await indexClosed(source, pause);
  const newest = listSegments(source.folder).at(-1);
  if (newest !== undefined) await listedOf(source, newest, pause, true);
}

/** Lists what a segment holds; the list of the newest one is kept, and extended by its next reader. */
async function listedOf(source: EntrySource, segment: number, pause: Pause, isOpen = false): Promise<Listed> {
  const known = source.open?.segment === segment ? source.open : undefined;
  const listed = known ?? { segment, end: 0, first: Infinity, last: -Infinity, lists: new Map() };
  if (isOpen) source.open = listed;
  const add = (entry: RecordedEntry, offset: number): void => {
    const time = Date.parse(entry.time);
    listed.first = Math.min(listed.first, time);
    listed.last = Math.max(listed.last, time);
    for (const key of keysOf(entry)) addTo(listed.lists, key, offset);
  };
  // Each batch is one step, so that several readers can extend one list.
  while (readBatch(source, listed, add)) await pause();
  return listed;
}

/** Reads some entries from an offset on, and moves it. @returns false at the end of the file */
export function readBatch(
  { folder, sealing }: EntrySource,
  place: { readonly segment: number; end: number },
  take: (entry: RecordedEntry, offset: number) => void,
): boolean {
  const from = place.end;
  withFile(segmentFile(folder, place.segment), (fd) => {
    for (const { offset, text } of readLines(fd, from)) {
      const entry = entryOf(utf8(text), sealing);
      if (entry) take(entry, offset);
      place.end = offset + text.length + 1;
      if (place.end - from >= BATCH_BYTES) return;
    }
  });
  return place.end > from;
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

/**
 * Yields the entries that match a filter, by number or newest first, and reads no further than it is asked. With a
 * record, user or app, lists say which parts of segments to read. Skips unreadable lines; verifying reports them.
 */
export async function* readEntries(
  source: EntrySource,
  filter: AccessFilter,
  pause: Pause,
): AsyncGenerator<RecordedEntry> {
  await indexClosed(source, pause);
  const segments = listSegments(source.folder);
  const newest = segments.at(-1);
  if (filter.newestFirst) segments.reverse();
  let left = filter.limit ?? Infinity;
  for (const segment of segments) {
    const offsets = await offsetsIn(source, segment, segment === newest, filter, pause);
    const entries = offsets
      ? entriesAt(source, segment, offsets, pause)
      : wholeSegment(source, segment, filter, pause);
    for await (const entry of entries) {
      if (!isAskedFor(entry, filter)) continue;
      if (left-- <= 0) return;
      yield entry;
    }
  }
}

/** Returns where in a segment matching entries may be, in the order to read them; undefined for anywhere. */
async function offsetsIn(
  source: EntrySource,
  segment: number,
  isOpen: boolean,
  filter: AccessFilter,
  pause: Pause,
): Promise<readonly number[] | undefined> {
  const { index, sealing } = source;
  const { kind, record, since = -Infinity, before = Infinity, newestFirst } = filter;
  const key = narrowestKey(filter);
  const facts = index.facts(segment);
  if (facts && (facts.last < since || facts.first >= before)) return [];
  if (key === undefined || !(facts ?? isOpen)) return undefined;
  const listed = facts ? undefined : await listedOf(source, segment, pause, isOpen);
  const at = (each: string): readonly number[] =>
    listed ? (listed.lists.get(each) ?? []) : [...index.positions(sealing.name(each), segment)];
  // Segments that earlier versions listed do not tell kinds apart.
  const hasKinds = record !== undefined && (listed ?? facts?.hasKinds) !== undefined;
  if (!hasKinds || kind === undefined) return inOrder(at(key), newestFirst);
  if (kind !== 'attempt') return inOrder(at(`${kind} ${record}`), newestFirst);
  const accesses = new Set(at(`access ${record}`));
  return inOrder(
    at(key).filter((offset) => !accesses.has(offset)),
    newestFirst,
  );
}

const inOrder = <T>(all: readonly T[], isReversed = false): readonly T[] =>
  isReversed ? all.toReversed() : all;

async function* entriesAt(
  { folder, sealing }: EntrySource,
  segment: number,
  offsets: readonly number[],
  pause: Pause,
): AsyncGenerator<RecordedEntry> {
  for (let at = 0; at < offsets.length; at += BATCH_ENTRIES) {
    await pause();
    const some = offsets.slice(at, at + BATCH_ENTRIES);
    yield* (
      withFile(segmentFile(folder, segment), (fd) =>
        some.flatMap((offset) => entryOf(readLineAt(fd, offset) ?? '', sealing) ?? []),
      ) ?? []
    );
  }
}

async function* wholeSegment(
  source: EntrySource,
  segment: number,
  filter: AccessFilter,
  pause: Pause,
): AsyncGenerator<RecordedEntry> {
  const entries: RecordedEntry[] = [];
  const place = { segment, end: 0 };
  const take = (entry: RecordedEntry): void => {
    if (isAskedFor(entry, filter)) entries.push(entry);
  };
  while (readBatch(source, place, take)) await pause();
  yield* inOrder(entries, filter.newestFirst);
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
