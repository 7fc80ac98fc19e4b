import { chartSample, place, seriesClass, valueTicks } from '../../http/html/chart-parts.js';
import { html, type Html } from '../../http/html/html.js';
import { barChart } from './bar-chart.js';

/** The data of a chart: for each point, a number for each series. */
export interface ChartData {
  readonly title: string;
  readonly kind: 'bar' | 'line';
  readonly series: readonly string[];
  readonly points: readonly { readonly across: string; readonly values: readonly (number | undefined)[] }[];
  /** How many points are not drawn. */
  readonly left?: number;
}

const WIDTH = 440;
const HEIGHT = 220;
const LEFT = 52;
const RIGHT = 16;
const TOP = 16;
const BOTTOM = 36;
/** Names that fit below the axis, and the width of a letter. */
const MAX_NAMES = 7;
const LETTER_WIDTH = 9;

/** Draws bars or lines. It writes only shapes and classes, no styles. */
export function analysisChart(data: ChartData): Html {
  const { shapes, height } = data.kind === 'bar' ? barChart(data) : lineChart(data);
  return html`<svg
    viewBox="0 0 ${WIDTH} ${height}"
    role="img"
    aria-label="${inWords(data)}"
    class="chart bounded"
  >
    ${shapes}
  </svg>`;
}

function lineChart(data: ChartData): { shapes: Html; height: number } {
  const { points, series } = data;
  const numbers = points.flatMap(({ values }) => values).filter((value) => value !== undefined);
  const ticks = valueTicks(Math.min(0, ...numbers), Math.max(0, ...numbers));
  const [bottom, top] = [ticks[0].at, ticks.at(-1)?.at ?? 1];
  const y = (value: number): number =>
    HEIGHT - BOTTOM - ((value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const places = inProportion(points) ?? points.map((_, at) => (at + 0.5) / points.length);
  const middle = (index: number): number => LEFT + (WIDTH - LEFT - RIGHT) * (places[index] ?? 0);
  const shapes = html`
    ${ticks.map(({ at, text }) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${place(y(at))}" y2="${place(y(at))}"></line><text x="${LEFT - 8}" y="${place(y(at) + 4)}" text-anchor="end">${text}</text>`)}
    ${names(points, middle).map(({ at, text }) => html`<text x="${place(at)}" y="${HEIGHT - 12}" text-anchor="middle">${text}</text>`)}
    ${series.map((_, at) => line(data, at, { middle, y }))}
  `;
  return { shapes, height: HEIGHT };
}

/** Places numbers or dates on an axis from 0 to 1; undefined for other names, or if they do not ascend. */
function inProportion(points: ChartData['points']): number[] | undefined {
  const values = points.map(({ across }) => valueOf(across));
  const [first = NaN, last = NaN] = [values[0], values.at(-1)];
  const isAscending = values.every((value, at) => at === 0 || value > (values[at - 1] ?? NaN));
  if (!isAscending || !(last > first)) return undefined;
  const margin = 0.5 / points.length;
  return values.map((value) => margin + ((value - first) / (last - first)) * (1 - 2 * margin));
}

/** Returns a number, or a day or month in milliseconds; NaN for other names. */
function valueOf(across: string): number {
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(across)) return Date.parse(across);
  return /^-?\d+(?:\.\d+)?$/.test(across) ? Number(across) : NaN;
}

/** Names up to this length, that of a day, are never cut. */
const MAX_UNCUT = 10;

/** Selects the names below the axis that fit: long ones are cut, and those that would overlap are left out. */
function names(
  points: ChartData['points'],
  middle: (index: number) => number,
): { at: number; text: string }[] {
  const longest = Math.max(0, ...points.map(({ across }) => across.length));
  const room = Math.max(
    (WIDTH - LEFT - RIGHT) / Math.min(points.length, MAX_NAMES),
    longest <= MAX_UNCUT ? (longest + 1) * LETTER_WIDTH : 0,
  );
  const letters = Math.floor(room / LETTER_WIDTH);
  const shown: { at: number; text: string }[] = [];
  for (const [index, { across }] of points.entries()) {
    const at = middle(index);
    if (at >= (shown.at(-1)?.at ?? -Infinity) + room - 0.01) shown.push({ at, text: cut(across, letters) });
  }
  return shown;
}

interface Scales {
  readonly middle: (index: number) => number;
  readonly y: (value: number) => number;
}

function line({ points, series }: ChartData, at: number, { middle, y }: Scales): Html {
  const known = points.flatMap(({ across, values }, index) => {
    const value = values[at];
    return value === undefined ? [] : [{ across, value, x: place(middle(index)), y: place(y(value)) }];
  });
  return html`<g class="${seriesClass('line', at, series[at])}">
    <polyline points="${known.map((point) => `${point.x},${point.y}`).join(' ')}"></polyline>
    ${known.map((point) => html`<circle cx="${point.x}" cy="${point.y}" r="3.5"><title>${point.across}, ${series[at]}: ${short(point.value)}</title></circle>`)}
  </g>`;
}

/** Describes a chart to people who cannot see it; the table below has the numbers. */
function inWords({ title, series, points }: ChartData): string {
  const [first, last] = [points[0]?.across ?? '', points.at(-1)?.across ?? ''];
  return `${title}: ${series.join(', ')} for ${points.length} values from ${first} to ${last}. The table has the numbers.`;
}

/** Makes the legend: the name of each series, with a sample. */
export function chartKey({ kind, series }: ChartData): Html | false {
  if (series.length < 2) return false;
  return html`<p class="legend">
    ${series.map((name, at) => html`<span class="sample">${chartSample(kind, at, name)}${name}</span> `)}
  </p>`;
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
const cut = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text;
