import { LRUCache } from 'lru-cache';
import type { DataDirectory } from './data-directory.js';

/** Memoizes values read from a data directory until any process commits. */
export class Memo<T extends object> {
  readonly #values: LRUCache<string, T>;
  #commit = -1;

  constructor(
    private readonly directory: DataDirectory,
    most: number,
  ) {
    this.#values = new LRUCache({ max: most });
  }

  /** @param read depends only on the key and the directory; undefined is not cached */
  get<V extends T | undefined>(key: string, read: () => V): V | T {
    // Before the snapshot of `read`: a value that is too new is merely read again.
    const commit = this.directory.lastCommit;
    if (commit !== this.#commit) {
      this.#values.clear();
      this.#commit = commit;
    }
    const known = this.#values.get(key);
    if (known) return known;
    const value = read();
    if (value) this.#values.set(key, value);
    return value;
  }
}
