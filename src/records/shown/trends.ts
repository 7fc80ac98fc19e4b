import { instants } from '../../query/partial-date.js';
import { addTo } from '../../rdf/by-key.js';
import { canCompare, isOutside, type Quantity, type Range } from './quantities.js';
import type { StatementHead } from './shown-statement.js';

/** A measured value at a time. */
export interface TrendPoint {
  /** Milliseconds since 1970, and the date as it is stored. */
  readonly time: number;
  readonly date: string;
  readonly value: number;
  /** The value as it is written. */
  readonly text: string;
  /** The IRI of the statement. */
  readonly iri: string;
}

export interface TrendLine {
  readonly label: string;
  /** In the order of time. */
  readonly points: readonly TrendPoint[];
}

/** One chart: a line, or lines of one unit that belong together. */
export interface Trend {
  readonly title: string;
  /** In UCUM. */
  readonly unit: string;
  readonly lines: readonly TrendLine[];
  /** The normal range of the latest value. */
  readonly normal?: Range | undefined;
  readonly againstAge: boolean;
}

/** A statement with what was measured. */
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

/** Against age is drawn what was measured before this birthday. */
const GROWN = 20;

/**
 * The charts of a record: a line for each code and unit, in which values that were measured together share a chart. The
 * most telling come first: what was last out of its normal range, then what was measured more than once, in the order
 * of classes.
 * @param birthday ISO 8601, where it is known
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
    .sort(byTelling);
}

function finished(
  { title, unit, order, againstAge, lines, latest }: Growing,
  born: number | undefined,
): Trend & { readonly order: number } {
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

/** Milliseconds; a mean year. */
export const YEAR = 365.2425 * 24 * 60 * 60 * 1000;

/** Whether the latest value of a chart is out of its normal range. */
export function endsOutside({ lines, unit, normal }: Trend): boolean {
  return lines.some(({ points }) => {
    const value = points.at(-1)?.value;
    return value !== undefined && isOutside({ value, unit, normal });
  });
}

function byTelling(a: Trend & { readonly order: number }, b: Trend & { readonly order: number }): number {
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
