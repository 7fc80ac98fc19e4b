import type { ChartData } from '../pages/analysis-chart.js';
import { groupedBy } from '../rdf/by-key.js';
import { kindOf, type Row, type Term } from './cells.js';

/** How values of the same place become one. */
export const combinings = ['sum', 'mean', 'count'] as const;
export type Combining = (typeof combinings)[number];

/** What is drawn of a table. */
export interface ChosenChart {
  readonly kind: ChartData['kind'];
  /** The column of the axis across. */
  readonly across: string;
  /** Columns of numbers. */
  readonly values: readonly string[];
  readonly combining: Combining;
}

/** A drawing, and how many places it left out. */
export interface DrawnChart {
  readonly data: ChartData;
  readonly left: number;
}

/** Places that fit. */
const PLACES = 60;
/** Numbers that are more than this are put into so many ranges. */
const DISTINCT = 40;
const RANGES = 12;

/** The chart that a table asks for: over time or numbers a line, of categories bars; without numbers, how many rows. */
export function chartFor(rows: readonly Row[], columns: readonly string[]): ChosenChart | undefined {
  const kinds = new Map(columns.map((column) => [column, kindOf(rows, column)]));
  const first = (kind: string): string | undefined => columns.find((column) => kinds.get(column) === kind);
  const across = first('time') ?? first('category') ?? columns[0];
  if (across === undefined || rows.length === 0) return undefined;
  const numbers = columns.filter((column) => kinds.get(column) === 'number' && column !== across).slice(0, 4);
  const isOrdered = kinds.get(across) !== 'category' && numbers.length > 0;
  const isShared = placesOf(rows, across, (term) => term?.value ?? '').some(
    ({ rows: here }) => here.length > 1,
  );
  const combining = numbers.length === 0 ? 'count' : isShared ? 'mean' : 'sum';
  return { kind: isOrdered ? 'line' : 'bar', across, values: numbers, combining };
}

/** The drawing of a chart. */
export function drawnChart(
  rows: readonly Row[],
  write: (term: Term | undefined) => string,
  { kind, across, values, combining }: ChosenChart,
): DrawnChart {
  const placed = placesOf(rows, across, write);
  const series = combining === 'count' ? ['rows'] : values;
  const points = placed.slice(0, PLACES).map(({ name, rows: here }) => ({
    across: name,
    values:
      combining === 'count'
        ? [here.length]
        : values.map((column) =>
            combined(
              here.flatMap((row) => row[column] ?? []),
              combining,
            ),
          ),
  }));
  const what = combining === 'count' ? 'Rows' : combining === 'sum' ? 'Sum' : 'Mean';
  const data: ChartData = { title: `${what} by ${across}`, kind, series, points };
  return { data, left: Math.max(0, placed.length - PLACES) };
}

function combined(terms: readonly Term[], combining: Combining): number | undefined {
  const numbers = terms.map(({ value }) => Number(value)).filter((value) => Number.isFinite(value));
  if (numbers.length === 0) return undefined;
  const sum = numbers.reduce((all, each) => all + each, 0);
  return combining === 'mean' ? sum / numbers.length : sum;
}

interface Place {
  readonly name: string;
  readonly rows: readonly Row[];
}

function placesOf(rows: readonly Row[], across: string, write: (term: Term | undefined) => string): Place[] {
  const kind = kindOf(rows, across);
  const bound = rows.filter((row) => row[across] !== undefined);
  if (kind === 'time') return spansOf(bound, across);
  if (kind === 'number') return numbersOf(bound, across);
  const groups = groupedBy(bound, (row) => write(row[across]));
  return Array.from(groups, ([name, here]) => ({ name, rows: here }));
}

/** Days, months or years, whichever are few enough; those without a row are there, too, so that time goes evenly. */
function spansOf(rows: readonly Row[], across: string): Place[] {
  const days = rows.map((row) => row[across]?.value ?? '').sort();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const shortest = Math.min(...new Set(days.map(({ length }) => length)));
  const spans = [10, 7, 4]
    .filter((length) => length <= shortest)
    .map((length) => everySpan(first, last, length));
  const chosen = spans.find(({ length }) => length <= PLACES) ?? spans.at(-1) ?? [];
  const length = chosen[0]?.length ?? 4;
  const groups = groupedBy(rows, (row) => (row[across]?.value ?? '').slice(0, length));
  return chosen.map((name) => ({ name, rows: groups.get(name) ?? [] }));
}

/** The names of all days (10 characters), months (7) or years (4) from the first to the last. */
function everySpan(first: string, last: string, length: number): string[] {
  const spans: string[] = [];
  const end = last.slice(0, length);
  const at = new Date(`${first.slice(0, length)}${'-01-01'.slice(length - 4)}T00:00:00Z`);
  // A few more than fit, so that it shows; years may be many.
  const most = length === 4 ? 3000 : PLACES + 1;
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

function numbersOf(rows: readonly Row[], across: string): Place[] {
  const numberOf = (row: Row): number => Number(row[across]?.value);
  const numbers = [...new Set(rows.map(numberOf))].sort((a, b) => a - b);
  if (numbers.length <= DISTINCT) {
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
