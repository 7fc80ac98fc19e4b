import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { DataDirectory } from '../disk/data-directory.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad, Term } from '../rdf/terms.js';
import { CapacityWatch, PLANNED_QUADS, StoreFull } from './capacity.js';
import { Follower } from './follower.js';
import type { Change, GraphStore, NamedGraph } from './graph-store.js';
import { innerLabelUnder } from './skolem-label.js';
import { paces, type PaceLimits } from './pace.js';
import type { Derive } from './chunk.js';
import { WorkingSetPanic, type WorkingSet } from './working-set.js';
import { readRows } from './rows.js';
import { openPrimaryStore, type PrimaryStore } from './primary-store.js';

export type { Derive } from './chunk.js';

export interface EmbeddedStoreOptions {
  readonly directory: DataDirectory;
  /** Absolute URL without a slash at its end. */
  readonly base: string;
  readonly derive?: Derive;
  /** How many quads may be taken away before the working set is made anew; default: a fifth of what it holds, at least 50,000. */
  readonly garbageLimit?: (quads: number) => number;
  /** How many quads it is planned for, default eight million. */
  readonly planned?: number;
  /** Called when it holds four fifths of that, and again with each twentieth more. */
  readonly onNearCapacity?: (quads: number, planned: number) => void;
  /** Called while the first working set is filled. @param done graphs @param total how many there were */
  readonly onFill?: (done: number, total: number) => void;
  /** Milliseconds after which a store that was full looks whether its data has become less; default a minute. */
  readonly retryFull?: number;
}

const defaultGarbageLimit = (quads: number): number => Math.max(50_000, quads / 5);
const RETRY_FULL = 60_000;

/**
 * The store inside this process: the primary store on disk, and a working set in memory that answers queries. Resolves when the
 * working set is filled. The directory stays the caller's to close, after the store.
 * @throws StoreFull when the data is more than a working set can take
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const store = new EmbeddedStore(options);
  await store.ready();
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
  /** When a working set could not take the data, and what the data was then. */
  #full: { readonly until: number; readonly revision: number } | undefined;
  #closed = false;

  constructor(options: EmbeddedStoreOptions) {
    const { directory, base, garbageLimit = defaultGarbageLimit, planned = PLANNED_QUADS } = options;
    this.base = base;
    this.primary = openPrimaryStore(directory, base);
    this.#options = options;
    this.#garbageLimit = garbageLimit;
    this.#capacity = new CapacityWatch(planned, options.onNearCapacity ?? (() => undefined));
    this.#innerLabel = innerLabelUnder(base);
    this.#follower = this.#newFollower(paces.starting, options.onFill);
  }

  /** How many clean working sets have taken the place of wasteful ones, and whether one is in the making. */
  get renewals(): number {
    return this.#renewals;
  }

  get isRenewing(): boolean {
    return this.#successor !== undefined;
  }

  /** Resolves when everything acknowledged so far can be queried. */
  ready(): Promise<void> {
    return this.#query(() => undefined);
  }

  construct(sparql: string): Promise<Quad[]> {
    return this.#query((workingSet) => readTriples(workingSet.construct(sparql), this.#innerLabel));
  }

  select(sparql: string): Promise<Record<string, Term>[]> {
    return this.#query((workingSet) => readRows(workingSet.select(sparql), this.#innerLabel));
  }

  ask(sparql: string): Promise<boolean> {
    return this.#query((workingSet) => workingSet.ask(sparql));
  }

  async write(change: Change): Promise<number> {
    this.#refuseIfClosed();
    return this.primary.write(change);
  }

  replace(graphs: readonly NamedGraph[]): Promise<number> {
    return this.write({ replace: graphs });
  }

  remove(names: readonly string[]): Promise<number> {
    return this.write({ remove: names });
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
    await this.#successor;
  }

  /** Runs a query on a working set that equals the primary store; after a panic once more, on a new one. */
  async #query<T>(work: (workingSet: WorkingSet) => T): Promise<T> {
    let again = true;
    for (;;) {
      this.#refuseIfClosed();
      this.#refuseIfFull();
      const follower = this.#follower;
      try {
        const state = follower.step();
        if (state === 'current') {
          this.#capacity.see(follower.quads);
          this.#renewIfWasteful(follower);
          // In the same turn: nothing can change between the comparison and the answer.
          return work(follower.workingSet);
        }
        if (state === 'lost') this.#follower = this.#newFollower(paces.starting);
      } catch (error) {
        // Nothing but memory can break an engine that only takes in what we wrote ourselves.
        const isFull = error instanceof StoreFull || (error instanceof WorkingSetPanic && follower.filling);
        if (isFull && (follower.filling || !this.#capacity.fits(follower.quads))) throw this.#becomeFull();
        if (isFull) {
          // Full of what was replaced: what is there now fits into a new one.
          if (this.#follower === follower) this.#follower = this.#newFollower(paces.starting);
          await nextTurn();
          continue;
        }
        if (!(error instanceof WorkingSetPanic)) throw error;
        if (this.#follower === follower) this.#follower = this.#newFollower(paces.starting);
        if (!again) throw error;
        again = false;
      }
      await nextTurn();
    }
  }

  #newFollower(pace: PaceLimits, onFill?: EmbeddedStoreOptions['onFill']): Follower {
    const { derive } = this.#options;
    return new Follower({ primary: this.primary, derive, pace, capacity: this.#capacity, onFill });
  }

  /** Deleted quads keep their memory, so from time to time a clean working set is filled beside the one in use. */
  #renewIfWasteful(follower: Follower): void {
    if (this.#successor || follower.garbage <= this.#garbageLimit(follower.quads)) return;
    if (performance.now() < this.#noRenewalBefore) return;
    this.#successor = this.#renew(follower).finally(() => {
      this.#successor = undefined;
    });
  }

  async #renew(old: Follower): Promise<void> {
    const follower = this.#newFollower(paces.serving);
    try {
      while (!this.#closed && this.#follower === old) {
        const state = follower.step();
        if (state === 'current') {
          this.#follower = follower;
          this.#renewals++;
        }
        if (state !== 'behind') return;
        await wait(follower.rest);
      }
    } catch {
      // The one in use goes on; queries find it as wasteful as before, and after a while one tries again.
      this.#noRenewalBefore = performance.now() + RETRY_FULL;
    }
  }

  /** A working set that has run out of memory is let go: to fill another at each query would take all time there is. */
  #becomeFull(): StoreFull {
    this.#full = {
      until: performance.now() + (this.#options.retryFull ?? RETRY_FULL),
      revision: this.primary.revision(''),
    };
    this.#follower = this.#newFollower(paces.starting);
    return new StoreFull(this.#capacity.planned);
  }

  #refuseIfFull(): void {
    if (!this.#full) return;
    if (performance.now() < this.#full.until || this.primary.revision('') === this.#full.revision) {
      throw new StoreFull(this.#capacity.planned);
    }
    this.#full = undefined;
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }
}
