import { setTimeout as wait } from 'node:timers/promises';
import { DataDirectoryError } from './data-directory-error.js';
import { notice } from './notice.js';

/** How long somebody who is ending is waited for, in milliseconds. */
export const PATIENCE = 10_000;
/** How long somebody who seems to be alive is: the kernel may not have carried out a SIGKILL yet. */
const GRACE = 1000;
/** Who waits longer says so. */
const QUIET = 300;
const POLL = 20;

/** What may stand in the way of an attempt. */
export interface Obstacle {
  /** Whether waiting is in vain. */
  readonly isAlive: () => boolean;
  /** What to say while waiting: one sentence. */
  readonly waiting: () => string;
  /** What to say in the end: one sentence. */
  readonly refusal: () => string;
}

/** Tries until it succeeds, says after a while that it waits, and gives up. @throws DataDirectoryError */
export async function patiently(attempt: () => boolean, obstacle: Obstacle): Promise<void> {
  const began = performance.now();
  for (let told = false; !attempt(); await wait(POLL)) {
    const waited = performance.now() - began;
    const isAlive = obstacle.isAlive();
    if (waited > (isAlive ? GRACE : PATIENCE)) throw new DataDirectoryError(obstacle.refusal());
    if (isAlive || told || waited < QUIET) continue;
    notice(obstacle.waiting());
    told = true;
  }
}
