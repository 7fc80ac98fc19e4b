import type { ReadTx } from '../disk/transaction.js';
import { SHARED, survey, type Partition, type Scope } from './parts.js';

/** Names looked at in one turn. */
const SURVEYED = 1000;

/** How far the filling of a part is. */
export interface Filling {
  /** How far: the last graph of a part, the number of those that are shared; '' before the first. */
  readonly to: string;
  /** Graphs that have changed meanwhile, and are read again at the end: no snapshot is held. */
  readonly changed: Set<string>;
  readonly quads: number;
}

/** Which parts of a container a working set holds, how far others are filled, and which it knows of besides. */
export class HeldParts {
  readonly #partition: Partition;
  /** Parts that are here, with their quads, the one that was asked for last at the end. */
  readonly #held = new Map<string, number>();
  /** Parts that are being filled. */
  readonly #filling = new Map<string, Filling>();
  /** Graphs that have changed since they were loaded, by part. */
  readonly #stale = new Map<string, Set<string>>();
  /** Parts that were found and are not here; all of them when the survey is at its end. */
  readonly #others = new Set<string>();
  readonly #shared: string[] = [];
  /** How far the names of graphs were looked through; undefined at the end. */
  #surveyed: string | undefined = '';

  constructor(partition: Partition) {
    this.#partition = partition;
  }

  /** Whether something is loaded in part only. */
  get isFilling(): boolean {
    return this.#filling.size > 0;
  }

  /** Whether everything is here. */
  get isWhole(): boolean {
    return this.#surveyed === undefined && this.has(SHARED) && this.#others.size === 0;
  }

  /** The paths of shared graphs that the survey has found. */
  get shared(): readonly string[] {
    return this.#shared;
  }

  has(part: string): boolean {
    return this.#held.has(part);
  }

  /** Whether all of a scope is here; without one, everything. */
  hasAll(scope: Scope | undefined): boolean {
    return scope === undefined ? this.isWhole : scope.every((part) => this.has(part));
  }

  /** Whether nothing is here but what lies in a scope. */
  holdsOnly(scope: Scope): boolean {
    return [...this.#held.keys(), ...this.#filling.keys()].every((part) => scope.includes(part));
  }

  /** The quads of a part when it was loaded. */
  quadsOf(part: string): number {
    return this.#held.get(part) ?? 0;
  }

  /** What is shared, if it is here, and the parts that were asked for last, with so many quads together. */
  recent(quads: number): Scope {
    const scope: string[] = this.has(SHARED) ? [SHARED] : [];
    let left = quads - this.quadsOf(SHARED);
    for (const [part, size] of [...this.#held].reverse()) {
      if (part === SHARED) continue;
      if ((left -= size) < 0) break;
      scope.push(part);
    }
    return scope;
  }

  /** Takes in that parts were asked for. */
  used(scope: Scope): void {
    for (const part of scope) {
      const size = this.#held.get(part);
      if (size === undefined) continue;
      this.#held.delete(part);
      this.#held.set(part, size);
    }
  }

  /** All that is known of and not here, what was begun first. */
  *missing(): Generator<string> {
    yield SHARED;
    yield* this.#filling.keys();
    yield* this.#others;
  }

  /**
   * Looks on for parts and shared graphs, as many as a turn may take.
   * @returns whether the shared graphs are known, or here, so that they can be filled
   */
  survey(tx: ReadTx): boolean {
    if (this.#surveyed === undefined || this.has(SHARED)) return true;
    // From now on, what changes and is shared is noted, wherever the survey stands.
    if (!this.#filling.has(SHARED)) this.#filling.set(SHARED, this.filling(SHARED));
    const { shared, parts, to } = survey(tx, this.#partition, this.#surveyed, SURVEYED);
    for (const path of shared) this.#shared.push(path);
    for (const part of parts) if (!this.has(part)) this.#others.add(part);
    this.#surveyed = to;
    return to === undefined;
  }

  /** How far a part is filled. */
  filling(part: string): Filling {
    return this.#filling.get(part) ?? { to: '', changed: new Set(), quads: 0 };
  }

  /** Takes in how far a part is filled now. */
  filledTo(part: string, filling: Filling): void {
    this.#filling.set(part, filling);
  }

  /** Takes in that a part is here: with so many quads, and what has changed while it was filled is stale. */
  hold(part: string, { quads, changed }: Filling): void {
    this.#filling.delete(part);
    this.#others.delete(part);
    this.#held.set(part, quads);
    if (part === SHARED) this.#shared.length = 0;
    for (const path of changed) this.#noteStale(path);
  }

  /** Takes in a change of a graph whose part may have just come to be. */
  noteNew(path: string): void {
    const part = this.#partition.partOf(path);
    if (part === SHARED || this.has(part) || this.#others.has(part) || this.#filling.has(part)) return;
    // After the survey all others are known, so all that this one has is in the changes.
    if (this.#surveyed === undefined) this.#held.set(part, 0);
    else this.#others.add(part);
  }

  /** Takes in that a graph has changed: what is here of it is stale, what is being filled is read again at the end. */
  noteChanged(path: string): void {
    if (this.isHere(path)) this.#noteStale(path);
    this.#filling.get(this.#partition.partOf(path))?.changed.add(path);
  }

  /** Whether a graph lies in what is here. */
  isHere(path: string): boolean {
    return this.has(this.#partition.partOf(path));
  }

  /** Whether something in a scope has changed since it was loaded; without a scope, anything. */
  isStale(scope: Scope | undefined): boolean {
    return scope ? scope.some((part) => this.#stale.has(part)) : this.#stale.size > 0;
  }

  /** The graphs in a scope that have changed since they were loaded. */
  *stale(scope: Scope = [...this.#stale.keys()]): Generator<string> {
    for (const part of scope) yield* this.#stale.get(part) ?? [];
  }

  /** Takes in that a graph is here as it is now. */
  noteFresh(path: string): void {
    const part = this.#partition.partOf(path);
    const stale = this.#stale.get(part);
    stale?.delete(path);
    if (stale?.size === 0) this.#stale.delete(part);
  }

  #noteStale(path: string): void {
    const part = this.#partition.partOf(path);
    const stale = this.#stale.get(part);
    if (stale) stale.add(path);
    else this.#stale.set(part, new Set([path]));
  }
}
