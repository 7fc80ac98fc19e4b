import { afterNumber, longAgo, readableDay, severalReadings, uncapital } from '../../http/html/readable.js';
import { html, type Html } from '../../http/html/html.js';
import { groupedBy } from '../../rdf/by-key.js';
import type { LatestResult, LatestResults, Result } from '../shown/results.js';
import { linked, NO_RANGES, shownValueOf, thingOf, trendPath } from './results-table.js';
import { flagMark, NONE_SHOWN, type PathOf } from './statement-list.js';

/** The latest results of a kind. */
export interface Latest extends LatestResults {
  readonly name: string;
  readonly path: string;
  readonly total: number;
  /** Whether they are measured in sets. */
  readonly isSet: boolean;
  /** The number of its latest statements in which they were looked for. */
  readonly read: number;
  readonly today: string;
  /** The day of the last visit, if there was one. */
  readonly visited: string | undefined;
}

/** Draws the latest results of a kind; there are none only where they may be closed to the reader. @param trends the path of the trends of the record */
export function latestSheet(shown: Latest, trends: string, pathOf: PathOf): Html {
  const { name, path, results, tests, newest, total, read, isSet } = shown;
  if (results.length === 0)
    return html`<section class="sheet">
      <h2><a href="${path}">Latest ${uncapital(name)}</a></h2>
      <p class="quiet">${NONE_SHOWN}</p>
    </section>`;
  const days = new Set(results.map(({ latest }) => latest.date.slice(0, 10)));
  const hasNewest = days.has(newest.slice(0, 10));
  const isFlagged = results.map(({ latest }) => latest.flag !== undefined);
  const hasRanges = results.some(({ latest }) => latest.range !== '');
  const notes = [
    tests > results.length || read < total
      ? `${results.length} of ${tests} ${thingOf(isSet)}s${read < total ? ` from the latest ${read} ${isSet ? 'entries' : 'results'}` : ''}.`
      : '',
    orderOf(shown, days),
    hasRanges || isFlagged.includes(true) ? '' : NO_RANGES,
  ].filter((note) => note !== '');
  return html`<section class="sheet">
    <h2><a href="${path}">Latest ${uncapital(name)}</a></h2>
    ${!hasNewest && besidesOf(shown, 'Newer, on', pathOf)}
    ${partsOf(shown).map(({ day, rows, heading }, at) => {
      const caption =
        day !== undefined &&
        html`<caption class="small">
          ${howOld(day, shown)}
        </caption>`;
      const isDated = day === undefined;
      return html`${heading !== undefined && html`<h3>${heading}</h3>`}
        <table>
          ${caption} ${rows.map((each) => latestRow(each, shown, isDated, trends, pathOf))}
        </table>
        ${at === 0 && hasNewest && besidesOf(shown, 'Also on', pathOf)}`;
    })}
    <p class="quiet small">
      ${notes.join(' ')} ${total > results.length && html`<a href="${path}">See all ${total}</a>`}
    </p>
  </section>`;
}

/** The number of results without a row that are named. */
const MOST_NAMED = 8;
/** The number of results in words that are always named: they have no trend, and may be cultures. */
const MOST_IN_WORDS = 3;

/** Names what is of the newest day and has no row, with a link to all of the day. */
function besidesOf({ path, newest, besides }: Latest, words: string, pathOf: PathOf): Html | false {
  const inWords = besides
    .filter(({ latest }) => !latest.isDrawn && latest.value !== '')
    .slice(0, MOST_IN_WORDS);
  const named = besides.filter((each, at) => at < MOST_NAMED || inWords.includes(each));
  const rest = besides.length - named.length;
  const day = `${path}?by=day`;
  return (
    named.length > 0 &&
    html`<p class="small">${words} <a href="${day}">${readableDay(newest)}</a>:</p>
      <ul class="pairs small">
        ${named.map(
          ({ latest, together }) =>
            html`<li>
              <span>${linked(latest, latest.test, pathOf)}</span>
              <span>${valuesOf([latest, ...together])}</span>
            </li>`,
        )}
        ${rest > 0 && html`<li><a href="${day}">${rest} more result${rest > 1 && 's'}</a></li>`}
      </ul>`
  );
}

/** Shows the values of one moment. */
const valuesOf = (results: readonly Result[]): readonly Html[] =>
  results.map(
    (each, at) =>
      html`${at > 0 && ' and '}<strong>${shownValueOf(each)}</strong>${afterNumber(each.unit)}
      ${flagMark(each.flag)}`,
  );

/** The tables of the latest results: one for each day, but of what has its place in a set one, and one of what is older. */
function partsOf({ results, isSet }: Latest) {
  const parts = groupedBy(results, ({ latest, isOlder }) =>
    isSet ? String(isOlder) : latest.date.slice(0, 10),
  );
  return [...parts.values()].map((rows) => {
    const days = new Set(rows.map(({ latest }) => latest.date.slice(0, 10)));
    const [day] = days.size === 1 ? days : [];
    return { day, rows, heading: rows[0]?.isOlder ? 'Older' : undefined };
  });
}

/** Says in which order results stand; '' where each has its place. */
function orderOf({ isSet, results, newest }: Latest, days: ReadonlySet<string>): string {
  const isMixed = new Set(results.map(({ latest }) => latest.flag !== undefined)).size > 1;
  if (isSet) return '';
  const isNewest = days.has(newest.slice(0, 10));
  if (days.size > 1 && isNewest)
    return `Newest first${isMixed ? ', and abnormal results first within a day' : ''}.`;
  if (!isMixed) return '';
  return `Abnormal results first${days.size > 1 ? ' within a day' : ''}.`;
}

function latestRow(
  { latest, together, earlier, also }: LatestResult,
  shown: Latest,
  isDated: boolean,
  trends: string,
  pathOf: PathOf,
): Html {
  const { test, range, date, isDrawn, iri } = latest;
  const target = isDrawn ? trendPath(trends, test) : pathOf(iri);
  const besides = [
    together.length > 0 && severalReadings(together.length + 1),
    isDated && howOld(date, shown),
    range !== '' && `normal ${range}`,
    earlier[0] &&
      html`was
      ${earlier.map((each, at) => html`${at > 0 && 'and '}${shownValueOf(each)} ${flagMark(each.flag)} `)}on
      ${readableDay(earlier[0].date)}`,
    ...also.map(
      (each) =>
        html`also <a href="${trendPath(trends, each.test)}">${each.test}</a>: ${shownValueOf(each)}
          ${flagMark(each.flag)} on ${readableDay(each.date)}`,
    ),
  ].filter((each) => each !== undefined && each !== false);
  return html`<tr class="${longAgo(date, shown.newest) && 'past'}${!isDrawn && ' words'}">
    <th scope="row">${target === undefined ? test : html`<a href="${target}">${test}</a>`}</th>
    <td>
      <span class="value">${valuesOf([latest, ...together])}</span>
      <div class="quiet small">${besides.map((each, at) => html`${at > 0 && ' · '}${each}`)}</div>
    </td>
  </tr>`;
}

/** Shows a day, with how long ago it was, or that it was before the last visit. */
function howOld(date: string, { today, visited }: Latest): Html {
  const isBefore = visited !== undefined && date.slice(0, 10) < visited;
  const age = longAgo(date, today) || (isBefore && 'before the last visit');
  return html`${readableDay(date)}${age && html` <span class="tag">${age}</span>`}`;
}
