import { html, type Html } from './html.js';

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Returns three to seven round values around a range; just its ends if floating point separates no others. */
export function valueTicks(least: number, most: number): readonly [Tick, ...Tick[]] {
  // Divided first, so that the difference of very large numbers does not overflow.
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

/** Formats a coordinate to a tenth of a unit. */
export const place = (at: number): string => at.toFixed(1).replace(/\.0$/, '');

const ROOM = 6;

function written(at: number, digits: number): string {
  const isLong = digits > ROOM || Math.abs(at) >= 10 ** ROOM;
  return isLong ? String(Number(at.toPrecision(3))) : at.toFixed(digits);
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

/** Returns the classes of a series. What is abnormal has the colour that it has on every page. */
export function seriesClass(kind: 'bar' | 'line', index: number, name = ''): string {
  return `${kind === 'line' ? 'line line' : 'bars bar'}${index % 4}${name === 'abnormal' ? ' abnormal' : ''}`;
}

/** Draws a sample for a legend. Patterns differ too, for print and for colour-blind readers. */
export function chartSample(kind: 'bar' | 'line', index: number, name = ''): Html {
  const shape =
    kind === 'line'
      ? html`<polyline points="0,4 32,4"></polyline>`
      : html`<rect x="1" y="1" width="30" height="6"></rect>`;
  return html`<svg viewBox="0 0 32 8" aria-hidden="true">
    <g class="${seriesClass(kind, index, name)}">${shape}</g>
  </svg>`;
}
