import { afterNumber, capital, longAgo, readableDay, severalReadings } from '../../http/html/readable.js';
import { html, type Html } from '../../http/html/html.js';
import { rowsTable } from '../../http/html/rows-table.js';
import { groupedBy } from '../../rdf/by-key.js';
import { byMoment, byPlace, type Result } from '../shown/results.js';
import { flagMark, type PathOf } from './statement-list.js';

export interface ResultsTable {
  readonly name: string;
  readonly path: string;
  readonly trendsPath: string;
  /** The latest first. */
  readonly results: readonly Result[];
  /** The statements that they are of, and how many there are in all. */
  readonly read: number;
  readonly total: number;
  /** Whether they are measured in sets, such as vital signs, which nobody calls tests. */
  readonly isSet: boolean;
  readonly by: 'test' | 'day';
  /** What the names of tests must hold. */
  readonly filter: string;
  /** The rows before those of the page. */
  readonly offset: number;
  readonly pathOf: PathOf;
}

/** Earlier results that a row lists of what has a trend, to which it leads for the others. */
const MOST_EARLIER = 10;

/** Rows of a page: tests, or results by day. */
const MOST_ROWS = 500;

/** A table of results with a filter: a row for each test with its earlier results, or one for each result by day. */
export function resultsTable(page: ResultsTable): Html {
  const { name, path, results, read, total, by, filter, offset, isSet } = page;
  const thing = thingOf(isSet);
  const matching = results.filter(({ test }) => test.toLowerCase().includes(filter.toLowerCase()));
  const days = [...groupedBy(matching, ({ date }) => date.slice(0, 10)).values()];
  const found = days.flatMap((day) => day.toSorted(byPlace));
  const to = (values: Record<string, string>): string =>
    `${path}?${new URLSearchParams({ by, q: filter, ...values }).toString()}`;
  const choice = (choose: ResultsTable['by'], text: string): Html =>
    html`<a href="${to({ by: choose })}" ${by === choose && html` aria-current="true"`}>${text}</a>`;
  const kept = html`<input type="hidden" name="by" value="${by}" />`;
  const tests = ([...groupedBy(matching, ({ key }) => key).values()] as Test[]).sort(([a], [b]) =>
    byPlace(a, b),
  );
  const rows = by === 'test' ? tests.length : found.length;
  const last = Math.min(offset + MOST_ROWS, rows);
  const says = [
    filter !== '' && found.length > 0 && `${found.length} of ${results.length} results match “${filter}”.`,
    (offset > 0 || last < rows) &&
      `${offset + 1} to ${last} of ${rows} ${by === 'test' ? `${thing}s` : 'results'}.`,
    by === 'test' && tests.length > 1 && orderOf(tests),
  ].filter((each) => each !== false);
  return html`${filterForm(path, 'Name contains', filter, kept)}
    <nav class="views small noprint" aria-label="Group">
      ${choice('test', `By ${thing}`)} ${choice('day', 'By day')}
    </nav>
    ${read < total && html`<p class="notice">Only the latest ${read} of ${total} are listed and searched here.</p>`}
    ${says.length > 0 && html`<p class="quiet small" role="status">${says.join(' ')}</p>`}
    ${found.length === 0 && html`<p role="status">No results${filter !== '' && ` for “${filter}”`}.</p>`}
    ${found.length > 0 && !found.some(({ range, flag }) => range !== '' || flag) && html`<p class="quiet small">${NO_RANGES}</p>`}
    ${rows > offset && (by === 'test' ? byTest(name, tests.slice(offset, last), page) : byDay(name, found.slice(offset, last), page))}
    ${
      (offset > 0 || last < rows) &&
      html`<nav class="actions" aria-label="Pages of the list">
        ${offset > 0 && html`<a href="${to({ offset: String(Math.max(0, offset - MOST_ROWS)) })}" rel="prev">Later</a>`}
        ${last < rows && html`<a href="${to({ offset: String(last) })}" rel="next">Earlier</a>`}
      </nav>`
    }`;
}

/** Says in which order tests stand. */
function orderOf(tests: readonly Test[]): string {
  const placed = tests.filter(([{ place }]) => place < Infinity).length;
  if (placed === 0) return 'From A to Z.';
  return `In clinical order${placed < tests.length ? ', then the others from A to Z' : ''}.`;
}

/** The results of a test, the latest first. */
type Test = [Result, ...Result[]];

/** A field that filters what the page lists. */
export function filterForm(path: string, label: string, filter: string, kept?: Html): Html {
  return html`<form method="get" action="${path}" class="search noprint">
    ${kept}
    <div class="field">
      <label for="q">${label}</label><input type="search" id="q" name="q" value="${filter}" />
    </div>
    <div class="field"><button>Filter</button></div>
  </form>`;
}

/** What each result is of, in a word. @param isSet whether they are measured in sets */
export const thingOf = (isSet: boolean): string => (isSet ? 'measurement' : 'test');

/** The columns of a result that both groupings share. */
const cellsOf = (result: Result) =>
  [[shownValueOf(result), ' ', flagMark(result.flag)], result.unit, result.range] as const;

/** Shows a value; what was recorded with more digits stands in its title. */
export function shownValueOf({ value, exact, unit }: Result): Html | string {
  return exact === undefined
    ? value
    : html`<span title="Recorded as ${exact}${afterNumber(unit)}">${value}</span>`;
}

/** Says once that no result has a range, so that a missing flag is not read as normal. */
export const NO_RANGES = 'No normal ranges are recorded, so high and low values are not marked.';

function byTest(name: string, tests: readonly Test[], page: ResultsTable): Html {
  const rows = tests.map((test) => {
    const { latest, together, before: earlier } = byMoment(test);
    const [value, ...others] = cellsOf(latest);
    const said = [...value, together.map((each) => html` and ${shownValueOf(each)} ${flagMark(each.flag)}`)];
    return [
      testCell(latest, page),
      isPast(latest, page) ? html`<span class="past">${said}</span>` : said,
      ...others,
      html`<span class="day">${readableDay(latest.date)}</span
        >${together.length > 0 && ` ${severalReadings(together.length + 1)}`}`,
      earlier.length > 0 && earlierOf(earlier, page),
    ];
  });
  return rowsTable(
    name,
    [capital(thingOf(page.isSet)), 'Result', 'Unit', 'Normal range', 'Date', 'Earlier'],
    rows,
    'stacked results',
  );
}

/** Whether a result is older than the newest by a year or more. */
const isPast = ({ date }: Result, { results: [newest] }: ResultsTable): boolean =>
  newest !== undefined && longAgo(date, newest.date) !== '';

/** Lists earlier results; of many that have a trend the latest, and where the others are. */
function earlierOf(earlier: readonly Result[], page: ResultsTable): Html {
  const { trendsPath, pathOf } = page;
  const [first] = earlier;
  const isCut = first?.isDrawn === true && earlier.length > MOST_EARLIER;
  const row = (each: Result): Html =>
    html`<li class="${isPast(each, page) && 'past'}">
      ${readableDay(each.date)}: ${linked(each, each.value + afterNumber(each.unit), pathOf)}
      ${flagMark(each.flag)}
    </li>`;
  return html`<details>
    <summary>${earlier.length} earlier</summary>
    <ul class="kinds">
      ${earlier.slice(0, isCut ? MOST_EARLIER : undefined).map(row)}
    </ul>
    ${isCut && html`${MOST_EARLIER} of ${earlier.length}. <a href="${trendPath(trendsPath, first.test)}">See all in the trend</a>`}
  </details>`;
}

function byDay(name: string, results: readonly Result[], page: ResultsTable): Html {
  return html`${[...groupedBy(results, ({ date }) => date.slice(0, 10))].map(([day, group]) => {
    const rows = group.map((result) => [testCell(result, page), ...cellsOf(result)]);
    return html`<h2>${readableDay(day)}</h2>
      ${rowsTable(`${name}, ${readableDay(day)}`, [capital(thingOf(page.isSet)), 'Result', 'Unit', 'Normal range'], rows, 'stacked results')}`;
  })}`;
}

function testCell(result: Result, page: ResultsTable): Html {
  return html`${linked(result, result.test, page.pathOf)}
  ${result.isDrawn && html` <a class="small" href="${trendPath(page.trendsPath, result.test)}" aria-label="Trend of ${result.test}">Trend</a>`}`;
}

/** Links a text to the page of a result, where there is one. */
export function linked({ iri }: Result, text: string, pathOf: PathOf): Html | string {
  const path = pathOf(iri);
  return path === undefined ? text : html`<a href="${path}">${text}</a>`;
}

/** Returns the path of the trend of one thing that is measured. */
export const trendPath = (trends: string, title: string): string =>
  `${trends}?${new URLSearchParams({ of: title }).toString()}`;
