import type { Quad } from '../rdf/terms.js';
import { StoreFull } from './capacity.js';
import { Chunk, type Derive } from './chunk.js';
import { loadEngine } from './engine.js';
import type { GraphStore, Row } from './graph-store.js';
import { pathsAt, textAt } from './past.js';
import { atOnce, inSteps, stepwise, type InSteps, type Pause } from './steps.js';
import { keyOf } from './paths.js';
import type { ReadTx } from './disk/transaction.js';
import { SHARED, type Scope } from './parts.js';
import type { PrimaryStore } from './primary-store.js';
import { readRows } from './rows.js';
import { innerLabelUnder } from './relative-text.js';
import { graphText, storedGraphs, type StoredGraphs } from './stored-graphs.js';
import { WorkingSet, WorkingSetPanic } from './working-set.js';

/** Cached stores of earlier states; the least recently used goes first. */
const MAX_STORES = 4;
const MB = 1024 * 1024;
/** Each load allocates room for a million quads and frees it; later allocations may occupy it, so count it twice. */
const LOAD_BYTES = 168 * MB;
const MAX_BYTES = 256 * MB + 2 * LOAD_BYTES;
const MAX_QUADS = 500_000;
const TURN_CHARACTERS = 1 << 19;
const ONTOLOGY = '/ontology';

/**
 * Returns a store of the data at and below a path after a change.
 * @param run does what takes long. Default: in steps
 * @param from what it reads: the whole primary store, or a part of it
 */
export type PastStores = (path: string, revision: number, run?: InSteps, from?: PrimaryStore) => GraphStore;

/** Creates read-only stores of earlier states, each of one part of the container in its own engine. */
export function pastStores(whole: PrimaryStore, derive: Derive | undefined): PastStores {
  const stores = new Map<string, PastStore>();
  // Creating an engine takes longer than filling it with most records.
  const free: WorkingSet[] = [];
  const empty = (): WorkingSet => free.pop() ?? new WorkingSet(loadEngine(MAX_BYTES));
  return (path, revision, run = (work) => work(inSteps()), primary = whole) => {
    const key = `${primary.directory.epoch} ${revision} ${path}`;
    const store = stores.get(key) ?? new PastStore(primary, derive, path, revision, empty);
    stores.delete(key);
    for (const [old, oldest] of stores) {
      if (stores.size < MAX_STORES) break;
      stores.delete(old);
      const released = oldest.release();
      if (released) free.push(released);
    }
    stores.set(key, store);
    store.run = run;
    return store;
  };
}

class PastStore implements GraphStore {
  readonly base: string;
  /** The steps of the latest caller. */
  run!: InSteps;
  readonly #innerLabel: (iri: string) => string | undefined;
  #filled: Promise<WorkingSet> | undefined;
  #workingSet: WorkingSet | undefined;
  #hasOntology = false;

  constructor(
    private readonly primary: PrimaryStore,
    private readonly derive: Derive | undefined,
    private readonly path: string,
    private readonly after: number,
    private readonly empty: () => WorkingSet,
  ) {
    this.base = primary.base;
    this.#innerLabel = innerLabelUnder(primary.base);
  }

  construct(sparql: string, scope?: Scope): Promise<Quad[]> {
    return this.#query((workingSet) => workingSet.quads(sparql, this.#innerLabel), scope);
  }

  select(sparql: string, scope?: Scope): Promise<Row[]> {
    return this.#query((workingSet) => readRows(workingSet.select(sparql), this.#innerLabel), scope);
  }

  ask(sparql: string, scope?: Scope): Promise<boolean> {
    return this.#query((workingSet) => workingSet.ask(sparql), scope);
  }

  stored<T>(read: (graphs: StoredGraphs) => T | Promise<T>): Promise<T> {
    const revision = this.after;
    return this.primary.directory.readInTurns((tx, hold) => {
      const textOf = (path: string): string | undefined => textAt(tx, path, revision);
      const pathsUnder = (path: string): Iterable<string> => atOnce(pathsAt(tx, path, revision));
      return read(storedGraphs(this.base, { textOf, pathsUnder }, hold));
    });
  }

  has(name: string): Promise<boolean> {
    const path = keyOf(name, this.base);
    return Promise.resolve(
      path !== undefined && this.primary.directory.read((tx) => textAt(tx, path, this.after)) !== undefined,
    );
  }

  revision(): Promise<number> {
    return Promise.resolve(this.after);
  }

  write(): Promise<never> {
    return Promise.reject(new Error('An earlier state cannot be written.'));
  }

  close(): Promise<void> {
    this.release();
    return Promise.resolve();
  }

  /** Gives up its working set; a later query fills another. @returns the emptied working set, if any */
  release(): WorkingSet | undefined {
    const emptied = this.#workingSet?.emptied();
    this.#workingSet = this.#filled = undefined;
    return emptied;
  }

  /** @throws StoreFull when the data exceeds an engine */
  async #query<T>(work: (workingSet: WorkingSet) => T, scope: Scope = []): Promise<T> {
    try {
      for (;;) {
        const workingSet = await (this.#filled ??= this.run((pause) => this.#fill(pause)));
        // The working set may have been released meanwhile.
        if (workingSet !== this.#workingSet) continue;
        if (scope.includes(SHARED)) this.#addOntology(workingSet);
        return work(workingSet);
      }
    } catch (error) {
      this.#workingSet = this.#filled = undefined;
      throw error instanceof WorkingSetPanic ? new StoreFull(MAX_QUADS, [this.path]) : error;
    }
  }

  /** Adds what queries read of the shared part: which codes are narrower than others. */
  #addOntology(workingSet: WorkingSet): void {
    if (this.#hasOntology) return;
    this.#hasOntology = true;
    const chunk = new Chunk(this.base, undefined);
    const text = this.primary.directory.read((tx) => graphText(tx, ONTOLOGY));
    if (text !== undefined) chunk.add(ONTOLOGY, text);
    chunk.loadInto(workingSet);
  }

  #fill(pause: Pause): Promise<WorkingSet> {
    return this.primary.directory.readInTurns((tx, hold) => {
      hold();
      return this.#fillFrom(tx, pause);
    });
  }

  async #fillFrom(tx: ReadTx, pause: Pause): Promise<WorkingSet> {
    const paths = await stepwise(pathsAt(tx, this.path, this.after), pause);
    const workingSet = this.empty();
    this.#hasOntology = false;
    let quads = 0;
    const chunk = new Chunk(this.base, this.derive);
    const load = (): void => {
      quads += chunk.quads;
      if (quads > MAX_QUADS) throw new StoreFull(MAX_QUADS, [this.path]);
      chunk.loadInto(workingSet);
      chunk.clear();
    };
    for (const path of paths) {
      chunk.add(path, textAt(tx, path, this.after) ?? '');
      const due = pause();
      if (due) await due;
      if (chunk.size >= TURN_CHARACTERS) load();
    }
    load();
    this.#workingSet = workingSet;
    return workingSet;
  }
}
