import { withFile } from '../../store/disk/small-files.js';
import type { RecordedEntry } from './access-entry.js';
import { readBatch, type EntrySource } from './read-entries.js';
import { listSegments, readHeader, readLineAt, segmentFile } from './segment-files.js';

/** Reads the log on from an entry, also what other processes write meanwhile. */
export class EntryFollower {
  #place: { segment: number; end: number } | undefined;
  #found: RecordedEntry[] = [];

  /** @param after the number of the last entry not to read */
  constructor(
    private readonly source: EntrySource,
    private readonly after: number,
  ) {}

  /** Returns the next entries by number, some hundreds at most; none at the end of the log. */
  next(): readonly RecordedEntry[] {
    this.#place ??= { segment: this.#first(), end: 0 };
    for (this.#found = []; this.#found.length === 0;) {
      // Listed first: nothing is added to a segment that another follows.
      const later = listSegments(this.source.folder).find((each) => each > (this.#place?.segment ?? 0));
      const isMore = readBatch(this.source, this.#place, (entry) => this.#take(entry));
      if (isMore) continue;
      if (later === undefined) return [];
      this.#place = { segment: later, end: 0 };
    }
    return this.#found;
  }

  #take(entry: RecordedEntry): void {
    if (entry.number > this.after) this.#found.push(entry);
  }

  /** Returns the newest segment that may have the next entry. */
  #first(): number {
    const { folder } = this.source;
    const segments = listSegments(folder);
    const isBefore = (segment: number): boolean =>
      withFile(segmentFile(folder, segment), (fd) => {
        const header = readHeader(readLineAt(fd, 0) ?? '');
        return header !== undefined && header.entries <= this.after;
      }) ?? false;
    return segments.findLast(isBefore) ?? segments[0] ?? 0;
  }
}
