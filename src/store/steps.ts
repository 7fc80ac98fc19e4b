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

/** Runs long work in steps. */
export type InSteps = <T>(work: (pause: Pause) => Promise<T>) => Promise<T>;

/** Work that yields wherever a step of it may end. */
export type Stepwise<T> = Generator<void, T, void>;

export function atOnce<T>(work: Stepwise<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

export async function stepwise<T>(work: Stepwise<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const due = pause();
    if (due) await due;
  }
}
