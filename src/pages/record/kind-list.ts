import type { ShownStatement } from '../shown/shown-statement.js';
import { html, type Html } from '../../http/html/html.js';
import { alsoRecorded, noneOf, type ShownKind } from './overview-of-record.js';
import { filterForm, resultsTable, type ResultsTable } from './results-table.js';
import { byHeading, statementList, type PathOf } from './statement-list.js';

interface KindList {
  readonly name: string;
  readonly comment: string;
  readonly path: string;
  readonly statements: readonly ShownStatement[];
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  /** Whether some of the record is closed to the reader. */
  readonly isPartClosed?: boolean;
  /** What the names, or what is said besides, must hold. */
  readonly filter: string;
  readonly unmapped?: ShownKind | undefined;
  /** Where the statements are results. */
  readonly results?: ResultsTable | undefined;
  readonly pathOf: PathOf;
}

/** The list of all statements of one kind. */
export function kindList(list: KindList): Html {
  const { name, comment, path, offset, limit, total, filter, unmapped, results, pathOf } = list;
  const isFiltered = filter !== '' && !results;
  const holds = ({ title, summary }: ShownStatement): boolean =>
    [title, ...summary()].some((text) => text.toLowerCase().includes(filter.toLowerCase()));
  const statements = isFiltered ? list.statements.filter(holds) : list.statements;
  const past = statements.filter(({ isOver, model }) => isOver && model.shown.group === 'current');
  const current = statements.filter((each) => !past.includes(each));
  // What is excluded, for example, has a heading of its own.
  const last = offset + list.statements.length;
  // A table of results has pages, and a filter, of its own.
  const isLong = !results && (total > list.statements.length || offset > 0 || isFiltered);
  const more = isFiltered ? `&q=${encodeURIComponent(filter)}` : '';
  const isWhole = list.statements.length === total;
  const among = isWhole ? `${total}` : `entries ${offset + 1} to ${last} (of ${total})`;
  const found = `${statements.length} of ${among} contain “${filter}”`;
  return html`<section class="sheet">
    <h1>${name}</h1>
    ${comment !== '' && html`<p class="quiet">${comment}</p>`}
    <p class="quiet small" role="status">
      ${total === 0 ? noneOf(list) : isFiltered ? found : isLong && `${offset + 1} to ${last} of ${total}`}
    </p>
    ${isLong && filterForm(path, 'Entry contains', filter)} ${results && total > 0 && resultsTable(results)}
    ${!results && Array.from(byHeading(current), ([heading, own]) => html`${heading !== '' && html`<h2>${heading}</h2>`} ${statementList(own, { pathOf })}`)}
    ${
      past.length > 0 &&
      html`<h2>Past</h2>
        ${past.some(({ until, model }) => until === undefined && model.shown.until.length > 0) && html`<p class="quiet small">Where no end date is shown, none is recorded.</p>`}
        ${statementList(past, { pathOf })}`
    }
    ${
      !results &&
      total > list.statements.length &&
      html`<nav class="actions" aria-label="Pages of the list">
        ${offset > 0 && html`<a href="${path}?offset=${Math.max(0, offset - limit)}${more}" rel="prev">Later</a>`}
        ${last < total && html`<a href="${path}?offset=${last}${more}" rel="next">Earlier</a>`}
      </nav>`
    }
    ${unmapped && alsoRecorded(unmapped, pathOf)}
  </section>`;
}
