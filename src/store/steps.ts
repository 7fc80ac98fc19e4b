import { setImmediate as nextTurn } from 'node:timers/promises';

/** Ends a step of long work that has taken long enough, so that others run. Undefined while the step may go on. */
export type Pause = () => Promise<void> | undefined;

const STEP_MS = 8;

/** Divides work that calls the result often into steps. @param between waits between two of them */
export function inSteps(between: () => Promise<unknown> = nextTurn): Pause {
  let began = performance.now();
  return () => {
    if (performance.now() - began < STEP_MS) return undefined;
    return between().then(() => void (began = performance.now()));
  };
}
