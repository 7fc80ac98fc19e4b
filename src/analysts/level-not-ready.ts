import { Problem } from '../model/problem.js';
import { StoreFull } from '../store/capacity.js';
import { changesSince } from '../store/change-log.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { WorkingSetPanic } from '../store/working-set.js';

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The level is still being filled. @param progress if known */
export class StillFilling extends Error {
  constructor(readonly progress: Progress | undefined) {
    super('The data is still being brought to memory.');
    this.name = 'StillFilling';
  }
}

/** Whether a working set is out of memory: an engine that only loads our own output has no other reason to panic. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof StoreFull || error instanceof WorkingSetPanic;

/** After a failed filling, the next waits this many times as long as the last took. */
const RETRY_FACTOR = 10;

export class LevelFull extends Problem {
  readonly #epoch: string;
  readonly #until: number;

  /** @param revision that did not fit @param took milliseconds of the filling @param helps part of a sentence */
  constructor(
    private readonly primary: PrimaryStore,
    private readonly revision: number,
    took: number,
    helps = 'put another SPARQL server behind it with --analyst-engine',
  ) {
    super('unavailable', `The data does not fit the memory of analysts; ${helps}.`);
    this.name = 'LevelFull';
    this.#epoch = primary.directory.epoch;
    this.#until = performance.now() + RETRY_FACTOR * took;
  }

  /** Whether to try again: after a restore, or when the data has shrunk. */
  get isOver(): boolean {
    const { directory } = this.primary;
    if (directory.epoch !== this.#epoch) return true;
    if (performance.now() < this.#until) return false;
    const { complete, added, dropped } = directory.read((tx) => changesSince(tx, this.revision));
    return !complete || added < dropped;
  }
}
