import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Quad } from '../rdf/terms.js';
import { StoreFull } from './capacity.js';
import { Chunk, type Derive } from './chunk.js';
import { loadEngine } from './engine.js';
import type { GraphStore, Row } from './graph-store.js';
import { graphsAt, pathsAt, textAt } from './past.js';
import { keyOf } from './paths.js';
import type { PrimaryStore } from './primary-store.js';
import { readRows } from './rows.js';
import { innerLabelUnder } from './skolem-label.js';
import { storedGraphs, type StoredGraphs } from './stored-graphs.js';
import { WorkingSet, WorkingSetPanic } from './working-set.js';

/** Stores of earlier states that a process holds at a time; those that were asked for last stay. */
const MOST_STORES = 4;
const MB = 1024 * 1024;
/**
 * What the engine takes as room for a million quads whenever it loads some, however few, and gives back. What it takes
 * next may lie in that room, so that it needs another one to load more; hardly any of both is ever touched.
 */
const ROOM = 168 * MB;
/** What the engine of one may take, in bytes, and the quads that go into it. */
const MOST_BYTES = 256 * MB + 2 * ROOM;
const MOST_QUADS = 500_000;
/** Characters that are loaded in one turn of the event loop. */
const TURN = 1 << 19;

/** Gives a store of what lay at and below a path after a change. */
export type PastStores = (path: string, revision: number) => GraphStore;

/**
 * Makes what gives stores of earlier states, to be read only. Each has an engine of its own, which holds one part of
 * the container as it was, and is filled at the first query.
 */
export function pastStores(primary: PrimaryStore, derive: Derive | undefined): PastStores {
  const stores = new Map<string, PastStore>();
  // To make an engine takes longer than to fill it with most records.
  const free: WorkingSet[] = [];
  const empty = (): WorkingSet => free.pop() ?? new WorkingSet(loadEngine(MOST_BYTES));
  return (path, revision) => {
    const key = `${primary.directory.epoch} ${revision} ${path}`;
    const store = stores.get(key) ?? new PastStore(primary, derive, path, revision, empty);
    stores.delete(key);
    // A Map iterates in order of insertion: its first key was asked for longest ago.
    for (const [old, oldest] of stores) {
      if (stores.size < MOST_STORES) break;
      stores.delete(old);
      const released = oldest.release();
      if (released) free.push(released);
    }
    stores.set(key, store);
    return store;
  };
}

class PastStore implements GraphStore {
  readonly base: string;
  readonly #primary: PrimaryStore;
  readonly #derive: Derive | undefined;
  readonly #path: string;
  readonly #revision: number;
  readonly #innerLabel: (iri: string) => string | undefined;
  readonly #empty: () => WorkingSet;
  #filled: Promise<WorkingSet> | undefined;
  /** That of `#filled`, when it is. */
  #workingSet: WorkingSet | undefined;

  /** @param empty gives an empty working set that nobody else uses */
  constructor(
    primary: PrimaryStore,
    derive: Derive | undefined,
    path: string,
    revision: number,
    empty: () => WorkingSet,
  ) {
    this.base = primary.base;
    this.#primary = primary;
    this.#derive = derive;
    this.#path = path;
    this.#revision = revision;
    this.#empty = empty;
    this.#innerLabel = innerLabelUnder(primary.base);
  }

  construct(sparql: string): Promise<Quad[]> {
    return this.#query((workingSet) => workingSet.quads(sparql, this.#innerLabel));
  }

  select(sparql: string): Promise<Row[]> {
    return this.#query((workingSet) => readRows(workingSet.select(sparql), this.#innerLabel));
  }

  ask(sparql: string): Promise<boolean> {
    return this.#query((workingSet) => workingSet.ask(sparql));
  }

  async stored<T>(read: (graphs: StoredGraphs) => T): Promise<T> {
    const revision = this.#revision;
    const found = this.#primary.directory.read((tx) => {
      const textOf = (path: string): string | undefined => textAt(tx, path, revision);
      const pathsUnder = (path: string): Iterable<string> => pathsAt(tx, path, revision);
      return read(storedGraphs(this.base, { textOf, pathsUnder }));
    });
    return Promise.resolve(found);
  }

  has(name: string): Promise<boolean> {
    const path = keyOf(name, this.base);
    return Promise.resolve(
      path !== undefined &&
        this.#primary.directory.read((tx) => textAt(tx, path, this.#revision)) !== undefined,
    );
  }

  revision(): Promise<number> {
    return Promise.resolve(this.#revision);
  }

  write(): Promise<never> {
    return Promise.reject(new Error('An earlier state cannot be written.'));
  }

  close(): Promise<void> {
    this.release();
    return Promise.resolve();
  }

  /** Gives what it holds away; who still asks it has it filled anew. @returns an empty working set, if there is one */
  release(): WorkingSet | undefined {
    const emptied = this.#workingSet?.emptied();
    this.#workingSet = this.#filled = undefined;
    return emptied;
  }

  /** @throws StoreFull when there is more than an engine may take */
  async #query<T>(work: (workingSet: WorkingSet) => T): Promise<T> {
    try {
      for (;;) {
        const workingSet = await (this.#filled ??= this.#fill());
        // It may have been given away meanwhile.
        if (workingSet === this.#workingSet) return work(workingSet);
      }
    } catch (error) {
      this.#workingSet = this.#filled = undefined;
      throw error instanceof WorkingSetPanic ? new StoreFull(MOST_QUADS, [this.#path]) : error;
    }
  }

  async #fill(): Promise<WorkingSet> {
    const graphs = this.#primary.directory.read((tx) => [...graphsAt(tx, this.#path, this.#revision)]);
    const workingSet = this.#empty();
    let quads = 0;
    const chunk = new Chunk(this.base, this.#derive);
    const load = (): void => {
      quads += chunk.quads;
      if (quads > MOST_QUADS) throw new StoreFull(MOST_QUADS, [this.#path]);
      chunk.loadInto(workingSet);
      chunk.clear();
    };
    for (const { path, text } of graphs) {
      chunk.add(path, text);
      if (chunk.size < TURN) continue;
      load();
      // Others are answered meanwhile.
      await nextTurn();
    }
    load();
    this.#workingSet = workingSet;
    return workingSet;
  }
}
