/** The middle of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Milliseconds that each of several functions takes, in turn so that they share the machine's moods: medians. */
export async function inTurn(functions, rounds) {
  // Before anything counts, the engine compiles and the caches fill.
  for (let round = 0; round < rounds / 2; round++) for (const run of functions) await run(round);
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

/** One line of the report: a measured value, its peer of the same run, their ratio and the limit of the ratio. */
export function result(name, value, peer, goal, { atLeast = false, unit = 'ms' } = {}) {
  const ratio = value / peer;
  return { name, value, peer, ratio, goal, unit, atLeast, ok: atLeast ? ratio >= goal : ratio <= goal };
}
