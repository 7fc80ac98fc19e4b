import { totalmem } from 'node:os';
import { Problem } from '../problem.js';
import { SHARED, type Scope } from './parts.js';

/** How many quads, with what was derived from them, an embedded store is planned for. */
export const PLANNED_QUADS = 8_000_000;

/** What a quad takes in memory, its part of the indexes included, in bytes. */
const QUAD_BYTES = 480;

/** Less would not hold a single large record. */
const LEAST_QUADS = 50_000;

/** How many quads a working set may have in so many bytes of memory: for a while a second one stands beside it. */
export function quadsIn(bytes: number): number {
  return Math.min(PLANNED_QUADS, Math.max(LEAST_QUADS, Math.floor(bytes / QUAD_BYTES / 2)));
}

/** A quarter of the memory that this process may use, in bytes. */
export function memoryShare(): number {
  const limit = process.constrainedMemory();
  return (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 4;
}

/** From this share of the plan on the container warns. */
const NEAR = 0.8;

/**
 * The engine's memory ends at 4 GB, near 14.7 million quads, and a working set that reaches it breaks for good. So it is
 * not tried beyond this multiple of the plan.
 */
const BEYOND = 1.5;

/** What a query needs no longer fits into memory: nothing is lost, but it is not answered until there is less of it. */
export class StoreFull extends Problem {
  /** @param scope what was asked for; undefined for everything */
  constructor(planned: number, scope?: Scope) {
    const many = planned.toLocaleString('en');
    const part = scope?.find((each) => each !== SHARED);
    super(
      'unavailable',
      part === undefined
        ? `The data directory holds more than the store in memory can take: it is planned for ${many} statements. ` +
            'Commands still work on it; give it more memory, remove records, or share them out among several containers.'
        : `${part} alone holds more than the store in memory can take: it is planned for ${many} statements. Give it more memory.`,
      { headers: { 'Retry-After': '60' } },
    );
    this.name = 'StoreFull';
  }
}

/** Tells, once for each twentieth of the plan, that a store nears its end. */
export class CapacityWatch {
  readonly planned: number;
  readonly #warn: (quads: number, planned: number) => void;
  #told = 0;

  constructor(planned: number, warn: (quads: number, planned: number) => void) {
    this.planned = planned;
    this.#warn = warn;
  }

  /** Whether a working set of so many quads, deleted ones included, may be tried. */
  fits(quads: number): boolean {
    return quads <= this.planned * BEYOND;
  }

  /** @throws StoreFull when it must not */
  check(quads: number): void {
    if (!this.fits(quads)) throw new StoreFull(this.planned);
  }

  /** Takes in how many quads there are now. */
  see(quads: number): void {
    const step = Math.floor((quads / this.planned) * 20);
    if (step < NEAR * 20) this.#told = 0;
    else if (step > this.#told) {
      this.#told = step;
      this.#warn(quads, this.planned);
    }
  }
}
