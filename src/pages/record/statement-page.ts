import type { ShownProperty, ShownStatement, ShownValue } from '../../records/shown/shown-statement.js';
import { html, type Html } from '../html.js';
import type { Page, PageContext } from '../layout.js';
import { recordPage, type RecordFrame } from './frame.js';
import { period, statementList, type PathOf } from './statement-list.js';

/** A file that belongs to a statement. */
export interface ShownFile {
  readonly path: string;
  readonly name: string;
  readonly isImage: boolean;
}

/** All of one statement. */
export interface StatementDetail {
  readonly frame: RecordFrame;
  readonly statement: ShownStatement;
  /** The path of all of its kind, where there are several. */
  readonly kindPath?: string | undefined;
  readonly kindName: string;
  readonly properties: readonly ShownProperty[];
  /** Statements that came with it. */
  readonly related: readonly ShownStatement[];
  readonly file?: ShownFile | undefined;
  /** The same in Turtle. */
  readonly source: string;
  readonly pathOf: PathOf;
}

/** How many statements that came with it are listed. */
const MOST_RELATED = 200;

/** The page of a statement. */
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
        ${statementList(related.slice(0, MOST_RELATED), { pathOf, kinds: true })}
        ${related.length > MOST_RELATED && html`<p class="quiet small">And ${related.length - MOST_RELATED} more.</p>`}
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

/** So many characters of a text are shown; the file or the data has all of it. */
const LONGEST = 20_000;

function shownValue({ text, note, link, parts }: ShownValue, pathOf: PathOf): Html {
  const path = link === undefined ? undefined : pathOf(link);
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const words = shown.includes('\n') || shown.length > 200 ? html`<div class="text">${shown}</div>` : shown;
  return html`${path === undefined ? words : html`<a href="${path}">${words}</a>`}
  ${note !== undefined && html` <span class="quiet small">${note}</span>`}
  ${parts && propertyList(parts, pathOf)}`;
}
