import { instants } from '../../model/query/partial-date.js';
import { readableUnit } from '../../http/html/readable.js';
import { groupedBy } from '../../rdf/by-key.js';
import { UNFLAGGED, weightOf, worstFlag, type Flag } from './flag.js';
import type { ShownStatement } from './shown-statement.js';
import { inOrder, LATEST_YEARS, measureTitle } from './trends.js';

/** One line of a table of results. */
export interface Result {
  readonly iri: string;
  readonly test: string;
  /** What makes results comparable: of one test, by its code, in one unit. */
  readonly key: string;
  /** What results of one substance in several specimens share; they are not comparable. */
  readonly substance?: string | undefined;
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

export interface LatestResult {
  readonly latest: Result;
  /** Of the same moment, with other values. */
  readonly together: readonly Result[];
  /** Of the moment before, one of each value. */
  readonly earlier: readonly Result[];
  /** The latest of the same substance in other specimens. */
  readonly also: readonly Result[];
  /** Whether it is of a set, and much older than the newest. */
  readonly isOlder: boolean;
}

/** The latest results: of some tests the latest, with the one before; how many tests there are; and what else is of the newest day, what must be noticed first, then by place. */
export interface LatestResults {
  readonly results: readonly LatestResult[];
  readonly tests: number;
  readonly newest: string;
  readonly besides: readonly Pick<LatestResult, 'latest' | 'together'>[];
}

/** So many more are shown that are of the newest day, and have a place. */
const MORE_OF_NEWEST = 4;
/** What is measured in sets, such as vital signs, tells of one state for so long. */
const SET_MILLISECONDS = 30 * 86_400_000;

/** Compares results in the order in which a clinician looks for them. */
export const byPlace = (a: Result, b: Result): number =>
  inOrder(a.place, b.place) || a.test.localeCompare(b.test);

/**
 * Takes what must be noticed of the latest results of all tests, and of the others those that have a place, then those
 * of the latest days; and a few more of the newest day that have a place. The newest come first, and of a day what must
 * be noticed.
 * @param isSet whether they are measured in sets: then each has its place, and only what is much older comes last
 */
export function latestResults(results: readonly Result[], most: number, isSet = false): LatestResults {
  const newest = results.reduce((last, { date }) => (date > last ? date : last), '');
  const oldest = String(Number(newest.slice(0, 4)) - LATEST_YEARS) + newest.slice(4);
  const since = Date.parse(instants(newest)?.low ?? '') - SET_MILLISECONDS;
  const every = Array.from(groupedBy(results, ({ key }) => key).values(), (group) => {
    const { latest, together, before } = byMoment(group as [Result, ...Result[]]);
    const isOlder = isSet && Date.parse(instants(latest.date)?.high ?? '') < since;
    const [next, ...others] = before;
    const previous = next && byMoment([next, ...others]);
    return { latest, together, earlier: previous ? [previous.latest, ...previous.together] : [], isOlder };
  });
  const tests = Array.from(
    groupedBy(every, ({ latest: { substance, key } }) => substance ?? key).values(),
    ([first, ...others]) => ({
      ...(first as (typeof every)[number]),
      also: others.map(({ latest }) => latest),
    }),
  );
  type Latest = Pick<LatestResult, 'latest'>;
  const inPlace = (a: Latest, b: Latest): number => byPlace(a.latest, b.latest);
  const byWeight = (a: Latest, b: Latest): number => weightOf(a.latest) - weightOf(b.latest);
  const byAge = (a: LatestResult, b: LatestResult): number => Number(a.isOlder) - Number(b.isOlder);
  const byDay = ({ latest: a }: Latest, { latest: b }: Latest): number =>
    b.date.slice(0, 10).localeCompare(a.date.slice(0, 10));
  const heaviest = ({ latest, also }: LatestResult): number => Math.min(...[latest, ...also].map(weightOf));
  const isOfNewest = ({ latest: { date } }: Latest): boolean => date.slice(0, 10) === newest.slice(0, 10);
  const noticed = tests.filter((test) => heaviest(test) < UNFLAGGED).length;
  const sorted = tests
    .filter((test) => heaviest(test) < UNFLAGGED || test.latest.date >= oldest)
    .sort((a, b) => heaviest(a) - heaviest(b) || byAge(a, b) || inPlace(a, b));
  const first = sorted.slice(0, Math.max(most, noticed));
  const more = sorted
    .slice(first.length)
    .filter((test) => !isSet && isOfNewest(test) && test.latest.place < Infinity)
    .slice(0, Math.max(0, most + MORE_OF_NEWEST - first.length));
  const shown = [...first, ...more].sort(
    (a, b) => (isSet ? byAge(a, b) : byDay(a, b) || byWeight(a, b)) || inPlace(a, b),
  );
  const told = new Set(shown.flatMap(({ latest, also }) => [latest, ...also]));
  const besides = every
    .filter((each) => isOfNewest(each) && !told.has(each.latest))
    .sort((a, b) => byWeight(a, b) || inPlace(a, b));
  return { results: shown, tests: tests.length, newest, besides };
}

/** Parts the results of a test, the latest first, into those of the latest moment, one of each value, and those before. */
export function byMoment(results: readonly [Result, ...Result[]]) {
  const [first] = results;
  // Of two values of a month or a year nobody knows whether they are of one moment.
  const isThen = ({ date }: Result): boolean => date === first.date && date.length >= 10;
  const then = results.filter((each) => each === first || isThen(each));
  const [latest = first, ...together] = then
    .sort((a, b) => weightOf(a) - weightOf(b))
    .filter(({ value }, at, all) => all.findIndex((other) => other.value === value) === at);
  return { latest, together, before: results.filter((each) => !then.includes(each)) };
}

/** Returns the results of a statement: one for each thing measured, such as a blood pressure, or its text. */
export function resultsOf(statement: ShownStatement): Result[] {
  const { iri, title, code, substance, date = '', flag, summary, model, quantities, place } = statement;
  const drawn = quantities.filter(({ trend }) => trend !== 'target');
  const what = model.shown.title.length > 0 ? (code ?? title) : '';
  const result = { iri, date, place };
  if (drawn.length === 0) {
    const value = summary().join(' · ');
    return value === '' && !flag
      ? []
      : [{ ...result, test: title, key: what, value, unit: '', range: '', flag, isDrawn: false }];
  }
  const groups = [...groupedBy(drawn, ({ chart, unit }) => JSON.stringify([chart, unit]))];
  return groups.map(([key, group]) => {
    const [{ chart, unit, normal, order } = { chart: '', unit: '', order: Infinity }] = group;
    const test = measureTitle(statement, drawn, chart);
    const shownUnit = readableUnit(unit);
    const texts = group.map(({ text }) => text).join('/');
    const written = group.map(({ text, exact }) => exact ?? text).join('/');
    return {
      ...result,
      test,
      key: what + key,
      substance: substance && JSON.stringify([substance, key]),
      place: model.shown.title.length > 0 ? place : order,
      value: texts,
      exact: written === texts ? undefined : written,
      // Some units only repeat the name: INR in Plasma 4.6 INR.
      unit: test.startsWith(`${shownUnit} `) ? '' : shownUnit,
      range: normal?.text ?? '',
      // What the statement says of itself counts for its only number.
      flag: groups.length === 1 ? flag : worstFlag(group, []),
      isDrawn: true,
    };
  });
}
