import type { ShownStatement } from '../../records/shown/statement-reader.js';
import { html } from '../html.js';
import type { Page, PageContext } from '../layout.js';
import { recordPage, type RecordFrame } from './frame.js';
import { statementList, type PathOf } from './statement-list.js';

/** All statements of one kind, a page of them. */
export interface KindList {
  readonly frame: RecordFrame;
  readonly name: string;
  readonly comment: string;
  readonly path: string;
  readonly statements: readonly ShownStatement[];
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly pathOf: PathOf;
}

/** The page of all statements of one kind. */
export function kindPage(around: PageContext, list: KindList): Page {
  const { frame, name, comment, path, statements, offset, limit, total, pathOf } = list;
  const last = offset + statements.length;
  const content = html`<section class="sheet">
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
  return recordPage(around, frame, { tab: 'other', title: name, content });
}
