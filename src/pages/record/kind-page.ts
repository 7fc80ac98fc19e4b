import type { ShownStatement } from '../../records/shown/shown-statement.js';
import { html, type Html } from '../html.js';
import { statementList, type PathOf } from './statement-list.js';

/** All statements of one kind, a page of them. */
export interface KindList {
  readonly name: string;
  readonly comment: string;
  readonly path: string;
  readonly statements: readonly ShownStatement[];
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly pathOf: PathOf;
}

/** What the page of all statements of one kind shows. */
export function kindList(list: KindList): Html {
  const { name, comment, path, statements, offset, limit, total, pathOf } = list;
  const last = offset + statements.length;
  return html`<section class="sheet">
    <h1>${name}</h1>
    <p class="quiet">${comment}</p>
    <p class="quiet small" role="status">
      ${total === 0 ? 'None recorded.' : `${offset + 1} to ${last} of ${total}`}
    </p>
    ${statements.length > 0 && statementList(statements, { pathOf })}
    ${
      total > statements.length &&
      html`<nav class="actions" aria-label="Pages of the list">
        ${offset > 0 && html`<a href="${path}?offset=${Math.max(0, offset - limit)}" rel="prev">Later ones</a>`}
        ${last < total && html`<a href="${path}?offset=${last}" rel="next">Earlier ones</a>`}
      </nav>`
    }
  </section>`;
}
