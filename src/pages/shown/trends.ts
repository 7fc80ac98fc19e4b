import { readableDay } from '../../http/html/readable.js';
import { instants } from '../../model/query/partial-date.js';
import { flagOfNumber, type Flag } from './flag.js';
import { canCompare, type Quantity, type Range } from './quantities.js';
import type { Stepwise } from '../../store/steps.js';
import type { StatementHead } from './shown-statement.js';

export interface TrendPoint {
  readonly time: number;
  readonly date: string;
  readonly value: number;
  readonly text: string;
  /** As recorded, where that has more digits. */
  readonly exact?: string | undefined;
  readonly iri: string;
  readonly flag?: Flag | undefined;
}

export interface Trend {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly { readonly label: string; readonly points: readonly TrendPoint[] }[];
  readonly normal?: Range | undefined;
  readonly targets: readonly { readonly value: number; readonly text: string }[];
  readonly againstAge: boolean;
}

export interface Measured {
  readonly statement: StatementHead;
  readonly quantities: readonly Quantity[];
}

interface Growing {
  readonly title: string;
  readonly unit: string;
  readonly order: number;
  readonly place: number;
  readonly againstAge: boolean;
  readonly lines: Map<string, { readonly label: string; readonly points: TrendPoint[] }>;
  readonly targets: Trend['targets'][number][];
  latest: { readonly time: number; readonly normal: Range | undefined };
}

const GROWN = 20;

/** Results that are so much older than the newest are no longer among the latest. */
export const LATEST_YEARS = 10;

/** Names what a number is of: by the title of its statement, or by what it is called there. */
export function measureTitle(
  { model, title }: StatementHead,
  quantities: readonly Quantity[],
  chart: string,
): string {
  if (model.shown.title.length === 0) return chart;
  return new Set(quantities.map((each) => each.chart)).size > 1 ? `${title}: ${chart}` : title;
}

/** What makes numbers of statements comparable: their codes, what they are called, their units. */
function chartKeys({ model, title, code }: StatementHead, { chart, unit }: Quantity) {
  const named = model.shown.title.length > 0;
  const what = named ? (code ?? title) : '';
  // A target is a statement of another class, and is found by its code alone.
  return { own: JSON.stringify([model.iri, what, chart, unit]), target: JSON.stringify([what, unit]) };
}

/**
 * Makes a record's charts: a line for each code and unit; values measured together share a chart. Targets are lines
 * across the charts of their code. Those with several values come first, what is far older than the newest last, and among
 * equals those last out of range first, then all in the order of their classes and of the latest results.
 * @param birthday ISO 8601, if known
 */
export function* trendsOf(measured: Iterable<Measured>, birthday: string | undefined): Stepwise<Trend[]> {
  const charts = new Map<string, Growing>();
  const targets = new Map<string, Trend['targets'][number][]>();
  for (const { statement, quantities } of measured) {
    yield;
    const instant = statement.date === undefined ? undefined : instants(statement.date);
    if (!instant || statement.date === undefined) continue;
    const time = Date.parse(instant.low);
    for (const quantity of quantities) {
      const { chart, label, value, text, exact, unit, normal, trend } = quantity;
      const keys = chartKeys(statement, quantity);
      const goals = targets.get(keys.target) ?? [];
      targets.set(keys.target, goals);
      if (trend === 'target') {
        goals.push({ value, text });
        continue;
      }
      let growing = charts.get(keys.own);
      if (!growing) {
        growing = {
          title: measureTitle(statement, quantities, chart),
          unit,
          order: statement.model.shown.order,
          place: statement.model.shown.title.length > 0 ? statement.place : quantity.order,
          againstAge: trend === 'age',
          lines: new Map(),
          targets: goals,
          latest: { time: -Infinity, normal: undefined },
        };
        charts.set(keys.own, growing);
      }
      // What lasts, such as a device, is a thing of its own; what is measured again and again makes one line.
      const isThing = statement.model.shown.group === 'current';
      const key = isThing ? JSON.stringify([label, statement.iri]) : label;
      const line = growing.lines.get(key) ?? {
        label: isThing ? `${label}, since ${readableDay(statement.date)}` : label,
        points: [],
      };
      growing.lines.set(key, line);
      const flag = flagOfNumber(quantity);
      line.points.push({ time, date: statement.date, value, text, exact, iri: statement.iri, flag });
      if (time >= growing.latest.time) growing.latest = { time, normal };
    }
  }
  const born = birthday === undefined ? undefined : instants(birthday);
  const newest = Math.max(...Array.from(charts.values(), ({ latest }) => latest.time));
  return [...charts.values()]
    .map((growing) => finished(growing, born && Date.parse(born.low), newest))
    .sort(byWeight);
}

function finished(
  { title, unit, order, place, againstAge, lines, targets, latest }: Growing,
  born: number | undefined,
  newest: number,
) {
  const drawn = [...lines.values()].map(({ label, points }) => ({
    label,
    points: points.sort((a, b) => a.time - b.time),
  }));
  return {
    title,
    unit,
    order,
    place,
    isOlder: latest.time < newest - LATEST_YEARS * YEAR,
    lines: drawn,
    targets,
    normal: latest.normal && canCompare(latest.normal, unit) ? latest.normal : undefined,
    againstAge: againstAge && born !== undefined && latest.time < born + GROWN * YEAR,
  };
}

export const YEAR = 365.2425 * 24 * 60 * 60 * 1000;

/** Where nothing was measured for more than so many times the median of its gaps, a line is dotted: nobody knows what was between. */
const LONG_GAP = 3;

/** Parts the points of a line, in order of time, where one has the moment of the one before, or follows it after a long gap. */
export function apart(points: readonly TrendPoint[]): readonly (readonly TrendPoint[])[] {
  const gapBefore = (at: number): number => (points[at]?.time ?? 0) - (points[at - 1]?.time ?? 0);
  const gaps = points
    .slice(1)
    .map((_, at) => gapBefore(at + 1))
    .filter((gap) => gap > 0)
    .sort((a, b) => a - b);
  // Of two gaps the shorter one is usual.
  const usual = gaps[(gaps.length - 1) >> 1] ?? 0;
  const parts: TrendPoint[][] = [];
  for (const [at, point] of points.entries()) {
    const gap = gapBefore(at);
    if (at === 0 || gap === 0 || gap > LONG_GAP * usual) parts.push([point]);
    else parts.at(-1)?.push(point);
  }
  return parts;
}

/** Returns the points of the last moment of a line. */
export const lastPoints = (points: readonly TrendPoint[]): readonly TrendPoint[] =>
  points.filter(({ time }) => time === points.at(-1)?.time);

/** Returns the date of the latest value; '' if there is none. */
export function lastDate({ lines }: Pick<Trend, 'lines'>): string {
  const dates = lines.flatMap(({ points }) => points.at(-1) ?? []).sort((a, b) => b.time - a.time);
  return dates[0]?.date ?? '';
}

/** Returns the day of the latest value of some trends; '' if there is none. */
export function lastDayOf(trends: readonly Trend[]): string {
  return instants(lastDate({ lines: trends.flatMap(({ lines }) => lines) }))?.low.slice(0, 10) ?? '';
}

/** Returns the flag of the latest values, the worst first. */
export function lastFlag({ lines }: Trend): Flag | undefined {
  const flags = lines.flatMap(({ points }) => lastPoints(points).flatMap(({ flag }) => flag ?? []));
  return flags.find((flag) => flag.isCritical) ?? flags[0];
}

type Weighed = Trend & { readonly order: number; readonly place: number; readonly isOlder: boolean };

function byWeight(a: Weighed, b: Weighed): number {
  const count = ({ lines }: Trend): number => Math.max(...lines.map(({ points }) => points.length));
  const single = (trend: Trend): number => (count(trend) > 1 ? 0 : 1);
  const outside = (trend: Trend): number => (lastFlag(trend) ? 0 : 1);
  return (
    single(a) - single(b) ||
    Number(a.isOlder) - Number(b.isOlder) ||
    outside(a) - outside(b) ||
    inOrder(a.order, b.order) ||
    inOrder(a.place, b.place) ||
    count(b) - count(a) ||
    (a.title < b.title ? -1 : 1)
  );
}

/** Compares places, which may be Infinity. */
export const inOrder = (a: number, b: number): number => (a === b ? 0 : a - b);
