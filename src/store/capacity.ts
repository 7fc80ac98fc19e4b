import { totalmem } from 'node:os';
import { Problem } from '../model/problem.js';
import { type Scope, SHARED } from './parts.js';

/** Remembers scopes that did not fit into memory, so that queries do not fill a working set in vain each time. */
export class FullScopes {
  readonly #scopes = new Map<string, { readonly until: number; readonly revision: number }>();

  /** @param revision number of the last change @param retry minimum milliseconds before another try */
  constructor(
    private readonly planned: number,
    private readonly revision: () => number,
    private readonly retry: number,
  ) {}

  /** Marks a scope as too large. @returns the error to throw */
  add(scope: Scope | undefined): StoreFull {
    this.#scopes.set(keyOf(scope), { until: performance.now() + this.retry, revision: this.revision() });
    return new StoreFull(this.planned, scope);
  }

  refuse(scope: Scope | undefined): void {
    if (this.#scopes.size === 0) return;
    const key = keyOf(scope);
    const full = this.#scopes.get(key);
    if (!full) return;
    if (performance.now() < full.until || this.revision() === full.revision)
      throw new StoreFull(this.planned, scope);
    this.#scopes.delete(key);
  }
}

function keyOf(scope: Scope | undefined): string {
  return scope?.join(' ') ?? 'everything';
}

/** Default capacity of an embedded store, in quads, derived ones included. */
export const PLANNED_QUADS = 8_000_000;

const QUAD_BYTES = 480;

const LEAST_QUADS = 50_000;

/** Returns the planned number of quads for some bytes of memory; half is left for a second working set. */
export function quadsIn(bytes: number): number {
  return Math.min(PLANNED_QUADS, Math.max(LEAST_QUADS, Math.floor(bytes / QUAD_BYTES / 2)));
}

/** Returns a quarter of the memory that this process may use, in bytes. */
export function memoryShare(): number {
  const limit = process.constrainedMemory();
  return (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 4;
}

/** Share of the plan from which on the container warns. */
const NEAR = 0.8;

/** Multiple of the plan that is never exceeded: an engine that reaches its 4 GB limit breaks for good. */
const BEYOND = 1.5;

/** Returns the number of quads that a level of analysts' data can have in some bytes of memory. */
export const mostQuadsIn = (bytes: number): number => quadsIn(bytes) * BEYOND;

/** A query needs more data than fits into memory. No data is lost; it fails until there is less or more memory. */
export class StoreFull extends Problem {
  constructor(planned: number, scope?: Scope) {
    const many = planned.toLocaleString('en');
    const part = scope?.find((each) => each !== SHARED);
    super(
      'unavailable',
      part === undefined
        ? `The data directory holds more than the store in memory can take: it is planned for ${many} quads. ` +
            'Commands still work on it; give it more memory, remove records, or share them out among several containers.'
        : `${part} alone holds more than the store in memory can take: it is planned for ${many} quads. Give it more memory.`,
      { headers: { 'Retry-After': '60' } },
    );
    this.name = 'StoreFull';
  }
}

/** Warns when a store nears its capacity, once per twentieth of the plan. */
export class CapacityWatch {
  #warnedStep = 0;

  constructor(
    readonly planned: number,
    private readonly warn: (quads: number, planned: number) => void,
  ) {}

  /** Tells whether a working set may grow to this many quads, deleted ones included. */
  fits(quads: number): boolean {
    return quads <= this.planned * BEYOND;
  }

  check(quads: number): void {
    if (!this.fits(quads)) throw new StoreFull(this.planned);
  }

  see(quads: number): void {
    const step = Math.floor((quads / this.planned) * 20);
    if (step < NEAR * 20) this.#warnedStep = 0;
    else if (step > this.#warnedStep) {
      this.#warnedStep = step;
      this.warn(quads, this.planned);
    }
  }
}
