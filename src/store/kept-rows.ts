import { LRUCache } from 'lru-cache';
import type { DataDirectory } from '../disk/data-directory.js';
import { epochOf, revisionOf } from './change-log.js';
import type { Row } from './graph-store.js';
import { SHARED, type Scope } from './parts.js';

/** How much is held, and what a term takes beside its characters. */
const BYTES_AT_HAND = 25_000_000;
const TERM = 100;

function sizeOf(row: Row): number {
  return Object.values(row).reduce((size, { value }) => size + TERM + value.length, 0);
}

interface Kept {
  readonly rows: readonly Row[];
  readonly state: string;
}

/**
 * Answers to SELECTs that are likely to be asked again soon, as long as nothing was written where they find what they
 * ask for: who pages through a long list of one record does not wait because another is written.
 */
export class KeptRows {
  readonly #directory: DataDirectory;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: BYTES_AT_HAND,
    sizeCalculation: ({ rows }) => rows.reduce((size, row) => size + sizeOf(row), TERM),
  });

  constructor(directory: DataDirectory) {
    this.#directory = directory;
  }

  /** The rows of a query in a scope: those that were read before, or what `read` gives. */
  async get(
    sparql: string,
    scope: Scope | undefined,
    read: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    // Before anything is read: rows that are newer than their state are only read once more.
    const state = this.#stateOf(scope);
    const asked = [sparql, ...(scope ?? [])].join('\n');
    const known = this.#kept.get(asked);
    if (known?.state === state) return known.rows;
    const rows = await read();
    this.#kept.set(asked, { rows, state });
    return rows;
  }

  /** What changes with every write in a scope, by whichever process, and with nothing else but what is shared. */
  #stateOf(scope: Scope | undefined): string {
    // What is shared has no path of its own.
    const paths = scope === undefined || scope.includes(SHARED) ? [''] : scope;
    return this.#directory.read((tx) =>
      [epochOf(tx), ...paths.map((path) => revisionOf(tx, path))].join(' '),
    );
  }
}
