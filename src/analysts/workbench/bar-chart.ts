import { place, seriesClass, valueTicks } from '../../http/html/chart-parts.js';
import { html, type Html } from '../../http/html/html.js';
import type { ChartData } from './analysis-chart.js';

const WIDTH = 440;
const SIDE = 24;
/** Heights of a line of a name, of a bar, and of the numbers below. */
const LINE = 17;
const BAR = 12;
const BOTTOM = 24;
/** Letters that surely fit into a line. */
const LETTERS = 52;

/** Draws horizontal bars, each below its whole name. @returns the shapes and the height that they need */
export function barChart({ points, series }: ChartData): { shapes: Html; height: number } {
  const numbers = points.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const ticks = valueTicks(Math.min(0, ...numbers), Math.max(0, ...numbers));
  const [least, most] = [ticks[0].at, ticks.at(-1)?.at ?? 1];
  const x = (value: number): number => SIDE + ((value - least) / (most - least)) * (WIDTH - 2 * SIDE);
  let y = 0;
  const rows = points.map(({ across, values }) => {
    const lines = linesOf(across);
    const [top, bars] = [y, y + lines.length * LINE + 2];
    y = bars + series.length * BAR + 8;
    return { across, values, lines, top, bars };
  });
  const shapes = html`
    ${ticks.map(({ at, text }) => html`<line class="grid" x1="${place(x(at))}" x2="${place(x(at))}" y1="0" y2="${place(y)}"></line><text x="${place(x(at))}" y="${place(y + 16)}" text-anchor="middle">${text}</text>`)}
    ${rows.flatMap(({ lines, top }) => lines.map((text, at) => html`<text class="name" x="2" y="${place(top + (at + 1) * LINE - 3)}">${text}</text>`))}
    ${series.map((name, at) => {
      const drawn = rows.map(({ across, values, bars }) => {
        const value = values[at];
        if (value === undefined) return undefined;
        const [from, to] = [x(Math.min(0, value)), x(Math.max(0, value))];
        return html`<rect
          x="${place(from)}"
          y="${place(bars + at * BAR)}"
          width="${place(to - from)}"
          height="${BAR - 2}"
          ><title>${across}, ${name}: ${String(Number(value.toPrecision(4)))}</title></rect
        >`;
      });
      return html`<g class="${seriesClass('bar', at, name)}">${drawn}</g>`;
    })}
  `;
  return { shapes, height: y + BOTTOM };
}

/** Breaks a name into lines, between words where it can. */
const linesOf = (name: string): string[] =>
  name.match(new RegExp(`\\S.{0,${LETTERS - 1}}(?=\\s|$)|\\S{1,${LETTERS}}`, 'gu')) ?? [''];
