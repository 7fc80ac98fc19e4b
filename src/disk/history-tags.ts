import { LRUCache } from 'lru-cache';

/** Characters of a number of a change, so that keys are in the order of their numbers. */
const DIGITS = 11;
/** Bytes of stored moments whose tags are kept at hand. */
const MOST_BYTES = 4 << 20;

/** The key of what a graph said before a change. A space sorts before all that may stand in a path. */
export function historyKey(path: string, revision: number): string {
  return `${path} ${revision.toString(36).padStart(DIGITS, '0')}`;
}

/** The path and the number of the change in such a key. */
export function readHistoryKey(key: string): { readonly path: string; readonly revision: number } {
  const space = key.indexOf(' ');
  return { path: key.slice(0, space), revision: parseInt(key.slice(space + 1), 36) };
}

/** What a moment says of the texts that one change put into the history. */
export interface TaggedChange {
  readonly revision: number;
  readonly paths: readonly string[];
  /** For each path the tag without which its text does not open; null for a text that opens alone, and for none. */
  readonly tags?: readonly (Uint8Array | null)[];
}

/** A moment as it is stored, under the number of its last change. */
interface StoredMoment {
  readonly key: number;
  readonly value: Buffer;
}

/** The tags of a moment by the keys of their texts. */
interface OpenedMoment extends StoredMoment {
  readonly tags: ReadonlyMap<string, Uint8Array>;
}

/**
 * Finds the tags of texts that were moved into the history. Texts of one moment are mostly asked for together, so what
 * was read last is kept for as long as the stored moment is the same; the last of all, however long it is, until something
 * is committed.
 */
export class HistoryTags {
  readonly #next: (revision: number) => StoredMoment | undefined;
  readonly #open: (moment: StoredMoment) => readonly TaggedChange[];
  readonly #lastCommit: () => number;
  #last: { readonly commit: number; readonly tags: OpenedMoment['tags'] } | undefined;
  readonly #known = new LRUCache<number, OpenedMoment>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ value }) => value.length,
  });

  /**
   * @param lastCommit the number of the last commit, of whichever process
   * @param next gives the first moment from a change on
   * @param open what such a moment says
   */
  constructor(
    lastCommit: () => number,
    next: (revision: number) => StoredMoment | undefined,
    open: (moment: StoredMoment) => readonly TaggedChange[],
  ) {
    this.#lastCommit = lastCommit;
    this.#next = next;
    this.#open = open;
  }

  /** The tag of the text under a key of the history; undefined when no moment has one. */
  of(key: string): Uint8Array | undefined {
    const commit = this.#lastCommit();
    // A moment of many thousand texts is not even looked at for each of them.
    const known = this.#last?.commit === commit ? this.#last.tags.get(key) : undefined;
    if (known) return known;
    const moment = this.#next(readHistoryKey(key).revision);
    if (!moment) return undefined;
    const kept = this.#known.get(moment.key);
    const { tags } = kept?.value.equals(moment.value) ? kept : this.#opened(moment);
    this.#last = { commit, tags };
    return tags.get(key);
  }

  #opened(moment: StoredMoment): OpenedMoment {
    const tags = new Map<string, Uint8Array>();
    for (const { revision, paths, tags: own } of this.#open(moment)) {
      for (const [index, tag] of own?.entries() ?? []) {
        if (tag) tags.set(historyKey(paths[index] ?? '', revision), tag);
      }
    }
    const opened = { ...moment, tags };
    this.#known.set(moment.key, opened);
    return opened;
  }
}
