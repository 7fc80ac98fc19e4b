import { LRUCache } from 'lru-cache';

/** Digits of a change number, padded so that keys sort by it. */
const DIGITS = 11;
const MAX_BYTES = 4 << 20;

/** The key of a graph's text before a change. A space sorts before every character of a path. */
export function historyKey(path: string, revision: number): string {
  return `${path} ${revision.toString(36).padStart(DIGITS, '0')}`;
}

export function readHistoryKey(key: string): { readonly path: string; readonly revision: number } {
  const space = key.indexOf(' ');
  return { path: key.slice(0, space), revision: parseInt(key.slice(space + 1), 36) };
}

export interface TaggedChange {
  readonly revision: number;
  readonly paths: readonly string[];
  /** For each path the authentication tag that its text needs to open; null if none. */
  readonly tags?: readonly (Uint8Array | null)[];
}

interface StoredMoment {
  readonly key: number;
  readonly value: Buffer;
}

interface OpenedMoment extends StoredMoment {
  readonly tags: ReadonlyMap<string, Uint8Array>;
}

/** Finds the tags of texts in the history. Caches recent moments, since their texts are mostly read together. */
export class HistoryTags {
  #last: { readonly commit: number; readonly tags: OpenedMoment['tags'] } | undefined;
  readonly #known = new LRUCache<number, OpenedMoment>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ value }) => value.length,
  });

  constructor(
    private readonly lastCommit: () => number,
    private readonly next: (revision: number) => StoredMoment | undefined,
    private readonly open: (moment: StoredMoment) => readonly TaggedChange[],
  ) {}

  of(key: string): Uint8Array | undefined {
    const commit = this.lastCommit();
    // Comparing a moment with thousands of texts for each of them would be slow.
    const known = this.#last?.commit === commit ? this.#last.tags.get(key) : undefined;
    if (known) return known;
    const moment = this.next(readHistoryKey(key).revision);
    if (!moment) return undefined;
    const kept = this.#known.get(moment.key);
    const { tags } = kept?.value.equals(moment.value) ? kept : this.#opened(moment);
    this.#last = { commit, tags };
    return tags.get(key);
  }

  #opened(moment: StoredMoment): OpenedMoment {
    const tags = new Map<string, Uint8Array>();
    for (const { revision, paths, tags: own } of this.open(moment)) {
      for (const [index, tag] of own?.entries() ?? []) {
        if (tag) tags.set(historyKey(paths[index] ?? '', revision), tag);
      }
    }
    const opened = { ...moment, tags };
    this.#known.set(moment.key, opened);
    return opened;
  }
}
