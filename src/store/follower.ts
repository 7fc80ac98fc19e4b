import type { ReadTx } from './disk/transaction.js';
import type { CapacityWatch } from './capacity.js';
import { changesSince, epochOf, lastRevision } from './change-log.js';
import { Chunk, type Derive, indexGraph, type Missing, type View } from './chunk.js';
import { type Filling, HeldParts } from './held-parts.js';
import { SHARED, undivided, type Partition, type Scope } from './parts.js';
import { graphsIn } from './stored-graphs.js';
import { nameOf } from './paths.js';
import type { PrimaryStore } from './primary-store.js';
import { replaceGraph } from './replace-graph.js';
import { WorkingSet } from './working-set.js';

/** Limits per turn of the event loop: characters of relative text, milliseconds, and the rest after it. */
export interface PaceLimits {
  readonly first: number;
  readonly least: number;
  readonly most: number;
  readonly turn: number;
  readonly rest: number;
}

export const paces = {
  starting: { first: 1 << 19, least: 1 << 18, most: 1 << 19, turn: 50, rest: 0 },
  serving: { first: 1 << 16, least: 1 << 14, most: 1 << 19, turn: 12, rest: 1 },
} as const satisfies Record<string, PaceLimits>;

export class Pace {
  size: number;
  rest = 0;

  constructor(private readonly limits: PaceLimits) {
    this.size = limits.first;
  }

  /** @param done characters of this turn; a turn shorter than a piece says little */
  took(ms: number, done: number): void {
    const { least, most, turn, rest } = this.limits;
    this.rest = Math.min(ms, 100) * rest;
    if (done < this.size / 2) return;
    // Change by at most half, since one slow turn may be chance.
    const factor = Math.min(1.5, Math.max(0.5, turn / Math.max(ms, 0.1)));
    this.size = Math.min(most, Math.max(least, Math.round(this.size * factor)));
  }
}

const BATCH = 100;

interface FollowerOptions {
  readonly primary: PrimaryStore;
  readonly derive?: Derive | undefined;
  readonly view?: View | undefined;
  readonly workingSet?: WorkingSet;
  readonly partition: Partition;
  readonly pace: PaceLimits;
  readonly capacity: CapacityWatch;
  readonly onFill?: ((done: number, total: number) => void) | undefined;
}

/** A working set that follows a primary store: `step` fills its parts and keeps them current. */
export class Follower {
  readonly workingSet: WorkingSet;
  #loaded = 0;
  #derived = 0;
  #own = 0;
  readonly #pace: Pace;
  readonly #epoch: string;
  readonly #total: number;
  #graphs = 0;
  /** Changes up to this one are applied or noted as stale. */
  #seen: number;
  readonly #parts: HeldParts;
  readonly #chunk: Chunk;

  constructor(private readonly options: FollowerOptions) {
    const { primary, partition, pace } = options;
    this.workingSet = options.workingSet ?? new WorkingSet();
    this.#parts = new HeldParts(partition);
    this.#pace = new Pace(pace);
    this.#chunk = new Chunk(primary.base, options.derive, options.view);
    [this.#epoch, this.#seen, this.#total] = primary.directory.read((tx) => [
      epochOf(tx),
      lastRevision(tx),
      tx.count('graphs'),
    ]);
  }

  /** Approximate: derived quads are not counted per graph. */
  get quads(): number {
    const stated = this.#loaded - this.#derived;
    return stated === 0 ? 0 : Math.round(this.#own * (this.#loaded / stated));
  }

  get sharedQuads(): number {
    return this.options.partition === undivided ? this.quads : this.#parts.sharedQuads;
  }

  get isFilling(): boolean {
    return this.#parts.isFilling;
  }

  get loaded(): number {
    return this.#loaded;
  }

  get garbage(): number {
    return Math.max(0, this.#loaded - this.quads);
  }

  get isWhole(): boolean {
    return this.#parts.isWhole;
  }

  holdsOnly(scope: Scope): boolean {
    return this.#parts.holdsOnly(scope);
  }

  /** Returns shared data and the recently used parts that together fit into this many quads. */
  recent(quads: number): Scope {
    return this.#parts.recent(quads);
  }

  get rest(): number {
    return this.#pace.rest;
  }

  /**
   * Does one step of work for a scope, default everything. 'current': in this very turn the scope equals the primary
   * store; 'behind': call again in another turn; 'lost': it cannot follow (data restored, too many changes missed), so
   * start another.
   * @throws WorkingSetPanic
   * @throws StoreFull when the data exceeds a working set
   */
  step(scope?: Scope): 'current' | 'behind' | 'lost' {
    return this.options.primary.directory.read((tx) => {
      if (epochOf(tx) !== this.#epoch) return 'lost';
      if (lastRevision(tx) !== this.#seen && !this.#note(tx)) return 'lost';
      if (!this.#has(tx, scope)) return 'behind';
      // Graphs are read from the newest snapshot, so data is current once nothing is stale. Changes outside the scope
      // wait: a record that is written constantly slows no other.
      if (this.#parts.isStale(scope)) this.#apply(tx, scope);
      return this.#parts.isStale(scope) ? 'behind' : 'current';
    });
  }

  #has(tx: ReadTx, scope: Scope | undefined): boolean {
    const isShared = scope === undefined || scope.includes(SHARED);
    if (isShared && !this.#parts.survey(tx)) return false;
    if (!this.#parts.hasAll(scope)) this.#fill(tx, scope ?? this.#parts.missing());
    this.#parts.used(scope ?? []);
    return this.#parts.hasAll(scope);
  }

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
    // Only after loading, so that a failure leaves them missing.
    this.#own += chunk.quads - chunk.derived;
    this.#graphs += chunk.graphs;
    for (const [place, { isDone, ...filling }] of filled) {
      if (isDone) this.#parts.hold(place, filling);
      else this.#parts.filledTo(place, filling);
    }
    this.options.onFill?.(Math.min(this.#graphs, this.#total), this.#total);
  }

  /** @param from number of shared graphs already loaded, as text */
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
    const part = this.options.partition.partOf(place);
    let to = from;
    for (const { path, text } of graphsIn(tx, place, from)) {
      if (chunk.size >= this.#pace.size) return { to, isDone: false };
      to = path;
      // Some graphs may have been loaded with a place inside it.
      if (this.options.partition.partOf(path) === part && !this.#parts.has(path)) chunk.add(path, text);
    }
    return { to, isDone: true };
  }

  #emptyChunk(): Chunk {
    this.#chunk.clear();
    return this.#chunk;
  }

  #load(chunk: Chunk, start: number): void {
    this.options.capacity.check(this.#loaded + chunk.quads);
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
      const name = nameOf(path, this.options.primary.base);
      const text = tx.get('graphs', path) as string | undefined;
      if (text === undefined || this.options.view) {
        cleared.push(name);
        if (this.options.derive) cleared.push(indexGraph(name));
      }
      if (text !== undefined) chunk.add(path, text, missing);
      done.add(path);
      if (chunk.size >= this.#pace.size || done.size >= BATCH) break;
    }
    this.workingSet.clear(cleared);
    if (updates.length > 0) this.workingSet.update(updates.join(';'));
    this.#load(chunk, start);
    // Only after loading: a failure leaves them stale, so no query misses them.
    for (const path of done) this.#parts.noteFresh(path);
  }
}
