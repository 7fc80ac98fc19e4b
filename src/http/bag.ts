interface Entry<T> {
  readonly item: T;
  at: number;
}

/**
 * Items in no order, for what comes and goes with every request. A `Set` would do but for the garbage collector: V8 makes
 * its table anew every few dozen items, and a table that has become old keeps the next one alive, with all that this one
 * held, until all memory is looked through.
 */
export class Bag<T> {
  readonly #entries: Entry<T>[] = [];

  /** Puts an item in. @returns what takes it out, once */
  add(item: T): () => void {
    const entry: Entry<T> = { item, at: this.#entries.length };
    this.#entries.push(entry);
    return () => {
      const last = this.#entries.pop();
      if (last === undefined || last === entry) return;
      last.at = entry.at;
      this.#entries[entry.at] = last;
    };
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const { item } of [...this.#entries]) yield item;
  }
}
