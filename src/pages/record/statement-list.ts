import { readableDay } from '../../records/shown/readable.js';
import type { ShownStatement } from '../../records/shown/shown-statement.js';
import { html, type Html } from '../html.js';

/** Where the page of a statement is; undefined where there is none. */
export type PathOf = (iri: string) => string | undefined;

/** How a list shows its statements. */
export interface ListOptions {
  readonly pathOf: PathOf;
  /** Whether each says of what kind it is. */
  readonly kinds?: boolean;
  /** Whether all are of one day, which a heading says: a line for each. */
  readonly isDay?: boolean;
}

/** Statements in short, each with the way to all of it. */
export function statementList(statements: readonly ShownStatement[], options: ListOptions): Html {
  return html`<ul class="facts${options.isDay && ' days'}">
    ${statements.map((statement) => row(statement, options))}
  </ul>`;
}

function row(statement: ShownStatement, { pathOf, kinds = false, isDay = false }: ListOptions): Html {
  const { iri, kind, title, summary, isOutside, finding } = statement;
  const path = pathOf(iri);
  const isNamed = title.toLowerCase() !== kind.toLowerCase();
  return html`<li>
    <span class="head">
      ${path === undefined ? html`<b>${title}</b>` : html`<a href="${path}">${title}</a>`}
      ${kinds && isNamed && html`<span class="kind">${kind}</span>`}
    </span>
    ${
      (summary.length > 0 || isOutside) &&
      html`<span class="small"
        >${summary.join(' · ')}${isOutside && html` <span class="outside">${finding ?? 'outside of normal'}</span>`}</span
      >`
    }
    ${!isDay && html`<span class="quiet small">${period(statement)}</span>`}
  </li>`;
}

/** When it was: a day, since when, or from when until when. */
export function period({ date, until, model, isOver }: ShownStatement): string {
  const lasts = model.shown.until.length > 0;
  if (date === undefined) return until === undefined ? '' : `until ${readableDay(until)}`;
  if (until !== undefined) return `${readableDay(date)} to ${readableDay(until)}`;
  return lasts && !isOver ? `since ${readableDay(date)}` : readableDay(date);
}
