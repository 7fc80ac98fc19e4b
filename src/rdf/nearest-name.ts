/** Returns the known name closest to an unknown one; undefined when all differ in more than `far` characters. */
export function nearestName(name: string, names: Iterable<string>, far: number): string | undefined {
  let best: { known: string; away: number } | undefined;
  for (const known of names) {
    if (Math.abs(known.length - name.length) > far) continue;
    const away = distance(name, known);
    if (away <= far && away < (best?.away ?? Infinity)) best = { known, away };
  }
  return best?.known;
}

function distance(from: string, to: string): number {
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let at = 1; at <= to.length; at++) {
      const same = from[row - 1] === to[at - 1] ? 0 : 1;
      let least = Math.min((next[at - 1] ?? 0) + 1, (last[at] ?? 0) + 1, (last[at - 1] ?? 0) + same);
      const isSwapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      if (row > 1 && at > 1 && isSwapped) least = Math.min(least, (before[at - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
