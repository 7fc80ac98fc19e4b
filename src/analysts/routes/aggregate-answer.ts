import { json } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Aggregate } from '../../model/analyses/analysis.js';
import { Problem } from '../../model/problem.js';
import type { AnswerRow } from '../../rdf/json-term.js';
import { parquetFile } from '../parquet-file.js';
import { resultType, solutionsText, type ResultFormatName } from '../result-formats.js';
import type { BegunAnswer } from './analyst-client.js';

/** The fewest patients of whom a row may tell, and the fewest things that a cell may count. */
export const THRESHOLD = 11;
/** An answer is read as a whole, in the process that serves records. */
const MAX_ROWS = 5000;

/** Reads the answer of an analysis in JSON, and writes it without what tells of few. @throws Problem query-limit */
export async function aggregateAnswer(
  { head, body }: BegunAnswer,
  aggregate: Aggregate,
  format: ResultFormatName,
): Promise<BegunAnswer> {
  if ((head.rows ?? Infinity) > MAX_ROWS) {
    body.destroy();
    const message = `This token gets at most ${MAX_ROWS} rows; choose parameters that ask for less.`;
    throw new Problem('query-limit', message, { extra: { limit: 'rows' } });
  }
  const { results } = (await json(body)) as { results: { bindings: AnswerRow[] } };
  const rows = withheld(results.bindings, aggregate);
  const variables = [...aggregate.shown, ...aggregate.counts];
  const chunks =
    format === 'parquet'
      ? [...parquetFile(variables, () => rows)]
      : [solutionsText(format, { variables, rows })];
  const told = { ...head, rows: rows.length, mediaType: resultType(format) };
  return { head: told, body: Readable.from(chunks), tail: () => undefined };
}

/**
 * Leaves out rows of fewer patients than the threshold, and all columns that the analysis does not name. Where one row
 * would be left out alone, the row with the fewest patients goes with it: the total of another answer would give the one
 * back. Other counts below the threshold are left empty, and so is the smaller of two that differ by less. Rows are in
 * the order of what they show: the analysis may have ordered them by what is left out.
 */
export function withheld(all: readonly AnswerRow[], { counts, shown }: Aggregate): AnswerRow[] {
  const [patients = '', ...others] = counts;
  const numberOf = (row: AnswerRow, column: string): number => Number(row[column]?.value ?? NaN);
  const fewest = all.filter((row) => numberOf(row, patients) >= THRESHOLD);
  if (fewest.length === all.length - 1) {
    const least = Math.min(...fewest.map((row) => numberOf(row, patients)));
    fewest.splice(
      fewest.findLastIndex((row) => numberOf(row, patients) === least),
      1,
    );
  }
  const isSmall = (count: number): boolean => count > 0 && count < THRESHOLD;
  const kept = fewest.map((row) => {
    const open = others.filter((column) => {
      const count = numberOf(row, column);
      const isPart = others.some((other) => isSmall(numberOf(row, other) - count));
      return !isSmall(count) && !isPart;
    });
    return Object.fromEntries(
      [...shown, patients, ...open].flatMap((column) => {
        const term = row[column];
        return term === undefined ? [] : [[column, term]];
      }),
    );
  });
  const shownIn = (row: AnswerRow): string => shown.map((column) => row[column]?.value ?? '').join('\n');
  return kept.sort((a, b) => shownIn(a).localeCompare(shownIn(b), 'en', { numeric: true }));
}
