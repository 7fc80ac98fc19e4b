import type { ChartData } from '../workbench/analysis-chart.js';
import { groupedBy } from '../../rdf/by-key.js';
import { kindOf, type Row, type Term } from './cells.js';

/** How to combine values of the same position. */
export const combinings = ['sum', 'mean', 'count'] as const;
export type Combining = (typeof combinings)[number];

export interface ChosenChart {
  readonly kind: ChartData['kind'];
  readonly across: string;
  readonly values: readonly string[];
  readonly combining: Combining;
}

const MAX_POINTS = 60;
/** A numeric axis with more distinct values than this is divided into ranges. */
const MAX_DISTINCT = 40;
const RANGES = 12;

/** Suggests a chart: lines over time or numbers, bars for categories; row counts without numeric columns. */
export function chartFor(rows: readonly Row[], columns: readonly string[]): ChosenChart | undefined {
  const kinds = new Map(columns.map((column) => [column, kindOf(rows, column)]));
  const first = (kind: string): string | undefined => columns.find((column) => kinds.get(column) === kind);
  const across = first('time') ?? first('category') ?? columns[0];
  if (across === undefined || rows.length === 0) return undefined;
  const numbers = columns.filter((column) => kinds.get(column) === 'number' && column !== across).slice(0, 4);
  const isOrdered = kinds.get(across) !== 'category' && numbers.length > 0;
  const isShared = pointsOf(rows, across, (term) => term?.value ?? '').some(
    ({ rows: here }) => here.length > 1,
  );
  const combining = numbers.length === 0 ? 'count' : isShared ? 'mean' : 'sum';
  return { kind: isOrdered ? 'line' : 'bar', across, values: numbers, combining };
}

/** Returns the data of a chart, and the number of positions left out. */
export function drawnChart(
  rows: readonly Row[],
  write: (term: Term | undefined) => string,
  { kind, across, values, combining }: ChosenChart,
): { data: ChartData; left: number } {
  const placed = pointsOf(rows, across, write);
  const series = combining === 'count' ? ['rows'] : values;
  const numbersOf = (here: readonly Row[]): (number | undefined)[] =>
    combining === 'count' ? [here.length] : values.map((column) => combined(here, column, combining));
  const points = placed
    .slice(0, MAX_POINTS)
    .map(({ name, rows: here }) => ({ across: name, values: numbersOf(here) }));
  const what = combining === 'count' ? 'Rows' : combining === 'sum' ? 'Sum' : 'Mean';
  const data: ChartData = { title: `${what} by ${across}`, kind, series, points };
  return { data, left: Math.max(0, placed.length - MAX_POINTS) };
}

function combined(rows: readonly Row[], column: string, combining: Combining): number | undefined {
  const numbers = rows
    .flatMap((row) => row[column] ?? [])
    .map(({ value }) => Number(value))
    .filter(Number.isFinite);
  if (numbers.length === 0) return undefined;
  const sum = numbers.reduce((all, each) => all + each, 0);
  return combining === 'mean' ? sum / numbers.length : sum;
}

interface Point {
  readonly name: string;
  readonly rows: readonly Row[];
}

function pointsOf(rows: readonly Row[], across: string, write: (term: Term | undefined) => string): Point[] {
  const kind = kindOf(rows, across);
  const bound = rows.filter((row) => row[across] !== undefined);
  if (kind === 'time') return spansOf(bound, across);
  if (kind === 'number') return numbersOf(bound, across);
  const groups = groupedBy(bound, (row) => write(row[across]));
  return Array.from(groups, ([name, here]) => ({ name, rows: here }));
}

/** Groups rows by the finest fitting span: day, month or year. Empty spans are included, so time is even. */
function spansOf(rows: readonly Row[], across: string): Point[] {
  const days = rows.map((row) => row[across]?.value ?? '').sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const shortest = Math.min(...new Set(days.map(({ length }) => length)));
  const spans = [10, 7, 4]
    .filter((length) => length <= shortest)
    .map((length) => everySpan(first, last, length));
  const chosen = spans.find(({ length }) => length <= MAX_POINTS) ?? spans.at(-1) ?? [];
  const length = chosen[0]?.length ?? 4;
  const groups = groupedBy(rows, (row) => (row[across]?.value ?? '').slice(0, length));
  return chosen.map((name) => ({ name, rows: groups.get(name) ?? [] }));
}

/** Lists all days (length 10), months (7) or years (4) from the first to the last. */
function everySpan(first: string, last: string, length: number): string[] {
  const spans: string[] = [];
  const end = last.slice(0, length);
  const at = new Date(`${first.slice(0, length)}${'-01-01'.slice(length - 4)}T00:00:00Z`);
  // One more than fits, so that the caller notices; years may exceed it.
  const most = length === 4 ? 3000 : MAX_POINTS + 1;
  while (!Number.isNaN(at.getTime()) && spans.length < most) {
    const name = at.toISOString().slice(0, length);
    if (name > end) break;
    spans.push(name);
    if (length === 10) at.setUTCDate(at.getUTCDate() + 1);
    else if (length === 7) at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCFullYear(at.getUTCFullYear() + 1);
  }
  return spans;
}

function numbersOf(rows: readonly Row[], across: string): Point[] {
  const numberOf = (row: Row): number => Number(row[across]?.value);
  const numbers = [...new Set(rows.map(numberOf))].sort((a, b) => a - b);
  if (numbers.length <= MAX_DISTINCT) {
    const groups = groupedBy(rows, numberOf);
    return numbers.map((number) => ({ name: String(number), rows: groups.get(number) ?? [] }));
  }
  const [least = 0, most = 0] = [numbers[0], numbers.at(-1)];
  const width = (most - least) / RANGES;
  const short = (value: number): string => String(Number(value.toPrecision(3)));
  return Array.from({ length: RANGES }, (_, at) => ({
    name: `${short(least + at * width)}–${short(least + (at + 1) * width)}`,
    rows: rows.filter((row) => Math.min(RANGES - 1, Math.floor((numberOf(row) - least) / width)) === at),
  }));
}
