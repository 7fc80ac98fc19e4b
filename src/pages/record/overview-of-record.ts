import { groupedBy } from '../../rdf/by-key.js';
import { readableDay } from '../../records/shown/readable.js';
import type { ShownStatement } from '../../records/shown/shown-statement.js';
import type { Timeline } from '../../records/shown/timeline.js';
import { html, type Html } from '../html.js';
import { recordPaths } from './frame.js';
import { statementList, type PathOf } from './statement-list.js';

/** A kind of statement with some of it. */
export interface ShownKind {
  readonly name: string;
  /** The path of all of them. */
  readonly path: string;
  readonly total: number;
  /** How many of them are past, as far as that is known. */
  readonly past: number;
  /** Whether some are not shown that are not past. */
  readonly isCut: boolean;
  readonly statements: readonly ShownStatement[];
}

/** What the page of a record shows, to everybody who may open it. */
export interface RecordOverview {
  /** The path of the base URL, and the id of the record. */
  readonly basePath: string;
  readonly record: string;
  readonly current: readonly ShownKind[];
  readonly person: readonly ShownKind[];
  readonly history: Timeline<ShownStatement>;
  /** The day before which the history is shown; undefined for the latest part. */
  readonly before?: string | undefined;
  /** Everything that the record holds. */
  readonly kinds: readonly ShownKind[];
  /** The apps that can be opened with it. */
  readonly apps: readonly { readonly id: string; readonly name: string }[];
  readonly pathOf: PathOf;
}

/** What the page of a record shows: what is current, then the history, and the ways to everything else. */
export function recordOverview(overview: RecordOverview): Html {
  const { basePath, record, current, person, history, before, kinds, apps, pathOf } = overview;
  const paths = recordPaths(basePath, record);
  return html`${
      before === undefined &&
      html`<div class="columns">${current.map((kind) => currentKind(kind, pathOf))}</div>`
    }
    <div class="aside">
      <section class="sheet" aria-labelledby="history">
        <h2 id="history">${before === undefined ? 'History' : `History before ${readableDay(before)}`}</h2>
        ${history.statements.length === 0 && html`<p class="quiet">Nothing${before !== undefined && ' earlier'}.</p>`}
        ${[...groupedBy(history.statements, ({ date }) => date?.slice(0, 10) ?? '')].map(([day, statements]) => dayOf(day, statements, pathOf))}
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
          ${person.map((kind) => personKind(kind, pathOf))}
          <section class="sheet" aria-labelledby="everything">
            <h2 id="everything">Everything, by kind</h2>
            <ul class="kinds">
              ${kinds.map(({ name, path, total }) => html`<li><a href="${path}">${name}</a> <span class="quiet">${total}</span></li>`)}
            </ul>
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
          <section class="sheet noprint" aria-labelledby="take">
            <h2 id="take">Take it with you</h2>
            <p class="small">
              <a href="${paths.export}" download>Download the record as data</a> (RDF, Turtle). To have this
              page on paper, print it.
            </p>
          </section>
        </div>`
      }
    </div>`;
}

function currentKind(kind: ShownKind, pathOf: PathOf): Html {
  const { name, total, statements } = kind;
  const none = html`<p class="quiet">None ${total > 0 ? 'now' : 'recorded'}.</p>`;
  return html`<section class="sheet">
    <h2>${name}</h2>
    ${statements.length === 0 ? none : statementList(statements, { pathOf })} ${restOf(kind)}
  </section>`;
}

function personKind(kind: ShownKind, pathOf: PathOf): Html {
  return html`<section class="sheet">
    <h2>${kind.name}</h2>
    ${statementList(kind.statements, { pathOf })} ${restOf(kind)}
  </section>`;
}

/** Says what of a kind is not shown, and leads to it. */
function restOf({ path, total, past, isCut, statements }: ShownKind): Html | false {
  const cut = isCut && html`<strong>The latest ${statements.length} are shown.</strong>`;
  return (
    statements.length < total &&
    html`<p class="small">
      ${cut} <a href="${path}">All ${total}${past > 0 && `, ${past} of them past`}</a>
    </p>`
  );
}

function dayOf(day: string, statements: readonly ShownStatement[], pathOf: PathOf): Html {
  return html`<h3>${readableDay(day)}</h3>
    ${statementList(statements, { pathOf, kinds: true, isDay: true })}`;
}
