import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDirectory } from '../disk/data-directory.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad, Term } from '../rdf/terms.js';
import { Follower, type Derive } from './follower.js';
import type { Change, GraphStore, NamedGraph } from './graph-store.js';
import { innerLabelUnder } from './inner-label.js';
import { ReplicaPanic, type Replica } from './replica.js';
import { readRows } from './rows.js';
import { openTruth, type Truth } from './truth.js';

export type { Derive } from './follower.js';

export interface EmbeddedStoreOptions {
  readonly directory: DataDirectory;
  /** Absolute URL without a slash at its end. */
  readonly base: string;
  readonly derive?: Derive;
  /** How many quads may be taken away before the replica is made anew; default: half of what it holds, at least 100,000. */
  readonly garbageLimit?: (quads: number) => number;
}

const defaultGarbageLimit = (quads: number): number => Math.max(100_000, quads / 2);

/**
 * The store inside this process: the truth on disk, and a replica in memory that answers queries. Resolves when the
 * replica is filled. The directory stays the caller's to close, after the store.
 */
export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const store = new EmbeddedStore(options);
  await store.ready();
  return store;
}

export class EmbeddedStore implements GraphStore {
  readonly base: string;
  /** The durable half, for changes that must go together with something else. */
  readonly truth: Truth;
  readonly #derive: Derive | undefined;
  readonly #garbageLimit: (quads: number) => number;
  readonly #innerLabel: (iri: string) => string | undefined;
  #follower: Follower;
  /** The replica that is being filled to take the place of a wasteful one. */
  #successor: Promise<void> | undefined;
  #closed = false;

  constructor({ directory, base, derive, garbageLimit = defaultGarbageLimit }: EmbeddedStoreOptions) {
    this.base = base;
    this.truth = openTruth(directory, base);
    this.#derive = derive;
    this.#garbageLimit = garbageLimit;
    this.#innerLabel = innerLabelUnder(base);
    this.#follower = this.#newFollower();
  }

  /** Resolves when everything acknowledged so far can be queried. */
  ready(): Promise<void> {
    return this.#query(() => undefined);
  }

  construct(sparql: string): Promise<Quad[]> {
    return this.#query((replica) => readTriples(replica.construct(sparql), this.#innerLabel));
  }

  select(sparql: string): Promise<Record<string, Term>[]> {
    return this.#query((replica) => readRows(replica.select(sparql), this.#innerLabel));
  }

  ask(sparql: string): Promise<boolean> {
    return this.#query((replica) => replica.ask(sparql));
  }

  async write(change: Change): Promise<number> {
    this.#refuseIfClosed();
    return this.truth.write(change);
  }

  replace(graphs: readonly NamedGraph[]): Promise<number> {
    return this.write({ replace: graphs });
  }

  remove(names: readonly string[]): Promise<number> {
    return this.write({ remove: names });
  }

  async has(name: string): Promise<boolean> {
    return Promise.resolve(this.truth.has(name));
  }

  async revision(path: string): Promise<number> {
    return Promise.resolve(this.truth.revision(path));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#successor;
  }

  /** Runs a query on a replica that equals the truth; after a panic once more, on a new one. */
  async #query<T>(work: (replica: Replica) => T): Promise<T> {
    let again = true;
    for (;;) {
      this.#refuseIfClosed();
      const follower = this.#follower;
      try {
        const state = follower.step();
        if (state === 'current') {
          this.#renewIfWasteful(follower);
          // In the same turn: nothing can change between the comparison and the answer.
          return work(follower.replica);
        }
        if (state === 'lost') this.#follower = this.#newFollower();
      } catch (error) {
        if (!(error instanceof ReplicaPanic)) throw error;
        if (this.#follower === follower) this.#follower = this.#newFollower();
        if (!again) throw error;
        again = false;
      }
      await nextTurn();
    }
  }

  #newFollower(): Follower {
    return new Follower(this.truth, this.#derive);
  }

  /** Deleted quads keep their memory, so from time to time a clean replica is filled beside the one in use. */
  #renewIfWasteful(follower: Follower): void {
    if (this.#successor || follower.garbage <= this.#garbageLimit(follower.quads)) return;
    this.#successor = this.#renew(follower).finally(() => {
      this.#successor = undefined;
    });
  }

  async #renew(old: Follower): Promise<void> {
    const follower = this.#newFollower();
    try {
      while (!this.#closed && this.#follower === old) {
        const state = follower.step();
        if (state === 'current') this.#follower = follower;
        if (state !== 'behind') return;
        await nextTurn();
      }
    } catch {
      // The one in use goes on; the next query finds it as wasteful as before and tries again.
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }
}
