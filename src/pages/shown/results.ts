import { readableUnit } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { weightOf, worstFlag, type Flag } from './flag.js';
import type { ShownStatement } from './shown-statement.js';
import { measureTitle } from './trends.js';

/** One line of a table of results. */
export interface Result {
  readonly iri: string;
  readonly test: string;
  /** What makes results comparable: of one test, by its code, in one unit. */
  readonly key: string;
  readonly value: string;
  /** As recorded, where that has more digits. */
  readonly exact?: string | undefined;
  readonly unit: string;
  readonly range: string;
  readonly flag?: Flag | undefined;
  readonly date: string;
  /** Where it stands among results, by its code or what it measures; Infinity when not stated. */
  readonly place: number;
  /** Whether trends draw it. */
  readonly isDrawn: boolean;
}

/** The latest results: of some tests the latest, with the one before; and how many tests there are. */
export interface LatestResults {
  readonly results: readonly { readonly latest: Result; readonly earlier: Result | undefined }[];
  readonly tests: number;
}

/** Results that are so much older than the newest of their kind are no longer among the latest. */
const LATEST_YEARS = 10;

/**
 * Takes what must be noticed of the latest results of all tests, and of the others those that have a place, then those
 * of the latest days.
 */
export function latestResults(results: readonly Result[], most: number): LatestResults {
  const newest = results.reduce((last, { date }) => (date > last ? date : last), '');
  const oldest = String(Number(newest.slice(0, 4)) - LATEST_YEARS) + newest.slice(4);
  const tests = Array.from(groupedBy(results, ({ key }) => key).values(), ([latest, earlier]) => ({
    latest: latest as Result,
    earlier,
  })).toSorted((a, b) => weightOf(a.latest) - weightOf(b.latest) || inOrder(a.latest.place, b.latest.place));
  const noticed = tests.filter(({ latest }) => latest.flag).length;
  const recent = tests.filter(({ latest: { flag, date } }) => flag !== undefined || date >= oldest);
  return { results: recent.slice(0, Math.max(most, noticed)), tests: tests.length };
}

const inOrder = (a: number, b: number): number => (a === b ? 0 : a - b);

/** Returns the results of a statement: one for each thing measured, such as a blood pressure, or its text. */
export function resultsOf(statement: ShownStatement): Result[] {
  const { iri, title, code, date = '', flag, summary, model, quantities, place } = statement;
  const drawn = quantities.filter(({ trend }) => trend !== 'target');
  const what = model.shown.title.length > 0 ? (code ?? title) : '';
  const result = { iri, date, place };
  if (drawn.length === 0) {
    const value = summary.join(' · ');
    return value === '' && !flag
      ? []
      : [{ ...result, test: title, key: what, value, unit: '', range: '', flag, isDrawn: false }];
  }
  const groups = [...groupedBy(drawn, ({ chart, unit }) => JSON.stringify([chart, unit]))];
  return groups.map(([key, group]) => {
    const [{ chart, unit, normal, order } = { chart: '', unit: '', order: Infinity }] = group;
    const texts = group.map(({ text }) => text).join('/');
    const written = group.map(({ text, exact }) => exact ?? text).join('/');
    return {
      ...result,
      test: measureTitle(statement, drawn, chart),
      key: what + key,
      place: model.shown.title.length > 0 ? place : order,
      value: texts,
      exact: written === texts ? undefined : written,
      unit: readableUnit(unit),
      range: normal?.text ?? '',
      // What the statement says of itself counts for its only number.
      flag: groups.length === 1 ? flag : worstFlag(group, []),
      isDrawn: true,
    };
  });
}
