import { instants } from '../../model/query/partial-date.js';
import { addTo } from '../../rdf/by-key.js';
import { canCompare, isOutside, type Quantity, type Range } from './quantities.js';
import type { StatementHead } from './shown-statement.js';

export interface TrendPoint {
  readonly time: number;
  readonly date: string;
  readonly value: number;
  readonly text: string;
  readonly iri: string;
}

export interface Trend {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly { readonly label: string; readonly points: readonly TrendPoint[] }[];
  readonly normal?: Range | undefined;
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
  readonly againstAge: boolean;
  readonly lines: Map<string, TrendPoint[]>;
  latest: { readonly time: number; readonly normal: Range | undefined };
}

const GROWN = 20;

/**
 * Makes a record's charts: a line for each code and unit; values measured together share a chart. First come those last
 * out of range, then those with several values, in class order.
 * @param birthday ISO 8601, if known
 */
export function trendsOf(measured: readonly Measured[], birthday: string | undefined): Trend[] {
  const charts = new Map<string, Growing>();
  for (const { statement, quantities } of measured) {
    const instant = statement.date === undefined ? undefined : instants(statement.date);
    if (!instant || statement.date === undefined) continue;
    const time = Date.parse(instant.low);
    const named = statement.model.shown.title.length > 0;
    const several = new Set(quantities.map(({ chart }) => chart)).size > 1;
    for (const { chart, label, value, text, unit, normal, trend } of quantities) {
      const title = named ? (several ? `${statement.title}: ${chart}` : statement.title) : chart;
      const key = JSON.stringify([
        statement.model.iri,
        named ? (statement.code ?? statement.title) : '',
        chart,
        unit,
      ]);
      let growing = charts.get(key);
      if (!growing) {
        const againstAge = trend === 'age';
        const latest = { time: -Infinity, normal: undefined };
        growing = { title, unit, order: statement.model.shown.order, againstAge, lines: new Map(), latest };
        charts.set(key, growing);
      }
      addTo(growing.lines, label, { time, date: statement.date, value, text, iri: statement.iri });
      if (time >= growing.latest.time) growing.latest = { time, normal };
    }
  }
  const born = birthday === undefined ? undefined : instants(birthday);
  return [...charts.values()]
    .map((growing) => finished(growing, born && Date.parse(born.low)))
    .sort(byWeight);
}

function finished({ title, unit, order, againstAge, lines, latest }: Growing, born: number | undefined) {
  const drawn = [...lines].map(([label, points]) => ({
    label,
    points: points.sort((a, b) => a.time - b.time),
  }));
  return {
    title,
    unit,
    order,
    lines: drawn,
    normal: latest.normal && canCompare(latest.normal, unit) ? latest.normal : undefined,
    againstAge: againstAge && born !== undefined && latest.time < born + GROWN * YEAR,
  };
}

export const YEAR = 365.2425 * 24 * 60 * 60 * 1000;

export function endsOutside({ lines, unit, normal }: Trend): boolean {
  return lines.some(({ points }) => {
    const value = points.at(-1)?.value;
    return value !== undefined && isOutside({ value, unit, normal });
  });
}

function byWeight(a: Trend & { readonly order: number }, b: Trend & { readonly order: number }): number {
  const count = ({ lines }: Trend): number => Math.max(...lines.map(({ points }) => points.length));
  const single = (trend: Trend): number => (count(trend) > 1 ? 0 : 1);
  const outside = (trend: Trend): number => (endsOutside(trend) ? 0 : 1);
  return (
    single(a) - single(b) ||
    outside(a) - outside(b) ||
    (a.order === b.order ? 0 : a.order - b.order) ||
    count(b) - count(a) ||
    (a.title < b.title ? -1 : 1)
  );
}
