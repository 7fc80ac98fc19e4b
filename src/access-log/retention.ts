import { rmSync } from 'node:fs';
import type { PostingLists } from '../disk/posting-lists.js';
import { withFile } from '../disk/with-file.js';
import type { AccessEntry } from './access-entry.js';
import { headerOf, listSegments, segmentFile } from './segment-files.js';

/** What retention works on. */
export interface Dropping {
  readonly folder: string;
  readonly index: PostingLists;
  /** Records an entry and syncs it. */
  readonly record: (entry: AccessEntry) => Promise<void>;
}

/**
 * Drops the closed segments of which every entry is older than a time (milliseconds since 1970). First an entry tells
 * up to where, and which hash the chain had there: with that the rest can still be verified.
 */
export async function dropBefore(time: number, { folder, index, record }: Dropping): Promise<void> {
  const segments = listSegments(folder);
  // A segment is begun when the one before it is closed, so its beginning is the end of all before it.
  const headers = segments
    .slice(1)
    .map((segment) => segmentFile(folder, segment))
    .flatMap((file) => withFile(file, (fd) => headerOf(fd, file)) ?? []);
  const stop = headers.findIndex(({ begun }) => Date.parse(begun) >= time);
  const first = headers[(stop < 0 ? headers.length : stop) - 1];
  if (!first) return;
  const dropped = { through: first.entries, hash: first.hash };
  await record({ action: 'access-log.dropped', outcome: 'done', dropped });
  for (const segment of segments.filter((each) => each < first.segment)) {
    rmSync(segmentFile(folder, segment), { force: true });
  }
  await index.dropThrough(first.segment - 1);
}
