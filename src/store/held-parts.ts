import type { ReadTx } from './disk/transaction.js';
import { isAtOrBelow } from '../model/ontology/path-template.js';
import { SHARED, survey, type Partition, type Scope } from './parts.js';
import { pathAndAncestors } from './paths.js';

const MAX_SURVEYED = 1000;

export interface Filling {
  /** The last loaded graph of a place, or the number of shared graphs loaded; '' before the first. */
  readonly to: string;
  readonly changed: Set<string>;
  readonly quads: number;
}

/** The parts that a working set holds, and single places (the graphs at and below a path) of other parts. */
export class HeldParts {
  /** Loaded parts and places with their quads, the most recently used last. */
  readonly #held = new Map<string, number>();
  /** Loaded places by part, while the rest of the part is missing. */
  readonly #placesByPart = new Map<string, Set<string>>();
  readonly #filling = new Map<string, Filling>();
  /** Loaded graphs that have changed since, by part and parent path. */
  readonly #stale = new Map<string, Map<string, Set<string>>>();
  /** Known parts that are not loaded; complete once the survey ends. */
  readonly #missingParts = new Set<string>();
  readonly #shared: string[] = [];
  #surveyed: string | undefined = '';

  constructor(private readonly partition: Partition) {}

  get isFilling(): boolean {
    return this.#filling.size > 0;
  }

  get isWhole(): boolean {
    return this.#surveyed === undefined && this.has(SHARED) && this.#missingParts.size === 0;
  }

  get shared(): readonly string[] {
    return this.#shared;
  }

  /** Tells whether everything at and below a path is loaded. */
  has(place: string): boolean {
    return this.#holderOf(place) !== undefined;
  }

  hasAll(scope: Scope | undefined): boolean {
    return scope === undefined ? this.isWhole : scope.every((place) => this.has(place));
  }

  holdsOnly(scope: Scope): boolean {
    return [...this.#held.keys(), ...this.#filling.keys()].every((held) =>
      scope.some((place) => (place === SHARED ? held === SHARED : isAtOrBelow(held, place))),
    );
  }

  get sharedQuads(): number {
    return this.#held.get(SHARED) ?? 0;
  }

  /** Returns shared data and the most recently used places that together fit into this many quads. */
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

  used(scope: Scope): void {
    for (const place of scope) {
      const holder = this.#holderOf(place);
      if (holder === undefined) continue;
      const size = this.#held.get(holder) ?? 0;
      this.#held.delete(holder);
      this.#held.set(holder, size);
    }
  }

  /** Yields known parts that are not loaded, started ones first. */
  *missing(): Generator<string> {
    yield SHARED;
    yield* this.#filling.keys();
    yield* this.#missingParts;
  }

  /** Surveys as many names as fit into a turn. @returns whether the shared graphs are known or loaded */
  survey(tx: ReadTx): boolean {
    if (this.#surveyed === undefined || this.has(SHARED)) return true;
    if (!this.#filling.has(SHARED)) this.#filling.set(SHARED, this.filling(SHARED));
    const { shared, parts, to } = survey(tx, this.partition, this.#surveyed, MAX_SURVEYED);
    for (const path of shared) this.#shared.push(path);
    for (const part of parts) if (!this.has(part)) this.#missingParts.add(part);
    this.#surveyed = to;
    return to === undefined;
  }

  filling(place: string): Filling {
    return this.#filling.get(place) ?? { to: '', changed: new Set(), quads: 0 };
  }

  filledTo(place: string, filling: Filling): void {
    this.#filling.set(place, filling);
  }

  /** Marks a part or place as loaded with this many quads; graphs changed meanwhile become stale. */
  hold(place: string, { quads, changed }: Filling): void {
    const part = this.partition.partOf(place);
    this.#filling.delete(place);
    this.#held.set(place, quads);
    if (place === part) this.#holdWhole(part);
    else this.#placesByPart.set(part, (this.#placesByPart.get(part) ?? new Set()).add(place));
    for (const path of changed) this.#noteStale(path);
  }

  #holdWhole(part: string): void {
    this.#missingParts.delete(part);
    if (part === SHARED) this.#shared.length = 0;
    for (const place of this.#placesByPart.get(part) ?? []) {
      this.#held.set(part, (this.#held.get(part) ?? 0) + (this.#held.get(place) ?? 0));
      this.#held.delete(place);
    }
    this.#placesByPart.delete(part);
    // Unfinished places inside the part are complete now; their changes still count.
    for (const [place, { changed }] of this.#filling) {
      if (part === SHARED || !isAtOrBelow(place, part)) continue;
      this.#filling.delete(place);
      for (const path of changed) this.#noteStale(path);
    }
  }

  noteNew(path: string): void {
    const part = this.partition.partOf(path);
    if (part === SHARED || this.has(part) || this.#missingParts.has(part) || this.#filling.has(part)) return;
    // After the survey all older parts are known, so the changes cover this one completely.
    if (this.#surveyed === undefined) this.hold(part, this.filling(part));
    else this.#missingParts.add(part);
  }

  /** Notes a change: the graph is stale, or is read again at the end of the filling. */
  noteChanged(path: string): void {
    if (this.has(path)) this.#noteStale(path);
    for (const place of this.#placesOf(path)) this.#filling.get(place)?.changed.add(path);
  }

  isStale(scope: Scope | undefined): boolean {
    return !this.stale(scope).next().done;
  }

  *stale(scope: Scope = [...this.#stale.keys()]): Generator<string> {
    for (const place of scope) {
      for (const [folder, paths] of this.#stale.get(this.partition.partOf(place)) ?? []) {
        if (place === SHARED || isAtOrBelow(folder, place)) yield* paths;
        else if (paths.has(place)) yield place;
      }
    }
  }

  noteFresh(path: string): void {
    const part = this.partition.partOf(path);
    const stale = this.#stale.get(part);
    const paths = stale?.get(above(path));
    paths?.delete(path);
    if (paths?.size === 0) stale?.delete(above(path));
    if (stale?.size === 0) this.#stale.delete(part);
  }

  #holderOf(path: string): string | undefined {
    for (const place of this.#placesOf(path)) if (this.#held.has(place)) return place;
    return undefined;
  }

  #placesOf(path: string): string[] {
    const part = this.partition.partOf(path);
    if (part === SHARED) return [SHARED];
    return pathAndAncestors(path).filter((place) => place.length >= part.length);
  }

  #noteStale(path: string): void {
    const part = this.partition.partOf(path);
    const stale = this.#stale.get(part) ?? new Map<string, Set<string>>();
    this.#stale.set(part, stale.set(above(path), (stale.get(above(path)) ?? new Set()).add(path)));
  }
}

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
