import type { ReadTx } from '../disk/transaction.js';
import type { CapacityWatch } from './capacity.js';
import { changesSince, lastRevision } from './change-log.js';
import { Pace, type PaceLimits } from './pace.js';
import { nameOf } from './paths.js';
import { indexGraph, Piece, type Derive } from './chunk.js';
import { WorkingSet } from './working-set.js';
import type { PrimaryStore } from './primary-store.js';

/** Graphs changed in one turn at most: each costs an update of its own. */
const BATCH = 100;

export interface FollowerOptions {
  readonly primary: PrimaryStore;
  readonly derive?: Derive | undefined;
  readonly pace: PaceLimits;
  readonly capacity: CapacityWatch;
  /** Called while the working set is filled for the first time. @param done graphs @param total how many there were */
  readonly onFill?: ((done: number, total: number) => void) | undefined;
}

/** A working set that follows a primary store: `step` by `step` it is filled, then kept up to date. */
export class Follower {
  readonly workingSet = new WorkingSet();
  /** Quads that this working set was ever given; those taken away since still occupy its memory. */
  #loaded = 0;
  #derived = 0;
  /** Quads of the primary store that are in it now. */
  #own = 0;
  readonly #options: FollowerOptions;
  readonly #primary: PrimaryStore;
  readonly #derive: Derive | undefined;
  readonly #pace: Pace;
  readonly #epoch: string;
  readonly #total: number;
  #filled = 0;
  /** Changes up to this one are applied or pending. */
  #seen: number;
  readonly #pending = new Set<string>();
  /** The path up to which the working set is filled; undefined when it is filled altogether. */
  #filledTo: string | undefined = '';

  constructor(options: FollowerOptions) {
    const { primary, derive, pace } = options;
    this.#options = options;
    this.#primary = primary;
    this.#derive = derive;
    this.#pace = new Pace(pace);
    [this.#epoch, this.#seen, this.#total] = primary.directory.read((tx) => [
      epochOf(tx),
      lastRevision(tx),
      tx.count('graphs'),
    ]);
  }

  /** Quads in the working set, as nearly as can be told: how many are derived from each graph is not remembered. */
  get quads(): number {
    const stated = this.#loaded - this.#derived;
    return stated === 0 ? 0 : Math.round(this.#own * (this.#loaded / stated));
  }

  /** Quads that were taken away and still occupy memory. */
  get garbage(): number {
    return Math.max(0, this.#loaded - this.quads);
  }

  /** Whether it has not been filled altogether yet. */
  get filling(): boolean {
    return this.#filledTo !== undefined;
  }

  /** Milliseconds to leave to others before the next step. */
  get rest(): number {
    return this.#pace.rest;
  }

  /**
   * Does one step of the work there is. 'current': in this very turn the working set equals the primary store; 'behind': call again
   * in another turn; 'lost': it can no longer follow (restored data, too many changes missed), start another.
   * @throws WorkingSetPanic
   * @throws StoreFull when there is more than a working set can take
   */
  step(): 'current' | 'behind' | 'lost' {
    return this.#primary.directory.read((tx) => {
      if (epochOf(tx) !== this.#epoch) return 'lost';
      if (this.#filledTo !== undefined) {
        this.#fill(tx, this.#filledTo);
        return 'behind';
      }
      if (lastRevision(tx) !== this.#seen && !this.#note(tx)) return 'lost';
      // Graphs are read in the newest snapshot, so the working set equals it as soon as nothing is pending.
      if (this.#pending.size > 0) this.#apply(tx);
      return this.#pending.size === 0 ? 'current' : 'behind';
    });
  }

  /** Graphs that change while this runs are pending afterwards and are then read again: no snapshot is held. */
  #fill(tx: ReadTx, from: string): void {
    const start = performance.now();
    const piece = new Piece(this.#primary.base, this.#derive);
    let last: string | undefined;
    for (const { key, value } of tx.range('graphs', from === '' ? {} : { after: from })) {
      last = String(key);
      piece.add(last, value as string);
      if (piece.size >= this.#pace.size) break;
      last = undefined;
    }
    this.#load(piece, start);
    this.#own += piece.quads - piece.derived;
    this.#filledTo = last;
    this.#filled += piece.graphs;
    this.#options.onFill?.(Math.min(this.#filled, this.#total), this.#total);
  }

  #load(piece: Piece, start: number): void {
    this.#options.capacity.check(this.#loaded + piece.quads);
    piece.loadInto(this.workingSet);
    this.#loaded += piece.quads;
    this.#derived += piece.derived;
    this.#pace.took(performance.now() - start, piece.size);
  }

  #note(tx: ReadTx): boolean {
    const changes = changesSince(tx, this.#seen);
    if (!changes.complete) return false;
    for (const path of changes.paths) this.#pending.add(path);
    this.#seen = changes.revision;
    this.#own += changes.added - changes.dropped;
    return true;
  }

  #apply(tx: ReadTx): void {
    const start = performance.now();
    const piece = new Piece(this.#primary.base, this.#derive);
    const names: string[] = [];
    const done: string[] = [];
    for (const path of this.#pending) {
      const name = nameOf(path, this.#primary.base);
      names.push(name);
      if (this.#derive) names.push(indexGraph(name));
      const text = tx.get('graphs', path) as string | undefined;
      if (text !== undefined) piece.add(path, text);
      done.push(path);
      if (piece.size >= this.#pace.size || done.length >= BATCH) break;
    }
    this.workingSet.clear(names);
    this.#load(piece, start);
    // Only now: what could not be loaded stays pending, so no query is answered without it.
    for (const path of done) this.#pending.delete(path);
  }
}

function epochOf(tx: ReadTx): string {
  return String(tx.get('meta', 'epoch'));
}
