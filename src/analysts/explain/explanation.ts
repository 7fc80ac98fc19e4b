/** A step on the way to an answer, with what was measured of it. */
export interface ExplainedStep {
  /** Its place, as an outline has it: 3.1 is the first within 3. */
  readonly number: string;
  /** What the algebra of SPARQL calls it (SPARQL 1.1 §18.2). */
  readonly operation: string;
  /** What the query says there. */
  readonly text: string;
  /** The line of the query, from 1; undefined for what it does not say. */
  readonly line?: number | undefined;
  /** Statements that match the pattern by itself. */
  readonly statements?: number;
  /** Rows of a query that ends with this step. */
  readonly rows?: number;
  /** Milliseconds that such a query takes. */
  readonly ms?: number;
}

/** How a query comes to its answer. */
export interface QueryExplanation {
  readonly steps: readonly ExplainedStep[];
  /** Triple patterns of the whole query. */
  readonly patterns: number;
  /** Why not all steps were measured, in a sentence. */
  readonly stopped?: string;
}

/** A line of what a thread says while it measures: the steps first, then what it found of each. */
export type ExplanationLine =
  | Pick<QueryExplanation, 'steps' | 'patterns'>
  | ({ readonly at: number } & Pick<ExplainedStep, 'statements' | 'rows' | 'ms'>);

/** The columns of an explanation as a table. */
export const explanationColumns = ['Step', 'Operation', 'In the query', 'Line', 'Statements', 'Rows', 'Time'];

/** What stands in those columns, a row for each step. */
export function explanationRows({ steps }: Pick<QueryExplanation, 'steps'>): string[][] {
  return steps.map(({ number, operation, text, line, statements, rows, ms }) => [
    number,
    operation,
    text,
    line === undefined ? '' : String(line),
    counted(statements),
    counted(rows),
    ms === undefined ? '' : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`,
  ]);
}

/** What has to be known to read such a table. */
export const explanationNotes =
  'Rows and time are those of a query that ends with the step; statements are those that match its pattern alone.';

const counted = (count: number | undefined): string =>
  count === undefined ? '' : count.toLocaleString('en');
