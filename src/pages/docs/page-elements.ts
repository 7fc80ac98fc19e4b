import type { Sample } from '../../derive/examples/sample.js';
import type { CallModel } from '../../ontology/model.js';
import { html, type Content, type Html } from '../html.js';
import { highlight } from './highlight.js';

/** What a page of the documentation is made of; `current` is its own place among the contents. */
export interface DocsPage {
  readonly title: string;
  /** One sentence for those who look for the page. */
  readonly summary: string;
  readonly content: Content;
}

const kinds: Readonly<Record<CallModel['method'], string>> = {
  GET: '',
  PUT: 'write',
  POST: 'write',
  DELETE: 'remove',
};

/** The method of a call, in its colour. */
export function methodBadge({ method }: Pick<CallModel, 'method'>): Html {
  return html`<span class="method ${kinds[method]}">${method}</span>`;
}

/** A part of a page with a heading that can be linked to. */
export function section(id: string, title: Content, ...content: readonly Content[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="Link to this part">#</a></h2>
    ${content}
  </section>`;
}

/** A row of a table: its cells, of which the first names it, and the anchor that leads to it. */
export interface Row {
  readonly id?: string;
  readonly cells: readonly Content[];
}

/**
 * A table. It scrolls inside itself where the page is narrow; on a phone its rows become blocks, so its roles are
 * written down: browsers take them from the form in which it is shown.
 */
export function table(
  label: string,
  headings: readonly string[],
  rows: readonly Row[],
  { slim = false }: { slim?: boolean } = {},
): Html {
  return html`<div class="table${slim && ' slim'}" tabindex="0" role="group" aria-label="${label}">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${headings.map((heading) => html`<th scope="col" role="columnheader">${heading}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((row) => tableRow(row, headings))}
      </tbody>
    </table>
  </div>`;
}

function tableRow({ id, cells: [name, ...cells] }: Row, headings: readonly string[]): Html {
  const anchor = id === undefined ? undefined : html`id="${id}"`;
  return html`<tr role="row" ${anchor}>
    <th scope="row" role="rowheader">${name}</th>
    ${cells.map((cell, index) => html`<td role="cell" data-label="${headings[index + 1] ?? ''}"><div>${cell}</div></td>`)}
  </tr>`;
}

/** Facts by their names. */
export function factList(facts: readonly (readonly [name: string, fact: Content])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, fact]) =>
        html`<dt>${name}</dt>
          <dd>${fact}</dd>`,
    )}
  </dl>`;
}

/** Several things with something between them. */
export function joined(items: readonly Content[], between: string): Content {
  return items.map((item, index) => (index === 0 ? item : [between, item]));
}

/** A path, which may be broken after its slashes. */
export function pathCode(path: string): Html {
  const steps = path.split('/');
  return html`<code class="long">${steps.map((step, index) => [index > 0 && html`/<wbr />`, step])}</code>`;
}

/** Text as it is sent or typed. White space counts, so nothing stands between the tags. */
export function code(text: string, language: string, label: string, wrap = false): Html {
  return html`<pre class="${wrap && 'wrap'}" tabindex="0" aria-label="${label}">
${highlight(text, language)}</pre>`;
}

const names: Readonly<Record<string, string>> = {
  'application/rdf+xml': 'RDF/XML',
  'text/turtle': 'Turtle',
  'application/n-triples': 'N-Triples',
  'application/ld+json': 'JSON-LD',
  'application/json': 'JSON',
};

/** What people call a media type. */
export function nameOfType(mediaType: string): string {
  return names[mediaType] ?? mediaType;
}

/** The same thing in several serialisations, of which one shows at a time. @param id begins the ids of its parts */
export function samples(id: string, label: string, all: readonly Sample[]): Html {
  const [only] = all;
  if (!only) return html``;
  if (all.length === 1) return panel(label, only);
  return html`<div class="tabs" role="group" aria-label="${label}">
    ${all.map(
      ({ mediaType }, index) =>
        html`<input type="radio" name="${id}" id="${id}-${index}" ${index === 0 && checked} /><label
            for="${id}-${index}"
            >${nameOfType(mediaType)}</label
          >`,
    )}
    ${all.map((sample) => html`<div class="panel">${panel(label, sample)}</div>`)}
  </div>`;
}

const checked = html`checked`;

function panel(label: string, sample: Sample): Html {
  const { mediaType, text, linesOmitted, charactersOmitted } = sample;
  return html`${code(text, mediaType, `${label}, ${nameOfType(mediaType)}`)}
  ${
    (linesOmitted > 0 || charactersOmitted > 0) &&
    html`<p class="cut">
      Shortened:
      ${linesOmitted > 0 && `${linesOmitted} more lines follow`}${linesOmitted > 0 && charactersOmitted > 0 && ', '}${charactersOmitted > 0 && `${charactersOmitted} characters of long lines are left out`}.
    </p>`
  }`;
}
