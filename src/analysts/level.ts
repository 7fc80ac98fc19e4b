import { setTimeout as wait } from 'node:timers/promises';
import type { Ontology } from '../ontology/model.js';
import { CapacityWatch } from '../store/capacity.js';
import { Follower } from '../store/follower.js';
import { paces } from '../store/pace.js';
import { undivided } from '../store/parts.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { EngineCopy, type Bounds, type Outcome } from './engine-copy.js';
import { FollowedSet } from './followed-set.js';
import { levelText } from './level-text.js';
import type { LevelView } from './levels.js';
import type { ThreadQuery } from './thread-messages.js';

/** What a level is made of and may cost. */
export interface LevelOptions {
  readonly primary: PrimaryStore;
  readonly ontology: Pick<Ontology, 'properties' | 'terms'>;
  readonly view: LevelView;
  /** How many quads it is planned for. */
  readonly planned: number;
  /** Bytes that a query may take beside the data. */
  readonly queryBytes: number;
  /** Queries that run at a time. */
  readonly most: number;
}

/** How far the filling of a level is, in graphs. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** A level that is not filled yet. @param progress how far it is, where that is known */
export class StillFilling extends Error {
  constructor(readonly progress: Progress | undefined) {
    super('The data is still being brought to memory.');
    this.name = 'StillFilling';
  }
}

/** A working set, what keeps it up to date, and the epoch of the history that it follows. */
interface Followed {
  readonly follower: Follower;
  readonly set: FollowedSet;
  readonly epoch: string;
}

/** Memory of copies is a multiple of this, so that the engine is compiled for few sizes. */
const STEP = 256 * 1024 * 1024;
/** A copy beside the first that had nothing to do for so many milliseconds goes. */
const IDLE = 30_000;
/** A query that runs for so many milliseconds is a long one. */
const LONG = 1000;
/** How often a copy is waited for that somebody else may take first, or that ends before it is made. */
const MOST_TRIES = 20;
/** Removed quads that make it worth while to fill anew: a quarter, and at least so many. */
const GARBAGE = 200_000;

/**
 * One level of what analysts may see: a working set that follows the primary store and that nobody queries, and copies of
 * it in threads that run queries. One copy is always ready; whatever ends one, another is made of the memory of the first,
 * which takes no filling.
 */
export class Level {
  readonly #options: LevelOptions;
  readonly #copies = new Set<EngineCopy>();
  readonly #sources = new Map<EngineCopy, FollowedSet>();
  #current: Followed;
  #filled: Promise<void> | undefined;
  #isFilled = false;
  #progress: Progress | undefined;
  #renewing: Promise<void> | undefined;
  #closed = false;

  constructor(options: LevelOptions) {
    this.#options = options;
    this.#current = this.#newFollower();
  }

  /** Fills it, once, in the background. @throws StoreFull (rejects) when there is more than it is planned for */
  fill(): Promise<void> {
    if (!this.#filled) {
      // What was there when the level was made may be another history by now, and fewer graphs.
      this.#startOver();
      // In another turn: the first step may find yet another history, and put its filling here.
      this.#filled = Promise.resolve().then(() => this.#fillCurrent());
    }
    return this.#filled;
  }

  /** Fills it anew where the data directory has got another history since, by a restore; for each commit. */
  async keepUp(): Promise<void> {
    const isOther = this.#filled && this.#options.primary.directory.epoch !== this.#current.epoch;
    if (isOther) await this.#fillAnew();
  }

  get isFilled(): boolean {
    return this.#isFilled;
  }

  /** How far the filling is; undefined before it is known, and when all graphs are there and a copy is made of them. */
  get progress(): Progress | undefined {
    const progress = this.#progress;
    return progress && progress.done < progress.total ? progress : undefined;
  }

  /**
   * Runs a query on everything that was acknowledged before.
   * @returns its outcome with the revision that it saw
   * @throws StillFilling before it is filled, and what `fill` throws
   */
  async run(query: ThreadQuery, bounds: Bounds): Promise<{ outcome: Outcome; revision: number }> {
    const filling = this.fill();
    if (!this.#isFilled) {
      filling.catch(() => undefined);
      throw new StillFilling(this.progress);
    }
    await filling;
    const revision = await this.#catchUp();
    // What takes long may go over a limit and take its copy along: then the next one is there already.
    const timer = setTimeout(() => this.#tidy(), LONG);
    const outcome = await this.#runOnFree(query, bounds).finally(() => clearTimeout(timer));
    this.#tidy();
    if ('body' in outcome) outcome.body.once('close', () => this.#tidy());
    return { outcome, revision };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const copy of this.#copies) copy.terminate();
    await Promise.all([...this.#copies].map((copy) => copy.ended()));
    await this.#renewing;
  }

  #newFollower(): Followed {
    const { primary, view, ontology, planned } = this.#options;
    const { epoch } = primary.directory;
    const set = new FollowedSet(view);
    const follower = new Follower({
      primary,
      view: levelText(view, { base: primary.base, ontology }),
      workingSet: set,
      partition: undivided,
      pace: paces.serving,
      capacity: new CapacityWatch(planned, () => undefined),
      onFill: (done, total) => (this.#progress = { done, total }),
    });
    return { follower, set, epoch };
  }

  async #fillCurrent(): Promise<void> {
    const made = this.#current;
    try {
      await this.#fill(made);
      if (made === this.#current && !this.#closed) await this.#make().ready();
    } catch (error) {
      if (made === this.#current) {
        this.#startOver();
        throw error;
      }
    }
    // Meanwhile another history began, and its filling.
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
    // Another history of the data directory, or more changes than are remembered.
    if (made === this.#current) this.#fillAnew().catch(() => undefined);
    throw new StillFilling(this.progress);
  }

  #startOver(): void {
    this.#isFilled = false;
    this.#filled = undefined;
    this.#progress = undefined;
    // One that runs a query goes when that is over.
    for (const copy of this.#copies) if (copy.isFree || !copy.isReady) this.#drop(copy);
    this.#current = this.#newFollower();
  }

  /** Brings the source, and by it all copies, to the present. */
  async #catchUp(): Promise<number> {
    while (this.#step(this.#current) !== 'current') await wait(this.#current.follower.rest);
    const revision = this.#options.primary.revision('');
    this.#renewIfWasteful();
    return revision;
  }

  /**
   * Runs a query on a copy that nobody uses; where all are in use, on the one that is free first: another one is made, which
   * takes longer than most queries.
   */
  async #runOnFree(query: ThreadQuery, bounds: Bounds): Promise<Outcome> {
    const { epoch } = this.#current;
    for (let left = MOST_TRIES; left > 0; left--) {
      // Of another history that begins while it waits, nothing may be there yet.
      if (!this.#isFilled || this.#current.epoch !== epoch) throw new StillFilling(this.progress);
      const copy = [...this.#copies].find((each) => each.isFree && !this.#isOld(each));
      if (copy) return copy.run(query, bounds);
      // One that is being made is everybody's.
      const making = [...this.#copies].find(({ isReady, isAlive }) => isAlive && !isReady) ?? this.#make();
      const used = [...this.#copies].filter(({ isReady, isAlive }) => isAlive && isReady);
      const ready = making.ready().catch(() => undefined);
      await Promise.race([ready, ...used.map((each) => each.released())]);
      if (bounds.signal.aborted) {
        return { failure: { kind: 'ended', message: String(bounds.signal.reason) } };
      }
    }
    throw new Error('No copy of the level could be made.');
  }

  #make(): EngineCopy {
    const { primary, ontology, queryBytes } = this.#options;
    const { set } = this.#current;
    const mostBytes = Math.ceil((set.bytes + queryBytes) / STEP) * STEP;
    const copy = new EngineCopy(set, { base: primary.base, mostBytes, terms: [...ontology.terms] });
    set.tell(copy);
    this.#sources.set(copy, set);
    this.#copies.add(copy);
    void copy.ended().then(() => {
      set.forget(copy);
      this.#copies.delete(copy);
      this.#sources.delete(copy);
    });
    return copy;
  }

  /** Lets go what has ended or is out of date, and sees to it that a copy is ready for the next query. */
  #tidy(): void {
    if (this.#closed || !this.#isFilled) return;
    for (const copy of this.#copies)
      if (!copy.isAlive || (copy.isFree && this.#isOld(copy))) this.#drop(copy);
    const hasNext = [...this.#copies].some(({ isFree, isReady }) => isFree || !isReady);
    if (!hasNext && this.#copies.size <= this.#options.most) this.#make();
    setTimeout(() => this.#retire(), IDLE).unref();
  }

  /** Whether it is a copy of what the level no longer follows by. */
  #isOld(copy: EngineCopy): boolean {
    return this.#sources.get(copy) !== this.#current.set;
  }

  /** One that is ready is enough while nothing runs. */
  #retire(): void {
    const [, ...spare] = [...this.#copies].filter(({ isFree }) => isFree);
    for (const copy of spare) this.#drop(copy);
  }

  #drop(copy: EngineCopy): void {
    this.#sources.get(copy)?.forget(copy);
    this.#copies.delete(copy);
    copy.terminate();
  }

  /** Deleted quads keep their memory, so from time to time all is filled anew beside the one in use. */
  #renewIfWasteful(): void {
    const { follower } = this.#current;
    if (this.#renewing || follower.garbage < Math.max(GARBAGE, follower.quads / 4)) return;
    const made = this.#newFollower();
    this.#renewing = this.#fill(made)
      .then(() => {
        // Not where another history has begun.
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
