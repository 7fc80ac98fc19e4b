import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { DataDirectory } from './disk/data-directory.js';
import type { Quad } from '../rdf/terms.js';
import { CapacityWatch, FullScopes, PLANNED_QUADS, StoreFull } from './capacity.js';
import { Follower, type PaceLimits, paces } from './follower.js';
import type { Change, Found, GraphStore, Row, SelectManner } from './graph-store.js';
import { CachedRows, readRows } from './rows.js';
import { innerLabelUnder } from './relative-text.js';
import { undivided, type Partition, type Scope } from './parts.js';
import type { Derive } from './chunk.js';
import { WorkingSetPanic, type WorkingSet } from './working-set.js';
import { nameOf } from './paths.js';
import { findRows, type RowSearch } from './search/find-rows.js';
import { openPrimaryStore, type PrimaryStore } from './primary-store.js';
import { presentTexts, storedGraphs, type StoredGraphs } from './stored-graphs.js';

export type { Derive } from './chunk.js';

export interface EmbeddedStoreOptions {
  readonly directory: DataDirectory;
  readonly base: string;
  readonly derive?: Derive;
  /** Deleted quads after which the working set is rebuilt; default: a tenth of its quads, at least 25,000. */
  readonly garbageLimit?: (quads: number) => number;
  readonly partition?: Partition;
  /** Answers queries before everything is in memory, loading what each query needs. */
  readonly fillsAhead?: boolean;
  /** Planned quads of a working set, default eight million. A second one may exist beside it for a while. */
  readonly planned?: number;
  /** Called when shared data takes four fifths of that, and at each further twentieth. */
  readonly onNearCapacity?: (quads: number, planned: number) => void;
  readonly onFill?: (done: number, total: number) => void;
  readonly retryFull?: number;
}

const defaultGarbageLimit = (quads: number): number => Math.max(25_000, quads / 10);
const RETRY_FULL = 60_000;

const MAX_PARSED_AT_ONCE = 256 * 1024;

/** Shares of the plan: filled before any query, and taken over by a new working set. */
const FILLED_AHEAD = 0.8;
const TAKEN_OVER = 0.5;
/** Multiple of the plan up to which a working set grows when shared data is large. */
const MAX_OVER_PLAN = 1.4;

/**
 * Opens the store of this process: the primary store on disk, and a working set in memory that answers queries.
 * Resolves when the working set is complete, or at once with `fillsAhead`. Close the directory after the store.
 * @throws StoreFull when the data exceeds a working set
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const store = new EmbeddedStore(options);
  if (!options.fillsAhead) await store.ready();
  return store;
}

export class EmbeddedStore implements GraphStore {
  readonly base: string;
  /** The durable half, for changes that must share a transaction with something else. */
  readonly primary: PrimaryStore;
  readonly #options: EmbeddedStoreOptions;
  readonly #capacity: CapacityWatch;
  readonly #innerLabel: (iri: string) => string | undefined;
  #follower: Follower;
  /** Fills the replacement of a wasteful working set. */
  #successor: Promise<void> | undefined;
  #noRenewalBefore = 0;
  #renewals = 0;
  #filling: Promise<void> | undefined;
  readonly #full: FullScopes;
  readonly #cachedRows: CachedRows;
  #closed = false;

  constructor(options: EmbeddedStoreOptions) {
    const { directory, base, planned = PLANNED_QUADS } = options;
    this.base = base;
    this.primary = openPrimaryStore(directory, base);
    this.#options = options;
    this.#capacity = new CapacityWatch(planned, options.onNearCapacity ?? (() => undefined));
    this.#full = new FullScopes(planned, () => this.primary.revision(''), options.retryFull ?? RETRY_FULL);
    this.#innerLabel = innerLabelUnder(base);
    this.#cachedRows = new CachedRows(directory);
    this.#follower = this.#newFollower(this.#pace, options.onFill);
    this.#fillAhead();
  }

  get #pace(): PaceLimits {
    return this.#options.fillsAhead ? paces.serving : paces.starting;
  }

  /** Whether all data is in memory, will be, or is too much for it. */
  get state(): 'whole' | 'filling' | 'partial' {
    if (this.#follower.isWhole) return 'whole';
    return this.#filling ? 'filling' : 'partial';
  }

  get renewals(): number {
    return this.#renewals;
  }

  get isRenewing(): boolean {
    return this.#successor !== undefined;
  }

  /** Resolves when everything committed so far in a scope can be queried. */
  ready(scope?: Scope): Promise<void> {
    return this.#query(() => undefined, scope);
  }

  construct(sparql: string, scope?: Scope): Promise<Quad[]> {
    return this.#query((workingSet) => workingSet.quads(sparql, this.#innerLabel), scope);
  }

  async select(sparql: string, scope?: Scope, manner?: SelectManner): Promise<readonly Row[]> {
    this.#refuseIfClosed();
    const read = (tsv: string): Row[] => readRows(tsv, this.#innerLabel);
    if (manner === 'yielding') {
      const tsv = await this.#query((workingSet) => workingSet.select(sparql), scope);
      if (tsv.length > MAX_PARSED_AT_ONCE) await nextTurn();
      return read(tsv);
    }
    const rows = (): Promise<Row[]> => this.#query((workingSet) => read(workingSet.select(sparql)), scope);
    return manner === 'cached' ? this.#cachedRows.get(sparql, scope, rows) : rows();
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

  async stored<T>(read: (graphs: StoredGraphs) => T | Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    return this.primary.directory.readInTurns((tx, hold) =>
      read(storedGraphs(this.base, presentTexts(tx), hold)),
    );
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

  async #fillMemory(): Promise<void> {
    const limit = this.#capacity.planned * FILLED_AHEAD;
    await nextTurn();
    while (!this.#closed && !this.#follower.isWhole && this.#follower.loaded < limit) {
      const follower = this.#follower;
      try {
        if (follower.step() === 'lost') this.#replace(follower);
      } catch {
        // A query for the data meets the same error and reports it.
        return;
      }
      await wait(follower.rest);
    }
  }

  /** Runs a query on a working set that is current in its scope; retries a panic once, on a new one. */
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
          // In the same turn, so nothing can change between the check and the answer.
          return work(follower.workingSet);
        }
        if (state === 'lost') this.#replace(follower);
      } catch (error) {
        const isPanic = error instanceof WorkingSetPanic;
        if (!(error instanceof StoreFull) && !isPanic) throw error;
        // The engine loads only our own texts, so only lack of memory can break it.
        const isFull = !isPanic || (!isLoaded && follower.isFilling);
        const isHopeless = isFull
          ? this.#hasNothingToDrop(follower, scope) || ++tries.full > 3
          : ++tries.panics > 1;
        this.#replace(follower);
        if (isHopeless) throw isFull ? this.#full.add(scope) : error;
      }
      await nextTurn();
    }
  }

  /** Tells whether a full working set has nothing to drop: neither garbage nor other scopes. */
  #hasNothingToDrop(follower: Follower, scope: Scope | undefined): boolean {
    if (scope !== undefined && !follower.holdsOnly(scope)) return false;
    return follower.isFilling || follower.garbage === 0 || !this.#capacity.fits(follower.quads);
  }

  #newFollower(pace: PaceLimits, onFill?: EmbeddedStoreOptions['onFill']): Follower {
    const { derive, partition = undivided } = this.#options;
    return new Follower({ primary: this.primary, derive, partition, pace, capacity: this.#capacity, onFill });
  }

  #replace(old: Follower): void {
    if (this.#follower !== old) return;
    this.#follower = this.#newFollower(this.#pace);
    this.#fillAhead();
  }

  /** Deleted quads keep their memory, so now and then a clean working set is filled beside the current one. */
  #renewIfWasteful(follower: Follower): void {
    if (this.#successor) return;
    const { planned } = this.#capacity;
    const isTooMuch = this.#options.fillsAhead && follower.loaded > planned;
    const { garbageLimit = defaultGarbageLimit } = this.#options;
    if (!isTooMuch && follower.garbage <= garbageLimit(follower.quads)) return;
    if (performance.now() < this.#noRenewalBefore) return;
    const isWhole = follower.isWhole && (!isTooMuch || follower.quads < planned * FILLED_AHEAD);
    // Shared data must stay; if it takes most of the memory, a renewal would not help.
    const { sharedQuads, loaded } = follower;
    if (sharedQuads > planned || (sharedQuads > planned * TAKEN_OVER && loaded < planned * MAX_OVER_PLAN))
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
        // Let other turns in between, but outrun the changes.
        await (follower.isFilling ? wait(follower.rest) : nextTurn());
      }
    } catch {
      // Keep the current one; a later query tries again.
      this.#noRenewalBefore = performance.now() + RETRY_FULL;
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }
}
