/**
 * Runs together what came in one turn of the event loop, at its end: so requests share what is done once for all that
 * runs without a pause, which are the look at what others committed, the nonces and the writing of the access log.
 */
export function inOneTurn(): (work: () => void) => void {
  let waiting: (() => void)[] = [];
  const runAll = (): void => {
    const all = waiting;
    waiting = [];
    for (const work of all) work();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(runAll);
  };
}
