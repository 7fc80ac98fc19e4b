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
 * @param spread what `spreadOf` gave; left out where there is but one round
 * @param details lines for people, such as the two numbers behind the ratio
 */
export function figure(id, value, { goal, better, spread, details = [] }) {
  const holds = goal === null || value === null ? null : better === 'higher' ? value >= goal : value <= goal;
  return { id, value, goal, better, holds, ...(spread === undefined ? {} : { spread }), details };
}

/** How far the ratios of single rounds lie from their middle, half of them at most: a share of it. */
export function spreadOf(ours, theirs) {
  const ratios = ours.map((own, round) => own / theirs[round]);
  const middle = median(ratios);
  return median(ratios.map((ratio) => Math.abs(ratio - middle))) / middle;
}

/** What a figure may differ by from one run to the next where its rounds tell nothing of it: a share of it. */
const UNKNOWN_SPREAD = 0.1;

/**
 * The figures that became worse since an earlier run, by more than three times what their rounds differ in both runs.
 * @param figures @param earlier as `--json` prints them @returns [{ id, before, now }]
 */
export function slower(figures, earlier) {
  const before = new Map(earlier.map((each) => [each.id, each]));
  return figures.flatMap(({ id, value, better, spread = UNKNOWN_SPREAD }) => {
    const old = before.get(id);
    if (!old || old.value === null || value === null) return [];
    const worse = better === 'higher' ? old.value / value : value / old.value;
    const allowed = 1 + 3 * Math.max(spread, old.spread ?? UNKNOWN_SPREAD, UNKNOWN_SPREAD / 3);
    return worse > allowed ? [{ id, before: old.value, now: value }] : [];
  });
}

/**
 * The slope of a straight line through some points (least squares), and its standard error.
 * @param points [[x, y], …], three at least
 */
export function slopeOf(points) {
  const mean = (at) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const width = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
  const slope = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0) / width;
  const rest = points.reduce((sum, [px, py]) => sum + (py - y - slope * (px - x)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (points.length - 2) / width) };
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
