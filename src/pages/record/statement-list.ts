import { readableDay } from '../../http/html/readable.js';
import type { Flag } from '../shown/flag.js';
import type { ShownStatement } from '../shown/shown-statement.js';
import { html, type Html } from '../../http/html/html.js';

/** Returns the path of a statement's page; undefined if it has none. */
export type PathOf = (iri: string) => string | undefined;

export interface ListOptions {
  readonly pathOf: PathOf;
  readonly kinds?: boolean;
  /** Whether all are of one day, named in a heading; each then takes one line. */
  readonly isDay?: boolean;
}

/** Lists statements in short, with links. */
export function statementList(statements: readonly ShownStatement[], options: ListOptions): Html {
  return html`<ul class="facts${options.isDay && ' days'}">
    ${statements.map((statement) => row(statement, options))}
  </ul>`;
}

function row(statement: ShownStatement, { pathOf, kinds = false, isDay = false }: ListOptions): Html {
  const { iri, kind, title, summary, flag, isOver } = statement;
  const path = pathOf(iri);
  const isNamed = title.toLowerCase() !== kind.toLowerCase();
  return html`<li class="${isOver && 'past'}">
    <span class="head">
      ${path === undefined ? html`<b>${title}</b>` : html`<a href="${path}">${title}</a>`}
      ${kinds && isNamed && html`<span class="kind">${kind}</span>`}
    </span>
    ${
      (summary.length > 0 || flag) &&
      html`<span class="small">${summary.join(' · ')} ${flagMark(flag)}</span>`
    }
    ${!isDay && html`<span class="quiet small">${period(statement)}</span>`}
  </li>`;
}

/** Marks what a reader must notice: a result that is not normal, a severe allergy. */
export function flagMark(flag: Flag | undefined): Html | false {
  if (!flag) return false;
  const { letters, text, isCritical } = flag;
  return html`<span class="outside${isCritical && ' critical'}"
    >${letters !== '' && html`<b>${letters}</b> `}${text}</span
  >`;
}

/** Formats the time of a statement: a day, since when, or a period. */
export function period({ date, until, model, isOver }: ShownStatement): string {
  const lasts = model.shown.until.length > 0;
  if (date === undefined) return until === undefined ? '' : `until ${readableDay(until)}`;
  if (until !== undefined) return `${readableDay(date)} to ${readableDay(until)}`;
  return lasts && !isOver ? `since ${readableDay(date)}` : readableDay(date);
}
