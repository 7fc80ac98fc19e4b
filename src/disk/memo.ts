import { LRUCache } from 'lru-cache';
import type { DataDirectory } from './data-directory.js';

/**
 * Memoizes what is read from a data directory for as long as nothing is committed to it, by whichever process: one
 * look at the number of the last transaction takes the place of reading, unsealing and decoding. Nothing is ever
 * invalidated, so nothing can be forgotten.
 */
export class Memo<T extends object> {
  readonly #directory: DataDirectory;
  readonly #values: LRUCache<string, T>;
  #commit = -1;

  /** @param most how many values are held at a time */
  constructor(directory: DataDirectory, most: number) {
    this.#directory = directory;
    this.#values = new LRUCache({ max: most });
  }

  /**
   * The value of a key as of the last commit.
   * @param read reads it; what it gives as undefined is read again the next time. It must depend on the key and the
   * directory alone
   */
  get<V extends T | undefined>(key: string, read: () => V): V | T {
    // Before the snapshot that `read` sees: a value that is newer than its number is only read once more.
    const commit = this.#directory.lastCommit;
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
