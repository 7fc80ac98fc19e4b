import { readableDay } from '../../http/html/readable.js';
import { folded } from '../shown/folded.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import type { Timeline } from '../shown/timeline.js';
import { html, type Html } from '../../http/html/html.js';
import { recordPaths } from './frame.js';
import { historyByDay, visitLines, type HistoryByDay } from './history-by-day.js';
import { latestSheet, type Latest } from './latest-sheet.js';
import { byHeading, NONE_SHOWN, statementList, type PathOf } from './statement-list.js';

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

export interface RecordOverview {
  readonly basePath: string;
  readonly record: string;
  readonly strip: Html;
  readonly current: readonly ShownKind[];
  readonly latest: readonly Latest[];
  readonly person: readonly ShownKind[];
  /** Whether some of the record is closed to the reader. */
  readonly isPartClosed: boolean;
  readonly history: Timeline<ShownStatement> & Pick<HistoryByDay, 'left'>;
  readonly earlier?: EarlierVisits | undefined;
  /** What ended in the time of the history. */
  readonly ended: readonly ShownStatement[];
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

/** Visits before those of the history. */
export interface EarlierVisits {
  readonly next: readonly ShownStatement[];
  /** The latest stay, where none is among the visits above. */
  readonly stay: ShownStatement | undefined;
  /** How many there are besides the next ones. */
  readonly more: number;
  /** The list of all. */
  readonly path: string | undefined;
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
    isPartClosed,
    history,
    earlier,
    ended,
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
      html`<div class="columns${current.every(isShort) && ' short'}">
        ${current.map((kind) => kindSheet(kind, pathOf, html`<p class="quiet">${noneOf(kind, 'current')}</p>`))}
        <div class="aside measured">${latest.map((each) => latestSheet(each, paths.trends, pathOf))}</div>
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
        ${history.statements.length === 0 && html`<p class="quiet">${isPartClosed ? NONE_SHOWN : `Nothing${before === undefined ? '' : ' earlier'}.`}</p>`}
        ${historyByDay({ ...history, ended, earlierStays: stays, limit: before }, pathOf)}
        ${earlier && earlier.next.length > 0 && earlierVisits(earlier, pathOf)}
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

function earlierVisits({ next, stay, more, path }: EarlierVisits, pathOf: PathOf): Html {
  return html`<h3>Before that</h3>
    ${visitLines(next, pathOf)}
    ${more > 0 && path !== undefined && html`<p class="small"><a href="${path}">${more} more ${more === 1 ? 'visit' : 'visits'}</a></p>`}
    ${
      stay &&
      html`<h3>Latest stay of two nights or more</h3>
        ${visitLines([stay], pathOf)}`
    }`;
}

/** What is kept in words is folded after so many. */
const UNFOLDED = 6;
/** Lists of so many stand beside each other. */
const SHORT = 6;

const isShort = ({ statements, unmapped }: ShownKind): boolean =>
  statements.length + (unmapped?.statements.length ?? 0) <= SHORT;

/** @param none shown if there are no statements */
function kindSheet(kind: ShownKind, pathOf: PathOf, none?: Html): Html {
  const { name, path, statements } = kind;
  return html`<section class="sheet">
    <h2><a href="${path}">${name}</a></h2>
    ${statements.length === 0 && none}
    ${Array.from(
      byHeading(statements),
      ([heading, own]) =>
        html`${heading !== '' && html`<h3>${heading}</h3>`} ${statementList(own, { pathOf })}`,
    )}
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
