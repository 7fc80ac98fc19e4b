import { longAgo, readableDay, uncapital } from '../../http/html/readable.js';
import type { LatestResult, LatestResults } from '../shown/results.js';
import { folded } from '../shown/folded.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import type { Timeline } from '../shown/timeline.js';
import { groupedBy } from '../../rdf/by-key.js';
import { html, type Html } from '../../http/html/html.js';
import { recordPaths } from './frame.js';
import { historyByDay } from './history-by-day.js';
import { atSameTime, linked, NO_RANGES, shownValueOf, thingOf, trendPath } from './results-table.js';
import { byHeading, flagMark, NONE_SHOWN, SOCIAL, statementList, type PathOf } from './statement-list.js';

export interface ShownKind {
  readonly name: string;
  readonly path: string;
  readonly total: number;
  readonly past: number;
  readonly isCut: boolean;
  readonly statements: readonly ShownStatement[];
  /** Whether some of the record is closed to the reader, perhaps these. */
  readonly isPartClosed?: boolean;
  /** What was recorded and could not be entered among them. */
  readonly unmapped?: ShownKind | undefined;
}

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

export interface RecordOverview {
  readonly basePath: string;
  readonly record: string;
  readonly strip: Html;
  readonly current: readonly ShownKind[];
  readonly latest: readonly Latest[];
  readonly person: readonly ShownKind[];
  readonly history: Timeline<ShownStatement>;
  /** Stays that began earlier, and go on into the part of the history. */
  readonly stays: readonly ShownStatement[];
  /** Kinds that would flood the history, with their latest dates. */
  readonly folded: readonly { readonly kind: ShownKind; readonly last: string }[];
  /** The history is shown before this day; undefined for the latest part. */
  readonly before?: string | undefined;
  readonly kinds: readonly ShownKind[];
  readonly apps: readonly { readonly id: string; readonly name: string }[];
  readonly pathOf: PathOf;
}

/** The overview of a record: what is current, the latest results, the history, and links to everything else. */
export function recordOverview(overview: RecordOverview): Html {
  const {
    basePath,
    record,
    strip,
    current,
    latest,
    person,
    history,
    stays,
    folded,
    before,
    kinds,
    apps,
    pathOf,
  } = overview;
  const paths = recordPaths(basePath, record);
  return html`${strip}
    ${
      before === undefined &&
      html`<div class="columns">
        ${current.map((kind) => kindSheet(kind, pathOf, html`<p class="quiet">${noneOf(kind, 'current')}</p>`))}
        ${latest.map((each) => latestSheet(each, paths.trends, pathOf))}
      </div>`
    }
    <div class="aside">
      <section class="sheet" aria-labelledby="history">
        <h2 id="history">${before === undefined ? 'History' : `History before ${readableDay(before)}`}</h2>
        ${folded.map(
          ({ kind: { name, path, total }, last }) =>
            html`<p class="quiet small">
              Listed separately: <a href="${path}">${name}</a> (${total}, latest ${readableDay(last)})
            </p>`,
        )}
        ${history.statements.length === 0 && html`<p class="quiet">Nothing${before !== undefined && ' earlier'}.</p>`}
        ${historyByDay(history.statements, pathOf, stays)}
        ${
          (history.before !== undefined || before !== undefined) &&
          html`<nav class="actions" aria-label="History">
            ${history.before !== undefined && html`<a href="${paths.record}?before=${history.before}" rel="next">Earlier</a>`}
            ${before !== undefined && html`<a href="${paths.record}">Latest</a>`}
          </nav>`
        }
      </section>
      ${
        before === undefined &&
        html`<div>
          ${person.map((kind) => kindSheet(kind, pathOf))}
          <section class="sheet" aria-labelledby="everything">
            <h2 id="everything">All entries by type</h2>
            <ul class="kinds inline">
              ${kinds.map(({ name, path, total }) => html`<li><a href="${path}">${name}</a> <span class="quiet">${total}</span></li>`)}
            </ul>
            <p class="small noprint">
              <a href="${paths.export}" download>Download the record as data</a>, for programs (RDF in
              Turtle). To keep a summary on paper, print this page.
            </p>
          </section>
          ${
            apps.length > 0 &&
            html`<section class="sheet noprint" aria-labelledby="apps">
              <h2 id="apps">Open in an app</h2>
              <ul class="kinds">
                ${apps.map((app) => html`<li><a href="${basePath}/apps/${encodeURIComponent(app.id)}/launch?record_id=${record}">${app.name}</a></li>`)}
              </ul>
            </section>`
          }
        </div>`
      }
    </div>`;
}

/** What is kept in words is folded after so many; of what is current, more stand in two columns. */
const UNFOLDED = 6;

/** @param none shown if there are no statements */
function kindSheet(kind: ShownKind, pathOf: PathOf, none?: Html): Html {
  const { name, path, statements } = kind;
  return html`<section class="sheet">
    <h2><a href="${path}">${name}</a></h2>
    ${statements.length === 0 && none}
    ${Array.from(byHeading(statements), ([heading, own]) => {
      const list = statementList(own, { pathOf, areMany: own.length > UNFOLDED });
      return heading === SOCIAL
        ? html`<details class="rest named">
            <summary>${heading} (${own.length})</summary>
            ${list}
          </details>`
        : html`${heading !== '' && html`<h3>${heading}</h3>`} ${list}`;
    })}
    ${restOf(kind)} ${kind.unmapped && alsoRecorded(kind.unmapped, pathOf)}
  </section>`;
}

function foldedList(statements: readonly ShownStatement[], pathOf: PathOf): Html {
  const [shown, rest] = folded(statements, UNFOLDED);
  return html`${statementList(shown, { pathOf })}
  ${
    rest.length > 0 &&
    html`<details class="rest">
      <summary>${rest.length} more</summary>
      ${statementList(rest, { pathOf })}
    </details>`
  }`;
}

function latestSheet(shown: Latest, trends: string, pathOf: PathOf): Html {
  const { name, path, results, tests, newest, total, read, isSet } = shown;
  const days = new Set(results.map(({ latest }) => latest.date.slice(0, 10)));
  const isFlagged = results.map(({ latest }) => latest.flag !== undefined);
  const hasRanges = results.some(({ latest }) => latest.range !== '');
  const notes = [
    tests > results.length || read < total
      ? `${results.length} of ${tests} ${thingOf(isSet)}s${read < total ? ` in the latest ${read} entries` : ''}.`
      : '',
    orderOf(shown, days),
    hasRanges || isFlagged.includes(true) ? '' : NO_RANGES,
  ].filter((note) => note !== '');
  return html`<section class="sheet">
    <h2><a href="${path}">Latest ${uncapital(name)}</a></h2>
    ${!days.has(newest.slice(0, 10)) && notShown(shown, pathOf)}
    ${partsOf(shown).map(({ day, rows, heading }) => {
      const caption =
        day !== undefined &&
        html`<caption class="small">
          ${howOld(day, shown)}
        </caption>`;
      const isDated = day === undefined;
      return html`${heading !== undefined && html`<h3>${heading}</h3>`}
        <table>
          ${caption} ${rows.map((each) => latestRow(each, shown, isDated, trends, pathOf))}
        </table>`;
    })}
    <p class="quiet small">
      ${notes.join(' ')} ${total > results.length && html`<a href="${path}">See all ${total}</a>`}
    </p>
  </section>`;
}

/** Leads to the results of the newest day, of which none is shown, and names some that are in words. */
function notShown({ path, newest, testsOfNewest, newestInWords }: Latest, pathOf: PathOf): Html {
  const rest = testsOfNewest - newestInWords.length;
  const more = newestInWords.length > 0 ? 'more ' : '';
  return html`<p>
    Newer, not shown here:
    ${newestInWords.map((each) => html`${linked(each, each.test, pathOf)}: ${each.value}${each.flag && html` ${flagMark(each.flag)}`}; `)}
    <a href="${path}?by=day"
      >${rest > 0 && `${rest} ${more}result${rest !== 1 ? 's' : ''} `}from ${readableDay(newest)}</a
    >
  </p>`;
}

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
  const { test, unit, range, flag, date, isDrawn, iri } = latest;
  const target = isDrawn ? trendPath(trends, test) : pathOf(iri);
  const besides = [
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
  return html`<tr class="${longAgo(date, shown.newest) && 'past'}">
    <th scope="row">${target === undefined ? test : html`<a href="${target}">${test}</a>`}</th>
    <td>
      <span class="value"><strong>${shownValueOf(latest)}</strong> ${unit} ${flagMark(flag)}</span>
      ${together.length > 0 && html`${together.map((each) => html` and <span class="value"><strong>${shownValueOf(each)}</strong> ${unit} ${flagMark(each.flag)}</span>`)} ${atSameTime(latest)}`}
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

type Counted = Pick<ShownKind, 'total' | 'unmapped' | 'isPartClosed'>;

/** Says that a list is empty. @param now where the record has some that are over */
export function noneOf({ total, unmapped, isPartClosed }: Counted, now = ''): string {
  if (total > 0) return `None ${now}.`;
  if (!unmapped || unmapped.total === 0) return isPartClosed ? NONE_SHOWN : 'None recorded.';
  return unmapped.past === unmapped.total ? 'None current.' : 'None, except as text.';
}

/** Lists what could not be entered in a list, beneath it. */
export function alsoRecorded(kind: ShownKind, pathOf: PathOf): Html | false {
  return (
    kind.total > 0 &&
    html`<p class="small">Recorded as text only:${kind.statements.length === 0 && ' none current.'}</p>
      ${kind.statements.length > 0 && foldedList(kind.statements, pathOf)} ${restOf(kind)}`
  );
}

function restOf({ path, total, past, isCut, statements }: ShownKind): Html | false {
  const cut = isCut && html`<strong>Only the latest ${statements.length} are shown.</strong>`;
  return (
    statements.length < total &&
    html`<p class="small">
      ${cut}
      <a href="${path}"
        >${past === total ? `See ${past} past` : `See all ${total}${past > 0 ? ` (${past} past)` : ''}`}</a
      >
    </p>`
  );
}
