import { WorkingSetPanic } from '../../store/working-set.js';
import type { ExplainedStep, ExplanationLine } from './explanation.js';
import type { Plan } from './query-plan.js';

/** Runs the queries of an explanation. */
export interface Runner {
  /** The answer to a query, as TSV. @throws WorkingSetPanic where it broke the engine */
  table(sparql: string): string;
  /** Runs the query that is explained. @returns how many rows, or triples, it answers with */
  whole(): number;
}

/**
 * Measures the steps of a plan, in lines of JSON: the steps themselves, then what was found of each as soon as it is. The
 * rows come first, since to count the statements of a wide pattern may take all the time that is left.
 * @throws WorkingSetPanic
 */
export function* measuredPlan({ steps, patterns }: Plan, runner: Runner): Generator<string> {
  const told = steps.map(({ number, operation, text, line }) => ({ number, operation, text, line }));
  yield written({ steps: told, patterns });
  for (const [at, { rows }] of steps.entries()) {
    if (rows) yield written({ at, ...unlessRefused(() => timed(() => count(runner, rows()))) });
  }
  const last = steps.length - 1;
  if (steps[last]?.operation === 'Answer') yield written({ at: last, ...timed(() => runner.whole()) });
  for (const [at, { statements }] of steps.entries()) {
    if (statements)
      yield written({ at, ...unlessRefused(() => ({ statements: count(runner, statements()) })) });
  }
}

const written = (line: ExplanationLine): string => `${JSON.stringify(line)}\n`;

function timed(measure: () => number): Pick<ExplainedStep, 'rows' | 'ms'> {
  const start = performance.now();
  const rows = measure();
  return { rows, ms: performance.now() - start };
}

/** A part of a query may say what only the whole may; then it has no numbers. */
function unlessRefused<T extends object>(measure: () => T): Partial<T> {
  try {
    return measure();
  } catch (error) {
    if (error instanceof WorkingSetPanic) throw error;
    return {};
  }
}

/** The only value of an answer: behind the line with its name. */
function count({ table }: Runner, sparql: string): number {
  return Number(table(sparql).split('\n')[1]);
}
