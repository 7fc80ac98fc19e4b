import type { ReadTx } from '../disk/transaction.js';
import type { CapacityWatch } from './capacity.js';
import { changesSince, epochOf, lastRevision } from './change-log.js';
import { Pace, type PaceLimits } from './pace.js';
import { nameOf } from './paths.js';
import { Chunk, indexGraph, type Derive, type Missing, type View } from './chunk.js';
import { HeldParts, type Filling } from './held-parts.js';
import { graphsIn, SHARED, undivided, type Partition, type Scope } from './parts.js';
import { replaceGraph } from './replace-graph.js';
import { WorkingSet } from './working-set.js';
import type { PrimaryStore } from './primary-store.js';

/** Graphs changed in one turn at most: each costs an update of its own. */
const BATCH = 100;

export interface FollowerOptions {
  readonly primary: PrimaryStore;
  readonly derive?: Derive | undefined;
  /** What it holds in the place of each graph; default: the graph itself. */
  readonly view?: View | undefined;
  /** What is filled; default: a new one. */
  readonly workingSet?: WorkingSet;
  readonly partition: Partition;
  readonly pace: PaceLimits;
  readonly capacity: CapacityWatch;
  /** Called while all parts are filled. @param done graphs @param total how many there were */
  readonly onFill?: ((done: number, total: number) => void) | undefined;
}

/** A working set that follows a primary store: `step` by `step` parts of it are filled, then kept up to date. */
export class Follower {
  readonly workingSet: WorkingSet;
  /** Quads that this working set was ever given; those taken away since still occupy its memory. */
  #loaded = 0;
  #derived = 0;
  /** Quads of the primary store that are in it now. */
  #own = 0;
  readonly #options: FollowerOptions;
  readonly #primary: PrimaryStore;
  readonly #partition: Partition;
  readonly #pace: Pace;
  readonly #epoch: string;
  readonly #total: number;
  #graphs = 0;
  /** Changes up to this one are applied, or known to be missing. */
  #seen: number;
  readonly #parts: HeldParts;
  readonly #chunk: Chunk;

  constructor(options: FollowerOptions) {
    const { primary, partition, pace } = options;
    this.#options = options;
    this.workingSet = options.workingSet ?? new WorkingSet();
    this.#primary = primary;
    this.#partition = partition;
    this.#parts = new HeldParts(partition);
    this.#pace = new Pace(pace);
    this.#chunk = new Chunk(primary.base, options.derive, options.view);
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

  /** Quads of what is shared when it was loaded. */
  get sharedQuads(): number {
    return this.#partition === undivided ? this.quads : this.#parts.sharedQuads;
  }

  /** Whether something is loaded in part only. */
  get isFilling(): boolean {
    return this.#parts.isFilling;
  }

  /** Quads that were ever put in: what its memory has grown by. */
  get loaded(): number {
    return this.#loaded;
  }

  /** Quads that were taken away and still occupy memory. */
  get garbage(): number {
    return Math.max(0, this.#loaded - this.quads);
  }

  /** Whether everything is here. */
  get isWhole(): boolean {
    return this.#parts.isWhole;
  }

  /** Whether nothing is here but what lies in a scope. */
  holdsOnly(scope: Scope): boolean {
    return this.#parts.holdsOnly(scope);
  }

  /** What is shared, if it is here, and the parts that were asked for last, with so many quads together. */
  recent(quads: number): Scope {
    return this.#parts.recent(quads);
  }

  /** Milliseconds to leave to others before the next step. */
  get rest(): number {
    return this.#pace.rest;
  }

  /**
   * Does one step of the work there is for a scope; without one, for everything. 'current': in this very turn what lies
   * in the scope equals the primary store; 'behind': call again in another turn; 'lost': it can no longer follow
   * (restored data, too many changes missed), start another.
   * @throws WorkingSetPanic
   * @throws StoreFull when there is more than a working set can take
   */
  step(scope?: Scope): 'current' | 'behind' | 'lost' {
    return this.#primary.directory.read((tx) => {
      if (epochOf(tx) !== this.#epoch) return 'lost';
      if (lastRevision(tx) !== this.#seen && !this.#note(tx)) return 'lost';
      if (!this.#has(tx, scope)) return 'behind';
      // Graphs are read in the newest snapshot, so what is held equals it as soon as nothing is stale. What changes
      // outside of the scope waits for those who ask for it: one record that is written all the time slows no other.
      if (this.#parts.isStale(scope)) this.#apply(tx, scope);
      return this.#parts.isStale(scope) ? 'behind' : 'current';
    });
  }

  /** Whether what a scope asks for is here; else goes on to fill it. */
  #has(tx: ReadTx, scope: Scope | undefined): boolean {
    const isShared = scope === undefined || scope.includes(SHARED);
    // The little that a young container holds is read in the same turn.
    if (isShared && !this.#parts.survey(tx)) return false;
    if (!this.#parts.hasAll(scope)) this.#fill(tx, scope ?? this.#parts.missing());
    this.#parts.used(scope ?? []);
    return this.#parts.hasAll(scope);
  }

  /** Loads what is missing of some parts and places, as much as a turn may take. */
  #fill(tx: ReadTx, places: Iterable<string>): void {
    const start = performance.now();
    const chunk = this.#emptyChunk();
    const filled = new Map<string, Filling & { isDone: boolean }>();
    for (const place of places) {
      if (this.#parts.has(place) || filled.has(place)) continue;
      const before = chunk.quads;
      const filling = this.#parts.filling(place);
      const reached =
        place === SHARED
          ? this.#fillShared(tx, filling.to, chunk)
          : this.#fillPlace(tx, place, filling.to, chunk);
      filled.set(place, { ...filling, ...reached, quads: filling.quads + chunk.quads - before });
      if (!reached.isDone || chunk.size >= this.#pace.size) break;
    }
    this.#load(chunk, start);
    // Only now: what could not be loaded is still missing.
    this.#own += chunk.quads - chunk.derived;
    this.#graphs += chunk.graphs;
    for (const [place, { isDone, ...filling }] of filled) {
      if (isDone) this.#parts.hold(place, filling);
      else this.#parts.filledTo(place, filling);
    }
    this.#options.onFill?.(Math.min(this.#graphs, this.#total), this.#total);
  }

  /** @param from how many of the shared graphs are here already, as text */
  #fillShared(tx: ReadTx, from: string, chunk: Chunk): { to: string; isDone: boolean } {
    const { shared } = this.#parts;
    let at = Number(from);
    for (; at < shared.length && chunk.size < this.#pace.size; at++) {
      const path = shared[at] ?? '';
      const text = tx.get('graphs', path) as string | undefined;
      if (text !== undefined) chunk.add(path, text);
    }
    return { to: String(at), isDone: at === shared.length };
  }

  #fillPlace(tx: ReadTx, place: string, from: string, chunk: Chunk): { to: string; isDone: boolean } {
    const part = this.#partition.partOf(place);
    let to = from;
    for (const { path, text } of graphsIn(tx, place, from)) {
      if (chunk.size >= this.#pace.size) return { to, isDone: false };
      to = path;
      // What is here already came with a place inside of it.
      if (this.#partition.partOf(path) === part && !this.#parts.has(path)) chunk.add(path, text);
    }
    return { to, isDone: true };
  }

  #emptyChunk(): Chunk {
    this.#chunk.clear();
    return this.#chunk;
  }

  #load(chunk: Chunk, start: number): void {
    this.#options.capacity.check(this.#loaded + chunk.quads);
    chunk.loadInto(this.workingSet);
    this.#loaded += chunk.quads;
    this.#derived += chunk.derived;
    this.#pace.took(performance.now() - start, chunk.size);
  }

  #note(tx: ReadTx): boolean {
    const changes = changesSince(tx, this.#seen, (paths) => {
      for (const path of paths) this.#parts.noteNew(path);
      return paths.some((path) => this.#parts.has(path));
    });
    if (!changes.complete) return false;
    for (const path of changes.paths) this.#parts.noteChanged(path);
    this.#seen = changes.revision;
    this.#own += changes.added - changes.dropped;
    return true;
  }

  #apply(tx: ReadTx, scope: Scope | undefined): void {
    const start = performance.now();
    const chunk = this.#emptyChunk();
    const cleared: string[] = [];
    const updates: string[] = [];
    const missing: Missing = (name, ntriples) => {
      const held = this.workingSet.graph(name);
      if (held === undefined) cleared.push(name);
      const { update, added } = replaceGraph(name, held ?? '', ntriples);
      if (update !== '') updates.push(update);
      return added;
    };
    const done = new Set<string>();
    for (const path of this.#parts.stale(scope)) {
      const name = nameOf(path, this.#primary.base);
      const text = tx.get('graphs', path) as string | undefined;
      if (text === undefined || this.#options.view) {
        cleared.push(name);
        if (this.#options.derive) cleared.push(indexGraph(name));
      }
      if (text !== undefined) chunk.add(path, text, missing);
      done.add(path);
      if (chunk.size >= this.#pace.size || done.size >= BATCH) break;
    }
    this.workingSet.clear(cleared);
    if (updates.length > 0) this.workingSet.update(updates.join(';'));
    this.#load(chunk, start);
    // Only now: what could not be loaded stays stale, so no query is answered without it.
    for (const path of done) this.#parts.noteFresh(path);
  }
}
