import { weightOf } from '../shown/flag.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { beginningOf } from '../shown/timeline.js';
import { inOrder } from '../shown/trends.js';

/** The place among equals: of a test, or of what is measured, such as a blood pressure among vital signs. */
const placeOf = ({ model, place, quantities }: ShownStatement): number =>
  model.shown.title.length > 0 ? place : Math.min(Infinity, ...quantities.map(({ order }) => order));

/** Whether there are measurements among some statements. */
export const isMeasured = (statements: readonly ShownStatement[]): boolean =>
  statements.some(({ quantities }) => quantities.length > 0);

/** Compares what is measured by its place, then by its title; all else keeps its order. */
function byPlace(statements: readonly ShownStatement[]) {
  const hasTitles = isMeasured(statements);
  return (a: ShownStatement, b: ShownStatement): number =>
    inOrder(placeOf(a), placeOf(b)) || (hasTitles ? a.title.localeCompare(b.title) : 0);
}

/** Finds what repeats a test, or what is measured together, that stands before it. */
export function againIn(statements: readonly ShownStatement[]): ReadonlySet<ShownStatement> {
  const seen = new Set<string>();
  return new Set(
    statements.filter(({ model, code, title, quantities }) => {
      const charts = quantities.map(({ chart }) => chart);
      const key = JSON.stringify([model.shown.title.length > 0 && (code ?? title), charts]);
      const isAgain = quantities.length > 0 && seen.has(key);
      seen.add(key);
      return isAgain;
    }),
  );
}

/** Sorts what must be noticed first, then the latest of each test before earlier ones, then by place. */
export function noticedFirst(statements: readonly ShownStatement[]): ShownStatement[] {
  const again = againIn(statements);
  return statements
    .toSorted(byPlace(statements))
    .sort((a, b) => weightOf(a) - weightOf(b) || Number(again.has(a)) - Number(again.has(b)));
}

/** Sorts the latest first, and of one moment what must be noticed. */
export const byTime = (statements: readonly ShownStatement[]): ShownStatement[] =>
  statements
    .toSorted(byPlace(statements))
    .sort((a, b) => beginningOf(b).localeCompare(beginningOf(a)) || weightOf(a) - weightOf(b));
