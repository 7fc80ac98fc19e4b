import { setTimeout as wait } from 'node:timers/promises';
import type { Ontology } from '../model/ontology/model.js';
import { CapacityWatch } from '../store/capacity.js';
import { Follower, paces } from '../store/follower.js';
import { undivided } from '../store/parts.js';
import type { PrimaryStore } from '../store/primary-store.js';
import type { AnalystEngine, Bounds, Outcome } from './analyst-engine.js';
import { EngineCopy, tooLong } from './engine-copy.js';
import { FollowedSet } from './followed-set.js';
import { hasNoRoom, LevelFull, StillFilling, type Progress } from './level-not-ready.js';
import { levelText } from './level-text.js';
import type { LevelView } from './levels.js';
import type { ThreadQuery } from './thread-messages.js';

export interface LevelOptions {
  readonly primary: PrimaryStore;
  readonly ontology: Pick<Ontology, 'prefixes' | 'properties' | 'classes' | 'codes' | 'terms'>;
  readonly view: LevelView;
  readonly planned: number;
  /** Bytes that a query may take in addition to the data. */
  readonly queryBytes: number;
  readonly most: number;
  /** How to give it more memory, as part of a sentence; undefined if nothing helps. */
  readonly moreMemory?: string | undefined;
}

interface Followed {
  readonly follower: Follower;
  readonly set: FollowedSet;
  readonly epoch: string;
}

/** Memory of copies is a multiple of this, so that the engine is compiled for few sizes. */
const MEMORY_STEP = 256 * 1024 * 1024;
/** An additional copy is dropped after this many idle milliseconds. */
const IDLE_MS = 30_000;
const SLOW_QUERY_MS = 1000;
/** How often to wait for a copy, which another query may take first or which may end before it is complete. */
const MAX_TRIES = 20;
/** Refills after this many removals, or a quarter of all quads if that is more. */
const MIN_GARBAGE = 200_000;
/** Room for growth required to fill a level: otherwise a few changes would force a refill. */
const HEADROOM = 1.05;

/**
 * One level of data for analysts: a working set that follows the primary store, and copies of it in threads that run
 * the queries. One copy is always ready. A copy that ends is replaced from the memory of the working set, without a
 * refill.
 */
export class Level implements AnalystEngine {
  readonly #copies = new Map<EngineCopy, FollowedSet>();
  readonly #capacity: CapacityWatch;
  #current: Followed;
  #filled: Promise<void> | undefined;
  #isFilled = false;
  #progress: Progress | undefined;
  #renewing: Promise<void> | undefined;
  #full: LevelFull | undefined;
  #closed = false;

  constructor(private readonly options: LevelOptions) {
    this.#capacity = new CapacityWatch(options.planned, () => undefined);
    this.#current = this.#newFollower();
  }

  /** Fills the level in the background, once. @throws LevelFull (rejects) while the data exceeds the planned size */
  fill(): Promise<void> {
    if (this.#full && !this.#full.isOver) return Promise.reject(this.#full);
    this.#full = undefined;
    if (!this.#filled) {
      // Since the level was created, a restore may have changed the history.
      this.#startOver();
      // Asynchronously: the first step may detect another history and replace this promise.
      this.#filled = Promise.resolve().then(() => this.#fillCurrent());
    }
    return this.#filled;
  }

  /** Refills the level after a restore; call it after commits. */
  async keepUp(): Promise<void> {
    const isOther = this.#filled && this.options.primary.directory.epoch !== this.#current.epoch;
    if (isOther) await this.#fillAnew();
  }

  get isFilled(): boolean {
    return this.#isFilled;
  }

  get revision(): number {
    return this.options.primary.revision('');
  }

  /** Progress of the filling; undefined before it is known, and while the first copy is made. */
  get progress(): Progress | undefined {
    const progress = this.#progress;
    return progress && progress.done < progress.total ? progress : undefined;
  }

  /** Runs a query on everything committed before. @throws StillFilling before it is filled, and as `fill` */
  async run(query: ThreadQuery, bounds: Bounds): Promise<{ outcome: Outcome; revision: number }> {
    const filling = this.fill();
    if (!this.#isFilled) {
      filling.catch(() => undefined);
      throw this.#full ?? new StillFilling(this.progress);
    }
    await filling;
    const began = performance.now();
    const revision = await this.#catchUp();
    // A slow query may exceed a limit and end its copy: prepare the next one.
    const timer = setTimeout(() => this.#tidy(), SLOW_QUERY_MS);
    const outcome = await this.#runOnFree(query, bounds, began).finally(() => clearTimeout(timer));
    this.#tidy();
    if ('body' in outcome) outcome.body.once('close', () => this.#tidy());
    return { outcome, revision };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const copy of this.#copies.keys()) copy.terminate();
    await Promise.all([...this.#copies.keys()].map((copy) => copy.ended));
    await this.#renewing;
  }

  #newFollower(): Followed {
    const { primary, view, ontology } = this.options;
    const { epoch } = primary.directory;
    const set = new FollowedSet(view);
    const follower = new Follower({
      primary,
      view: levelText(view, { base: primary.base, ontology }),
      workingSet: set,
      partition: undivided,
      // Nobody is served before the level is filled.
      pace: this.#isFilled ? paces.serving : paces.starting,
      capacity: this.#capacity,
      onFill: (done, total) => (this.#progress = { done, total }),
    });
    return { follower, set, epoch };
  }

  async #fillCurrent(): Promise<void> {
    const made = this.#current;
    const { primary, moreMemory } = this.options;
    const [revision, began] = [primary.revision(''), performance.now()];
    try {
      await this.#fill(made);
      this.#capacity.check(made.follower.quads * HEADROOM);
      if (made === this.#current && !this.#closed) await this.#make().ready;
    } catch (error) {
      if (made === this.#current) {
        this.#startOver();
        if (hasNoRoom(error))
          this.#full = new LevelFull(primary, revision, performance.now() - began, moreMemory);
        throw this.#full ?? error;
      }
    }
    // A restore has started another filling meanwhile.
    if (made !== this.#current) return this.fill();
    this.#isFilled = !this.#closed;
    this.#tidy();
  }

  #fillAnew(): Promise<void> {
    this.#filled = undefined;
    return this.fill();
  }

  async #fill(made: Followed): Promise<void> {
    while (!this.#closed && this.#step(made) !== 'current') await wait(made.follower.rest);
  }

  #step(made: Followed): 'current' | 'behind' {
    const state = made.follower.step();
    if (state !== 'lost') return state;
    // A restore, or more changes than the log holds.
    if (made === this.#current) this.#fillAnew().catch(() => undefined);
    throw new StillFilling(this.progress);
  }

  #startOver(): void {
    this.#isFilled = false;
    this.#filled = undefined;
    this.#progress = undefined;
    // A copy that runs a query is dropped afterwards.
    for (const copy of this.#copies.keys()) if (copy.isFree || !copy.isReady) this.#drop(copy);
    this.#current = this.#newFollower();
  }

  /** Updates the source, and through it all copies. */
  async #catchUp(): Promise<number> {
    try {
      while (this.#isFilled && this.#step(this.#current) !== 'current')
        await wait(this.#current.follower.rest);
    } catch (error) {
      if (!hasNoRoom(error)) throw error;
      // A refill frees the memory of removed quads.
      this.#startOver();
    }
    const revision = this.options.primary.revision('');
    this.#renewIfWasteful();
    return revision;
  }

  /**
   * Runs a query on a free copy, or waits for one: most queries end sooner than a new copy is made. @param began when
   * its time began, which a wait takes from
   */
  async #runOnFree(query: ThreadQuery, bounds: Bounds, began: number): Promise<Outcome> {
    const { epoch } = this.#current;
    const spent = (): number => Math.min(performance.now() - began, bounds.timeout);
    const deadline = AbortSignal.timeout(bounds.timeout - Math.floor(spent()));
    for (let left = MAX_TRIES; left > 0; left--) {
      // After a restore meanwhile, the new data may be missing.
      if (!this.#isFilled || this.#current.epoch !== epoch) throw new StillFilling(this.progress);
      const copy = [...this.#copies.keys()].find((each) => each.isFree && !this.#isOld(each));
      if (copy) return copy.run(query, bounds, spent());
      // A copy in progress is for any waiting query.
      const making =
        [...this.#copies.keys()].find(({ isReady, isAlive }) => isAlive && !isReady) ?? this.#make();
      const used = [...this.#copies.keys()].filter(({ isReady, isAlive }) => isAlive && isReady);
      const ready = making.ready.catch(() => undefined);
      await Promise.race([ready, expired(deadline), ...used.map((each) => each.released())]);
      if (deadline.aborted) return { failure: tooLong(bounds.timeout) };
      if (bounds.signal.aborted) {
        return { failure: { kind: 'ended', message: String(bounds.signal.reason) } };
      }
    }
    throw new Error('No copy of the level could be made.');
  }

  #make(): EngineCopy {
    const { primary, ontology, queryBytes } = this.options;
    const { set } = this.#current;
    const mostBytes = Math.ceil((set.bytes + queryBytes) / MEMORY_STEP) * MEMORY_STEP;
    const copy = new EngineCopy(set, {
      base: primary.base,
      mostBytes,
      terms: [...ontology.terms],
      prefixes: ontology.prefixes,
    });
    set.tell(copy);
    this.#copies.set(copy, set);
    void copy.ended.then(() => {
      set.forget(copy);
      this.#copies.delete(copy);
    });
    return copy;
  }

  #tidy(): void {
    if (this.#closed || !this.#isFilled) return;
    for (const copy of this.#copies.keys())
      if (!copy.isAlive || (copy.isFree && this.#isOld(copy))) this.#drop(copy);
    const hasNext = [...this.#copies.keys()].some(({ isFree, isReady }) => isFree || !isReady);
    if (!hasNext && this.#copies.size <= this.options.most) this.#make();
    setTimeout(() => this.#retire(), IDLE_MS).unref();
  }

  #isOld(copy: EngineCopy): boolean {
    return this.#copies.get(copy) !== this.#current.set;
  }

  /** While no query runs, one ready copy is enough. */
  #retire(): void {
    const [, ...spare] = [...this.#copies.keys()].filter(({ isFree }) => isFree);
    for (const copy of spare) this.#drop(copy);
  }

  #drop(copy: EngineCopy): void {
    this.#copies.get(copy)?.forget(copy);
    this.#copies.delete(copy);
    copy.terminate();
  }

  /** Removed quads keep their memory, so the level is refilled now and then beside the one in use. */
  #renewIfWasteful(): void {
    const { follower } = this.#current;
    if (this.#renewing || follower.garbage < Math.max(MIN_GARBAGE, follower.quads / 4)) return;
    const made = this.#newFollower();
    this.#renewing = this.#fill(made)
      .then(() => {
        if (this.#closed || !this.#isFilled) return;
        this.#current = made;
        this.#tidy();
      })
      .catch(() => undefined)
      .finally(() => {
        this.#renewing = undefined;
      });
  }
}

const expired = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
