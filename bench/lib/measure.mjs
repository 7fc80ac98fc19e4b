/** The middle of some numbers. */
export function median(numbers) {
  return quantile(numbers, 0.5);
}

/** The number that a share of them lies below. */
export function quantile(numbers, share) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Milliseconds that each of several functions takes, in turn so that they share the machine's moods: medians. */
export async function inTurn(functions, rounds) {
  // Before anything counts, the engine compiles and the caches fill.
  for (let round = 0; round < Math.min(rounds / 2, 50); round++)
    for (const run of functions) await run(round);
  const times = functions.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < functions.length; turn++) {
      // Each follows each: whoever runs after a wait finds colder caches.
      const index = (turn + round) % functions.length;
      const run = functions[index];
      const start = performance.now();
      await run(round);
      times[index].push(performance.now() - start);
    }
  }
  return times.map(median);
}

/**
 * A figure: a ratio with its goal. @param better 'higher' or 'lower' @param goal null: shown, nothing is asked of it
 * @param details lines for people, such as the two numbers behind the ratio
 */
export function figure(id, value, { goal, better, details = [] }) {
  const holds = goal === null || value === null ? null : better === 'higher' ? value >= goal : value <= goal;
  return { id, value, goal, better, holds, details };
}

/** A number for people: three digits. */
export function short(number) {
  return Math.abs(number) >= 1000
    ? Math.round(number).toLocaleString('en')
    : Number(number.toPrecision(3)).toString();
}

const IN_FLIGHT = 64;

/** Runs `write` for each index below `count`, 64 at a time. @returns how many a second */
export async function inFlight(count, write) {
  let next = 0;
  const writer = async () => {
    while (next < count) await write(next++);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, writer));
  return (count / (performance.now() - start)) * 1000;
}
