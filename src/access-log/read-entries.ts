import type { PostingLists } from '../disk/posting-lists.js';
import { withFile } from '../disk/with-file.js';
import type { RecordedEntry } from './access-entry.js';
import { isAskedFor, narrowestKey, type AccessFilter } from './access-filter.js';
import { entryOf, indexClosed } from './entry-index.js';
import type { Sealing } from './entry-sealing.js';
import { listSegments, readLineAt, readLines, segmentFile, utf8 } from './segment-files.js';

/** What entries are read from. */
export interface EntrySource {
  readonly folder: string;
  readonly index: PostingLists;
  readonly sealing: Sealing;
}

/**
 * The entries that a filter asks for, by number, or the newest first. With a record, a user or an app, closed segments
 * give only those that the index names; the newest segment is read through. What cannot be read is left out: verifying
 * the chain names it.
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
  const asked = (found ?? []).filter((entry) => isAskedFor(entry, filter));
  return filter.newestFirst ? asked.reverse() : asked;
}
