import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { DataDirectory } from '../disk/data-directory.js';
import type { Quad } from '../rdf/terms.js';
import { CapacityWatch, PLANNED_QUADS, StoreFull } from './capacity.js';
import { FullScopes } from './full-scopes.js';
import { Follower } from './follower.js';
import type { Change, Found, GraphStore, Row, SelectManner } from './graph-store.js';
import { KeptRows } from './kept-rows.js';
import { innerLabelUnder } from './skolem-label.js';
import { paces, type PaceLimits } from './pace.js';
import { undivided, type Partition, type Scope } from './parts.js';
import type { Derive } from './chunk.js';
import { WorkingSetPanic, type WorkingSet } from './working-set.js';
import { nameOf } from './paths.js';
import { readRows } from './rows.js';
import { findRows, type RowSearch } from './search/find-rows.js';
import { openPrimaryStore, type PrimaryStore } from './primary-store.js';
import { presentTexts, storedGraphs, type StoredGraphs } from './stored-graphs.js';

export type { Derive } from './chunk.js';

export interface EmbeddedStoreOptions {
  readonly directory: DataDirectory;
  /** Absolute URL without a slash at its end. */
  readonly base: string;
  readonly derive?: Derive;
  /** How many quads may be taken away before the working set is made anew; default: a tenth of what it holds, at least 25,000. */
  readonly garbageLimit?: (quads: number) => number;
  /** Default: everything is shared. */
  readonly partition?: Partition;
  /**
   * Whether queries are answered before everything is in memory: what they ask for is loaded when they come, the rest
   * meanwhile, as far as there is room. Beyond it, what was not asked for lately has to go.
   */
  readonly fillsAhead?: boolean;
  /** How many quads a working set is planned for, default eight million. A second one may stand beside it for a while. */
  readonly planned?: number;
  /** Called when what is shared takes four fifths of that, and again with each twentieth more. */
  readonly onNearCapacity?: (quads: number, planned: number) => void;
  /** Called while the first working set is filled. @param done graphs @param total how many there were */
  readonly onFill?: (done: number, total: number) => void;
  /** Milliseconds after which a store that was full looks whether its data has become less; default a minute. */
  readonly retryFull?: number;
}

const defaultGarbageLimit = (quads: number): number => Math.max(25_000, quads / 10);
const RETRY_FULL = 60_000;

/** Characters of an answer to a SELECT that take some milliseconds to be read. */
const LONG_ROWS = 256 * 1024;

/** How much of what is planned for a working set is filled before anybody asks, and how much a new one takes over. */
const FILLED_AHEAD = 0.8;
const TAKEN_OVER = 0.5;
/** Where more than that is shared, a working set goes on up to this multiple of what is planned. */
const NO_FURTHER = 1.4;

/**
 * The store inside this process: the primary store on disk, and a working set in memory that answers queries. Resolves
 * when the working set holds everything, or at once when it is filled ahead. The directory stays the caller's to close,
 * after the store.
 * @throws StoreFull when the data is more than a working set can take
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const store = new EmbeddedStore(options);
  if (!options.fillsAhead) await store.ready();
  return store;
}

export class EmbeddedStore implements GraphStore {
  readonly base: string;
  /** The durable half, for changes that must go together with something else. */
  readonly primary: PrimaryStore;
  readonly #options: EmbeddedStoreOptions;
  readonly #garbageLimit: (quads: number) => number;
  readonly #capacity: CapacityWatch;
  readonly #innerLabel: (iri: string) => string | undefined;
  #follower: Follower;
  /** The working set that is being filled to take the place of a wasteful one. */
  #successor: Promise<void> | undefined;
  #noRenewalBefore = 0;
  #renewals = 0;
  /** While everything is loaded ahead. */
  #filling: Promise<void> | undefined;
  readonly #full: FullScopes;
  readonly #kept: KeptRows;
  #closed = false;

  constructor(options: EmbeddedStoreOptions) {
    const { directory, base, garbageLimit = defaultGarbageLimit, planned = PLANNED_QUADS } = options;
    this.base = base;
    this.primary = openPrimaryStore(directory, base);
    this.#options = options;
    this.#garbageLimit = garbageLimit;
    this.#capacity = new CapacityWatch(planned, options.onNearCapacity ?? (() => undefined));
    this.#full = new FullScopes(planned, () => this.primary.revision(''), options.retryFull ?? RETRY_FULL);
    this.#innerLabel = innerLabelUnder(base);
    this.#kept = new KeptRows(directory);
    this.#follower = this.#newFollower(this.#pace, options.onFill);
    this.#fillAhead();
  }

  get #pace(): PaceLimits {
    return this.#options.fillsAhead ? paces.serving : paces.starting;
  }

  get #partition(): Partition {
    return this.#options.partition ?? undivided;
  }

  /** Whether queries find everything in memory: at once, after a while, or never since it is too much. */
  get state(): 'whole' | 'filling' | 'partial' {
    if (this.#follower.isWhole) return 'whole';
    return this.#filling ? 'filling' : 'partial';
  }

  /** How many clean working sets have taken the place of wasteful ones, and whether one is in the making. */
  get renewals(): number {
    return this.#renewals;
  }

  get isRenewing(): boolean {
    return this.#successor !== undefined;
  }

  /** Resolves when everything acknowledged so far, as far as a scope reaches, can be queried. */
  ready(scope?: Scope): Promise<void> {
    return this.#query(() => undefined, scope);
  }

  construct(sparql: string, scope?: Scope): Promise<Quad[]> {
    return this.#query((workingSet) => workingSet.quads(sparql, this.#innerLabel), scope);
  }

  async select(sparql: string, scope?: Scope, manner?: SelectManner): Promise<readonly Row[]> {
    this.#refuseIfClosed();
    const read = (tsv: string): Row[] => readRows(tsv, this.#innerLabel);
    if (manner === 'unhurried') {
      const tsv = await this.#query((workingSet) => workingSet.select(sparql), scope);
      if (tsv.length > LONG_ROWS) await nextTurn();
      return read(tsv);
    }
    const rows = (): Promise<Row[]> => this.#query((workingSet) => read(workingSet.select(sparql)), scope);
    return manner === 'kept' ? this.#kept.get(sparql, scope, rows) : rows();
  }

  ask(sparql: string, scope?: Scope): Promise<boolean> {
    return this.#query((workingSet) => workingSet.ask(sparql), scope);
  }

  async find(search: RowSearch): Promise<Found | undefined> {
    this.#refuseIfClosed();
    const found = await findRows(this.primary.directory, search);
    if (!found) return undefined;
    const { paths, total } = found;
    return { names: paths.map((path) => nameOf(path, this.base)), total, scope: paths };
  }

  async stored<T>(read: (graphs: StoredGraphs) => T): Promise<T> {
    this.#refuseIfClosed();
    const { directory } = this.primary;
    return Promise.resolve(directory.read((tx) => read(storedGraphs(this.base, presentTexts(tx)))));
  }

  async write(change: Change): Promise<number> {
    this.#refuseIfClosed();
    return this.primary.write(change);
  }

  async has(name: string): Promise<boolean> {
    return Promise.resolve(this.primary.has(name));
  }

  async revision(path: string): Promise<number> {
    return Promise.resolve(this.primary.revision(path));
  }

  /** Quads in the working set, as nearly as can be told. */
  get quads(): number {
    return this.#follower.quads;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#successor, this.#filling]);
  }

  #fillAhead(): void {
    if (!this.#options.fillsAhead) return;
    this.#filling ??= this.#fillMemory().finally(() => {
      this.#filling = undefined;
    });
  }

  /** Loads everything while answers go on, as far as there is room for it. */
  async #fillMemory(): Promise<void> {
    const room = this.#capacity.planned * FILLED_AHEAD;
    // Those who come first are not kept waiting.
    await nextTurn();
    while (!this.#closed && !this.#follower.isWhole && this.#follower.loaded < room) {
      const follower = this.#follower;
      try {
        if (follower.step() === 'lost') this.#replace(follower);
      } catch {
        // Whoever asks for something meets the same error, and is told of it.
        return;
      }
      await wait(follower.rest);
    }
  }

  /** Runs a query on a working set that equals the primary store in its scope; after a panic once more, on a new one. */
  async #query<T>(work: (workingSet: WorkingSet) => T, scope?: Scope): Promise<T> {
    const tries = { panics: 0, full: 0 };
    for (;;) {
      this.#refuseIfClosed();
      this.#full.refuse(scope);
      const follower = this.#follower;
      let isLoaded = false;
      try {
        const state = follower.step(scope);
        if (state === 'current') {
          this.#capacity.see(follower.sharedQuads);
          this.#renewIfWasteful(follower);
          isLoaded = true;
          // In the same turn: nothing can change between the comparison and the answer.
          return work(follower.workingSet);
        }
        if (state === 'lost') this.#replace(follower);
      } catch (error) {
        const isPanic = error instanceof WorkingSetPanic;
        if (!(error instanceof StoreFull) && !isPanic) throw error;
        // Nothing but memory can break an engine that only takes in what we wrote ourselves.
        const isFull = !isPanic || (!isLoaded && follower.isFilling);
        const isVain = isFull ? this.#isAllThereIs(follower, scope) || ++tries.full > 3 : ++tries.panics > 1;
        this.#replace(follower);
        if (isVain) throw isFull ? this.#full.add(scope) : error;
      }
      await nextTurn();
    }
  }

  /** Whether a full working set holds nothing that could go: neither what was replaced nor what others asked for. */
  #isAllThereIs(follower: Follower, scope: Scope | undefined): boolean {
    if (scope !== undefined && !follower.holdsOnly(scope)) return false;
    return follower.isFilling || follower.garbage === 0 || !this.#capacity.fits(follower.quads);
  }

  #newFollower(pace: PaceLimits, onFill?: EmbeddedStoreOptions['onFill']): Follower {
    const { derive } = this.#options;
    const partition = this.#partition;
    return new Follower({ primary: this.primary, derive, partition, pace, capacity: this.#capacity, onFill });
  }

  /** Puts an empty working set in the place of one that is broken, full or cannot follow any more. */
  #replace(old: Follower): void {
    if (this.#follower !== old) return;
    this.#follower = this.#newFollower(this.#pace);
    this.#fillAhead();
  }

  /**
   * Deleted quads keep their memory, and parts cannot go one by one, so from time to time a clean working set is filled
   * beside the one in use.
   */
  #renewIfWasteful(follower: Follower): void {
    if (this.#successor) return;
    const { planned } = this.#capacity;
    const isTooMuch = this.#options.fillsAhead && follower.loaded > planned;
    if (!isTooMuch && follower.garbage <= this.#garbageLimit(follower.quads)) return;
    if (performance.now() < this.#noRenewalBefore) return;
    const isWhole = follower.isWhole && (!isTooMuch || follower.quads < planned * FILLED_AHEAD);
    // What is shared cannot go: where it takes most of the room, to fill it anew again and again would help nobody.
    const { sharedQuads, loaded } = follower;
    if (sharedQuads > planned || (sharedQuads > planned * TAKEN_OVER && loaded < planned * NO_FURTHER))
      return;
    const scope = isWhole ? undefined : follower.recent(planned * TAKEN_OVER);
    this.#successor = this.#renew(follower, scope).finally(() => {
      this.#successor = undefined;
    });
  }

  async #renew(old: Follower, scope: Scope | undefined): Promise<void> {
    const follower = this.#newFollower(paces.serving);
    try {
      while (!this.#closed && this.#follower === old) {
        const state = follower.step(scope);
        if (state === 'current') {
          this.#follower = follower;
          this.#renewals++;
        }
        if (state !== 'behind') return;
        // What is written meanwhile has to be caught up with: in turns between those of others, and faster than it comes.
        await (follower.isFilling ? wait(follower.rest) : nextTurn());
      }
    } catch {
      // The one in use goes on; queries find it as wasteful as before, and after a while one tries again.
      this.#noRenewalBefore = performance.now() + RETRY_FULL;
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }
}
