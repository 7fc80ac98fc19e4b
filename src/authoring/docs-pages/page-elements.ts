import type { Sample } from '../examples/sample.js';
import type { CallModel } from '../../model/ontology/model.js';
import { html, type Content, type Html } from '../../http/html/html.js';

export interface DocsPage {
  readonly title: string;
  /** One sentence for search results. */
  readonly summary: string;
  readonly content: Content;
}

const kinds: Readonly<Record<CallModel['method'], string>> = {
  GET: '',
  PUT: 'write',
  POST: 'write',
  DELETE: 'remove',
};

export function methodBadge({ method }: Pick<CallModel, 'method'>): Html {
  return html`<span class="method ${kinds[method]}">${method}</span>`;
}

/** A section whose heading can be linked to. */
export function section(id: string, title: Content, ...content: readonly Content[]): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="Link to this part">#</a></h2>
    ${content}
  </section>`;
}

/**
 * A table that scrolls if the page is narrow. On a phone, rows become blocks, which would change the roles that
 * browsers derive, so the roles are explicit. @param rows the first cell of each is its header @param ids anchors of
 * the rows, if any
 */
export function table(
  label: string,
  headings: readonly string[],
  rows: readonly (readonly Content[])[],
  { slim = false, ids = [] }: { readonly slim?: boolean; readonly ids?: readonly string[] } = {},
): Html {
  return html`<div class="table${slim && ' slim'}" tabindex="0" role="group" aria-label="${label}">
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${headings.map((heading) => html`<th scope="col" role="columnheader">${heading}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((cells, index) => tableRow(cells, headings, ids[index]))}
      </tbody>
    </table>
  </div>`;
}

function tableRow([name, ...cells]: readonly Content[], headings: readonly string[], id?: string): Html {
  return html`<tr role="row" ${id !== undefined && html`id="${id}"`}>
    <th scope="row" role="rowheader">${name}</th>
    ${cells.map((cell, index) => html`<td role="cell" data-label="${headings[index + 1] ?? ''}"><div>${cell}</div></td>`)}
  </tr>`;
}

export function factList(facts: readonly (readonly [name: string, fact: Content])[]): Html {
  return html`<dl class="facts">
    ${facts.map(
      ([name, fact]) =>
        html`<dt>${name}</dt>
          <dd>${fact}</dd>`,
    )}
  </dl>`;
}

/** Joins items with a separator. */
export function joined(items: readonly Content[], between: string): Content {
  return items.map((item, index) => (index === 0 ? item : [between, item]));
}

/** Shows a path that may wrap after its slashes. */
export function pathCode(path: string): Html {
  const steps = path.split('/');
  return html`<code class="long">${steps.map((step, index) => [index > 0 && html`/<wbr />`, step])}</code>`;
}

/** Shows preformatted text. White space counts, so there is none between the tags. */
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

/** Returns the common name of a media type. */
export function nameOfType(mediaType: string): string {
  return names[mediaType] ?? mediaType;
}

/** Shows one of several serialisations at a time. @param id prefix of the ids of its parts */
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

/** Patterns to highlight in a language: tags and names (t), strings (s), comments (c). */
type Marks = readonly (readonly [kind: 't' | 's' | 'c', pattern: string])[];

const string = String.raw`"(?:[^"\\\n]|\\.)*"`;

const languages: Readonly<Record<string, Marks>> = {
  'application/rdf+xml': [
    ['c', String.raw`<\?[^>]*\?>`],
    ['s', string],
    ['t', String.raw`<\/?[A-Za-z][\w:.-]*|\/?>`],
  ],
  'text/turtle': [
    ['s', string],
    ['c', String.raw`<[^<>\s]*>`],
    ['t', String.raw`@prefix|\b[A-Za-z][\w-]*:[A-Za-z][\w.-]*\b`],
  ],
  'application/json': [
    ['t', string + String.raw`(?=\s*:)`],
    ['s', string],
  ],
  shell: [
    ['c', '#[^\n]*'],
    ['s', String.raw`'[^'\n]*'|` + string],
    ['t', String.raw`\b(?:curl|npx|chartgraph)\b`],
  ],
};

const alike: Readonly<Record<string, string>> = {
  'application/ld+json': 'application/json',
  'application/problem+json': 'application/json',
};

/** Highlights text of a known language. */
export function highlight(text: string, language: string): Content {
  const marks = languages[alike[language] ?? language];
  if (!marks) return text;
  const pattern = new RegExp(
    marks.map(([kind, source], index) => `(?<${kind}${index}>${source})`).join('|'),
    'g',
  );
  const pieces: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [kind = 'c0'] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    pieces.push(text.slice(end, match.index), html`<span class="${kind.charAt(0)}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)];
}
