/** A mark on an axis. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Round values around the given ones, three to seven; the ends alone where a number cannot tell them apart. */
export function valueTicks(least: number, most: number): readonly [Tick, ...Tick[]] {
  // Quartered first: the largest numbers have no difference.
  const step = roundStep(most / 4 - least / 4 || Math.abs(most) / 4 || 1);
  const from = Math.floor(least / step);
  const to = Math.max(Math.ceil(most / step), from + 1);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const tick = (at: number): Tick => ({ at, text: written(at, digits) });
  const others = Math.min(to - from, 8);
  if (!(others > 0)) return [tick(least), tick(most)];
  return [
    tick(from * step),
    ...Array.from({ length: others }, (_, index) => tick((from + 1 + index) * step)),
  ];
}

/** A place in a drawing, to a tenth of a unit. */
export const place = (at: number): string => at.toFixed(1).replace(/\.0$/, '');

/** Digits that have room beside an axis. */
const ROOM = 6;

function written(at: number, digits: number): string {
  const isLong = digits > ROOM || Math.abs(at) >= 10 ** ROOM;
  return isLong ? String(Number(at.toPrecision(3))) : at.toFixed(digits);
}

/** The next of 1, 2 and 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}
