import { rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { isNoRoom } from '../disk/no-room.js';
import { noPostingLists, openPostingLists, type PostingLists } from '../disk/posting-lists.js';
import { withFile } from '../disk/with-file.js';
import { readEntryText, type RecordedEntry } from './access-entry.js';
import { keysOf } from './access-filter.js';
import { CLOSED, readHeader, readLine } from './chain-lines.js';
import type { Sealing } from './entry-sealing.js';
import { listSegments, readLines, segmentFile, utf8, type PlacedLine } from './segment-files.js';

/** Requests are answered after so many lines. */
const LINES_IN_A_TURN = 500;

/**
 * The index of the segments that are closed, made from them; the newest segment is read whole. So are all of them where
 * there is no index yet and the disk is full: who looked at what can be read then, too.
 */
export async function openEntryIndex(folder: string): Promise<PostingLists> {
  // Its names had no key in 0.3.
  rmSync(join(folder, 'index'), { recursive: true, force: true });
  try {
    return await openPostingLists(join(folder, 'keyed-index'));
  } catch (error) {
    if (isNoRoom(error)) return noPostingLists;
    throw error;
  }
}

/** Adds the closed segments that are not in the index yet, as far as there is room. */
export async function indexClosed(folder: string, index: PostingLists, sealing: Sealing): Promise<void> {
  for (const segment of listSegments(folder).slice(0, -1)) {
    if (index.facts(segment) !== undefined) continue;
    // Read whole, at most some megabytes: between turns retention may take the file away.
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
    for (const key of keysOf(entry)) {
      const name = sealing.name(key);
      const list = lists.get(name);
      if (list) list.push(offset);
      else lists.set(name, [offset]);
    }
  }
  return index.add(segment, { first, last }, lists);
}

/** The entry of a line; undefined for the first and the last of a segment, and for one that verifying will name. */
export function entryOf(text: string, sealing: Sealing): RecordedEntry | undefined {
  const line = readLine(text);
  if (!line || line.stored === CLOSED || readHeader(text)) return undefined;
  try {
    return readEntryText(sealing.open(line.stored), line.entries);
  } catch {
    return undefined;
  }
}
