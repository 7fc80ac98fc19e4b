import type { AnalysisChart } from '../../analysts/analyses/analysis.js';
import type { ChartData } from '../../pages/analysis-chart.js';

/** So many places fit on a chart; of more the first are drawn. */
const PLACES = 120;

/** What a chart draws of a table: rows of the same place are added up. Undefined where there is no number to draw. */
export function analysisChartData(
  title: string,
  { kind, across, values }: AnalysisChart,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): ChartData | undefined {
  const at = columns.indexOf(across);
  const places = new Map<string, (number | undefined)[]>();
  for (const row of rows) {
    const name = row[at] ?? '';
    const sums = places.get(name) ?? values.map(() => undefined);
    for (const [index, column] of values.entries()) {
      const number = numberOf(row[columns.indexOf(column)]);
      if (number !== undefined) sums[index] = (sums[index] ?? 0) + number;
    }
    places.set(name, sums);
  }
  const points = [...places].slice(0, PLACES).map(([name, sums]) => ({ across: name, values: sums }));
  const isDrawn = points.some((point) => point.values.some((value) => value !== undefined));
  return isDrawn ? { title, kind, series: values, points } : undefined;
}

function numberOf(cell: string | undefined): number | undefined {
  const number = cell === undefined || cell === '' ? NaN : Number(cell);
  return Number.isFinite(number) ? number : undefined;
}
