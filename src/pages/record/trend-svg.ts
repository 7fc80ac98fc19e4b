import { dayOf, readableDay, readableQuantity } from '../../http/html/readable.js';
import { apart, YEAR, type Trend, type TrendPoint } from '../shown/trends.js';
import { place, valueTicks, type Tick } from '../../http/html/chart-parts.js';
import { html, type Html } from '../../http/html/html.js';

const WIDTH = 420;
const HEIGHT = 210;
const LEFT = 48;
const RIGHT = 20;
const TOP = 14;
const BOTTOM = 30;

/** Points with a smaller mean distance are drawn small, since they would hide their line. */
const NEAR = 8;

type Scale = (value: number) => number;

/**
 * Draws lines over time, and the normal range.
 * @param born in milliseconds, to draw against age
 * @param beside the trends whose time the axis spans, and of those in its unit the values
 */
export function trendSvg(trend: Trend, born?: number, beside: readonly Trend[] = [trend]): Html {
  const { lines, normal, targets } = trend;
  const { low, high } = normal ?? {};
  const [first, last] = widened(...spanOf(hasOwnTime(trend, beside) ? [trend] : beside), 7 * DAY);
  const values = beside.filter(({ unit }) => unit === trend.unit).flatMap(valuesOf);
  const rows = valueTicks(Math.min(...values), Math.max(...values));
  const [bottom, top] = [rows[0]?.at ?? 0, rows.at(-1)?.at ?? 1];
  const x: Scale = (time) => LEFT + ((time - first) / (last - first)) * (WIDTH - LEFT - RIGHT);
  const y: Scale = (value) => HEIGHT - BOTTOM - ((value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const isShort = last - first <= MOST * LONGEST;
  const againstAge = trend.againstAge && born !== undefined && !isShort;
  const columns = againstAge
    ? ageTicks(first, last, born)
    : isShort
      ? dayTicks(first, last)
      : yearTicks(first, last);
  return html`<svg
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label="${inWords(trend)}"
    class="chart bounded"
  >
    ${normal && band(y(Math.min(high ?? top, top)), y(Math.max(low ?? bottom, bottom)))}
    ${rows.map(({ at, text }) => html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${place(y(at))}" y2="${place(y(at))}"></line><text x="${LEFT - 8}" y="${place(y(at) + 4)}" text-anchor="end">${text}</text>`)}
    ${columns.map(({ at, text }) => html`<line class="tick" x1="${place(x(at))}" x2="${place(x(at))}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM + 5}"></line><text x="${place(x(at))}" y="${HEIGHT - 8}" text-anchor="middle">${text}</text>`)}
    ${targets.map(({ value, text }) => html`<line class="target" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${place(y(value))}" y2="${place(y(value))}"><title>Target ${readableQuantity(text, trend.unit)}</title></line>`)}
    ${lines.map((line, index) => drawnLine(line.points, index, trend.unit, x, y))}
  </svg>`;
}

/** Whether a trend has the time of its axis to itself: in that of the others, its values would be one stroke. */
export function hasOwnTime(trend: Trend, beside: readonly Trend[]): boolean {
  const [[begin, end], [first, last]] = [spanOf([trend]), spanOf(beside)];
  return end - begin < (last - first) / 10;
}

function spanOf(trends: readonly Trend[]): [number, number] {
  const times = trends.flatMap(({ lines }) => lines.flatMap(({ points }) => points.map(({ time }) => time)));
  return [Math.min(...times), Math.max(...times)];
}

/** Returns all that stands on the axis of values: points, targets, the ends of the normal range. */
function valuesOf({ lines, normal, targets }: Trend): number[] {
  const points = [...lines.flatMap((line) => line.points), ...targets];
  return [
    ...points.map(({ value }) => value),
    ...[normal?.low, normal?.high].filter((end) => end !== undefined),
  ];
}

function band(top: number, bottom: number): Html {
  return html`<rect
    class="band"
    x="${LEFT}"
    width="${WIDTH - LEFT - RIGHT}"
    y="${place(top)}"
    height="${place(Math.max(0, bottom - top))}"
  ></rect>`;
}

function drawnLine(points: readonly TrendPoint[], index: number, unit: string, x: Scale, y: Scale): Html {
  const at = (part: readonly TrendPoint[]): string =>
    part.map(({ time, value }) => `${place(x(time))},${place(y(value))}`).join(' ');
  const isDense = points.length * NEAR > WIDTH - LEFT - RIGHT;
  const parts = apart(points);
  const gaps = parts
    .slice(1)
    .map((part, before) => [...(parts[before] ?? []).slice(-1), ...part.slice(0, 1)])
    .filter(([from, to]) => from?.time !== to?.time);
  return html`<g class="line line${index % 4}${isDense && ' dense'}">
    ${parts.map((part) => html`<polyline points="${at(part)}"></polyline>`)}
    ${gaps.map((ends) => html`<polyline class="gap" points="${at(ends)}"></polyline>`)}
    ${points.map(({ time, date, value, text, flag }) => html`<circle class="${flag && 'flagged'}" cx="${place(x(time))}" cy="${place(y(value))}" r="${flag ? 5 : isDense ? 1.5 : 3.5}"><title>${readableDay(date)}: ${readableQuantity(text, unit)}${flag && `, ${flag.text}`}</title></circle>`)}
  </g>`;
}

/** Describes a chart to people who cannot see it. */
export function inWords({ title, unit, lines, normal, targets }: Trend): string {
  const said = lines.map(({ label, points }) => {
    const last = points.at(-1);
    if (!last) return '';
    const name = lines.length > 1 ? `${label}: ` : '';
    const latest = `${name}latest ${readableQuantity(last.text, unit)} on ${readableDay(last.date)}`;
    return points.length === 1 ? latest : `${latest}, ${spanInWords(points)}`;
  });
  if (normal) said.push(`normal ${normal.text}`);
  for (const { text } of targets) said.push(`target ${readableQuantity(text, unit)}`);
  return `${title}. ${said.join('; ')}.`;
}

/** Says how many values there are, since when, and the lowest and the highest. */
export function spanInWords(points: readonly TrendPoint[]): string {
  const byValue = [...points].sort((a, b) => a.value - b.value);
  return `${points.length} values since ${readableDay(points[0]?.date ?? '')}, from ${byValue[0]?.text} to ${byValue.at(-1)?.text}`;
}

function widened(first: number, last: number, least: number): [number, number] {
  const margin = Math.max((last - first) * 0.03, (least - (last - first)) / 2, 0);
  return [first - margin, last + margin];
}

const MOST = 5;
const DAY = 86_400_000;
/** Days between ticks. */
const STEPS = [1, 2, 4, 7, 14];
const LONGEST = 14 * DAY;

/** Makes ticks at days, without the year, which the latest value tells. */
function dayTicks(first: number, last: number): Tick[] {
  const step = DAY * (STEPS.find((days) => (last - first) / DAY / days <= MOST) ?? 14);
  const start = Math.ceil(first / DAY) * DAY;
  return Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, index) => {
    const at = start + index * step;
    return { at, text: dayOf(at).slice(0, -5) };
  });
}

/** Makes ticks at years, or at months if there are few years. */
function yearTicks(first: number, last: number): Tick[] {
  const from = new Date(first);
  const months = ((last - first) / YEAR) * 12;
  const step = [1, 2, 3, 6, 12, 24, 36, 48, 60, 120, 240].find((each) => months / each <= MOST) ?? 600;
  const ticks: Tick[] = [];
  const start = Math.ceil((from.getUTCFullYear() * 12 + from.getUTCMonth()) / step) * step;
  for (let month = start; ; month += step) {
    const at = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (at > last || ticks.length > MOST + 2) return ticks;
    const day = new Date(at).toISOString().slice(0, step < 12 ? 7 : 4);
    if (at >= first) ticks.push({ at, text: readableDay(day) });
  }
}

/** Makes ticks at ages in years, or in months below three years. */
function ageTicks(first: number, last: number, born: number): Tick[] {
  const inMonths = last - born < 3 * YEAR;
  const unit = inMonths ? YEAR / 12 : YEAR;
  const step = [1, 2, 3, 6, 12].find((each) => (last - first) / unit / each <= MOST) ?? 24;
  const ticks: Tick[] = [];
  for (
    let age = Math.max(0, Math.ceil((first - born) / unit / step) * step);
    born + age * unit <= last;
    age += step
  )
    ticks.push({ at: born + age * unit, text: `${age} ${inMonths ? 'mo' : 'y'}` });
  return ticks;
}
