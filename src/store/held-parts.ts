import type { ReadTx } from '../disk/transaction.js';
import { isAtOrBelow } from '../ontology/path-template.js';
import { SHARED, survey, type Partition, type Scope } from './parts.js';
import { pathAndAncestors } from './paths.js';

/** Names looked at in one turn. */
const SURVEYED = 1000;

/** How far the filling of a part is. */
export interface Filling {
  /** How far: the last graph of a place, the number of those that are shared; '' before the first. */
  readonly to: string;
  /** Graphs that have changed meanwhile, and are read again at the end: no snapshot is held. */
  readonly changed: Set<string>;
  readonly quads: number;
}

/**
 * Which parts of a container a working set holds, how far others are filled, and which it knows of besides. Of a part it
 * may hold places alone: what stands at and below a path in it.
 */
export class HeldParts {
  readonly #partition: Partition;
  /** Parts and places that are here, with the quads that came with them, the one that was asked for last at the end. */
  readonly #held = new Map<string, number>();
  /** Places that are here, by the parts in which they lie, as long as the rest of these is not. */
  readonly #inside = new Map<string, Set<string>>();
  /** Parts and places that are being filled. */
  readonly #filling = new Map<string, Filling>();
  /** Graphs that have changed since they were loaded, by part, and then by the path above them. */
  readonly #stale = new Map<string, Map<string, Set<string>>>();
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

  /** Whether all that stands at and below a path is here. */
  has(place: string): boolean {
    return this.#holderOf(place) !== undefined;
  }

  /** Whether all of a scope is here; without one, everything. */
  hasAll(scope: Scope | undefined): boolean {
    return scope === undefined ? this.isWhole : scope.every((place) => this.has(place));
  }

  /** Whether nothing is here but what lies in a scope. */
  holdsOnly(scope: Scope): boolean {
    return [...this.#held.keys(), ...this.#filling.keys()].every((held) =>
      scope.some((place) => (place === SHARED ? held === SHARED : isAtOrBelow(held, place))),
    );
  }

  /** The quads of what is shared when it was loaded. */
  get sharedQuads(): number {
    return this.#held.get(SHARED) ?? 0;
  }

  /** What is shared, if it is here, and what was asked for last, with so many quads together. */
  recent(quads: number): Scope {
    const scope: string[] = this.has(SHARED) ? [SHARED] : [];
    let left = quads - this.sharedQuads;
    for (const [place, size] of [...this.#held].reverse()) {
      if (place === SHARED) continue;
      if ((left -= size) < 0) break;
      scope.push(place);
    }
    return scope;
  }

  /** Takes in that a scope was asked for. */
  used(scope: Scope): void {
    for (const place of scope) {
      const holder = this.#holderOf(place);
      if (holder === undefined) continue;
      const size = this.#held.get(holder) ?? 0;
      this.#held.delete(holder);
      this.#held.set(holder, size);
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

  /** How far a part or place is filled. */
  filling(place: string): Filling {
    return this.#filling.get(place) ?? { to: '', changed: new Set(), quads: 0 };
  }

  /** Takes in how far a part or place is filled now. */
  filledTo(place: string, filling: Filling): void {
    this.#filling.set(place, filling);
  }

  /** Takes in that a part or place is here: so many quads came with it, and what has changed meanwhile is stale. */
  hold(place: string, { quads, changed }: Filling): void {
    const part = this.#partition.partOf(place);
    this.#filling.delete(place);
    this.#held.set(place, quads);
    if (place === part) this.#holdWhole(part);
    else this.#inside.set(part, (this.#inside.get(part) ?? new Set()).add(place));
    for (const path of changed) this.#noteStale(path);
  }

  #holdWhole(part: string): void {
    this.#others.delete(part);
    if (part === SHARED) this.#shared.length = 0;
    for (const place of this.#inside.get(part) ?? []) {
      this.#held.set(part, (this.#held.get(part) ?? 0) + (this.#held.get(place) ?? 0));
      this.#held.delete(place);
    }
    this.#inside.delete(part);
    // What was begun inside of it needs no end, but of that, too, something may have changed.
    for (const [place, { changed }] of this.#filling) {
      if (part === SHARED || !isAtOrBelow(place, part)) continue;
      this.#filling.delete(place);
      for (const path of changed) this.#noteStale(path);
    }
  }

  /** Takes in a change of a graph whose part may have just come to be. */
  noteNew(path: string): void {
    const part = this.#partition.partOf(path);
    if (part === SHARED || this.has(part) || this.#others.has(part) || this.#filling.has(part)) return;
    // After the survey all others are known, so all that this one has is in the changes.
    if (this.#surveyed === undefined) this.hold(part, this.filling(part));
    else this.#others.add(part);
  }

  /** Takes in that a graph has changed: what is here of it is stale, what is being filled is read again at the end. */
  noteChanged(path: string): void {
    if (this.has(path)) this.#noteStale(path);
    for (const place of this.#placesOf(path)) this.#filling.get(place)?.changed.add(path);
  }

  /** Whether something in a scope has changed since it was loaded; without a scope, anything. */
  isStale(scope: Scope | undefined): boolean {
    return !this.stale(scope).next().done;
  }

  /** The graphs in a scope that have changed since they were loaded. */
  *stale(scope: Scope = [...this.#stale.keys()]): Generator<string> {
    for (const place of scope) {
      for (const [folder, paths] of this.#stale.get(this.#partition.partOf(place)) ?? []) {
        if (place === SHARED || isAtOrBelow(folder, place)) yield* paths;
        else if (paths.has(place)) yield place;
      }
    }
  }

  /** Takes in that a graph is here as it is now. */
  noteFresh(path: string): void {
    const part = this.#partition.partOf(path);
    const stale = this.#stale.get(part);
    const paths = stale?.get(above(path));
    paths?.delete(path);
    if (paths?.size === 0) stale?.delete(above(path));
    if (stale?.size === 0) this.#stale.delete(part);
  }

  /** The place or part that is here and in which all lies that stands at and below a path. */
  #holderOf(path: string): string | undefined {
    for (const place of this.#placesOf(path)) if (this.#held.has(place)) return place;
    return undefined;
  }

  /** A path and those above it, up to that of its part; of one in no part, SHARED. */
  #placesOf(path: string): string[] {
    const part = this.#partition.partOf(path);
    if (part === SHARED) return [SHARED];
    return pathAndAncestors(path).filter((place) => place.length >= part.length);
  }

  #noteStale(path: string): void {
    const part = this.#partition.partOf(path);
    const stale = this.#stale.get(part) ?? new Map<string, Set<string>>();
    this.#stale.set(part, stale.set(above(path), (stale.get(above(path)) ?? new Set()).add(path)));
  }
}

/** The path above another one, '' at the top. */
const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
