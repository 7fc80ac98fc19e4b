import type { ShownProperty, ShownStatement, ShownValue } from '../shown/shown-statement.js';
import { html, type Html } from '../../http/html/html.js';
import type { Page, PageContext } from '../../http/html/layout.js';
import { recordPage, type RecordFrame } from './frame.js';
import { alsoRecorded, noneOf, type ShownKind } from './overview-of-record.js';
import { period, statementList, type PathOf } from './statement-list.js';

export interface ShownFile {
  readonly path: string;
  readonly name: string;
  readonly isImage: boolean;
}

export interface StatementDetail {
  readonly frame: RecordFrame;
  readonly statement: ShownStatement;
  readonly kindPath?: string | undefined;
  readonly kindName: string;
  readonly properties: readonly ShownProperty[];
  readonly related: readonly ShownStatement[];
  readonly file?: ShownFile | undefined;
  readonly source: string;
  readonly pathOf: PathOf;
}

const MAX_RELATED = 200;

export function statementPage(around: PageContext, detail: StatementDetail): Page {
  const { frame, statement, kindPath, kindName, properties, related, file, source, pathOf } = detail;
  const content = html`<section class="sheet">
      ${kindPath !== undefined && html`<p class="small"><a href="${kindPath}">${kindName}</a></p>`}
      <h1>${statement.title}</h1>
      <p class="quiet">${[statement.kind, period(statement)].filter((part) => part !== '').join(' · ')}</p>
      ${file && shownFile(file)} ${propertyList(properties, pathOf)}
    </section>
    ${
      related.length > 0 &&
      html`<section class="sheet" aria-labelledby="related">
        <h2 id="related">What belongs to it</h2>
        ${statementList(related.slice(0, MAX_RELATED), { pathOf, kinds: true })}
        ${related.length > MAX_RELATED && html`<p class="quiet small">And ${related.length - MAX_RELATED} more.</p>`}
      </section>`
    }
    <section class="sheet noprint">
      <details>
        <summary>The same as data</summary>
        <p class="quiet small">
          What apps get, in RDF (Turtle). Its address for apps is <code>${statement.iri}</code>.
        </p>
        <pre tabindex="0" aria-label="Turtle"><code>${source}</code></pre>
      </details>
    </section>`;
  return recordPage(around, frame, { tab: 'other', title: statement.title, content });
}

function shownFile({ path, name, isImage }: ShownFile): Html {
  return html`<div class="file">
    ${isImage && html`<a href="${path}"><img src="${path}" alt="${name}" /></a>`}
    <p>
      <a class="button" href="${path}">${isImage ? 'Open the picture' : 'Open the file'}</a>
      <span class="quiet small">${name}</span>
    </p>
  </div>`;
}

function propertyList(properties: readonly ShownProperty[], pathOf: PathOf): Html {
  return html`<dl>
    ${properties.map(
      ({ label, values }) =>
        html`<div>
          <dt>${label}</dt>
          ${values.map((value) => html`<dd>${shownValue(value, pathOf)}</dd>`)}
        </div>`,
    )}
  </dl>`;
}

/** Longer texts are cut here, but not in the file and the data. */
const MAX_SHOWN_LENGTH = 20_000;

function shownValue({ text, note, link, parts }: ShownValue, pathOf: PathOf): Html {
  const path = link === undefined ? undefined : pathOf(link);
  const shown = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
  const words = shown.includes('\n') || shown.length > 200 ? html`<div class="text">${shown}</div>` : shown;
  return html`${path === undefined ? words : html`<a href="${path}">${words}</a>`}
  ${note !== undefined && html` <span class="quiet small">${note}</span>`}
  ${parts && propertyList(parts, pathOf)}`;
}

interface KindList {
  readonly name: string;
  readonly comment: string;
  readonly path: string;
  readonly statements: readonly ShownStatement[];
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  readonly unmapped?: ShownKind | undefined;
  readonly pathOf: PathOf;
}

/** The list of all statements of one kind. */
export function kindList(list: KindList): Html {
  const { name, comment, path, statements, offset, limit, total, unmapped, pathOf } = list;
  const last = offset + statements.length;
  return html`<section class="sheet">
    <h1>${name}</h1>
    <p class="quiet">${comment}</p>
    <p class="quiet small" role="status">
      ${total === 0 ? noneOf(list) : `${offset + 1} to ${last} of ${total}`}
    </p>
    ${statements.length > 0 && statementList(statements, { pathOf })}
    ${
      total > statements.length &&
      html`<nav class="actions" aria-label="Pages of the list">
        ${offset > 0 && html`<a href="${path}?offset=${Math.max(0, offset - limit)}" rel="prev">Later ones</a>`}
        ${last < total && html`<a href="${path}?offset=${last}" rel="next">Earlier ones</a>`}
      </nav>`
    }
    ${unmapped && alsoRecorded(unmapped, pathOf)}
  </section>`;
}
