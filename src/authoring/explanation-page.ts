import { html, type Content } from '../http/html/html.js';
import type { Page } from '../http/html/layout.js';
import { rowsTable } from '../http/html/rows-table.js';

/** A part of the ontology that determines an answer. */
export interface ExplainedTerm {
  /** Its role: the call itself, its target, a filter. */
  readonly as: string;
  readonly name: string;
  readonly label: string;
  /** Its effect on this answer, such as the pattern of a filter. */
  readonly says: string;
  /** File and line, if known. */
  readonly place: string | undefined;
}

export interface Explanation {
  readonly name: string;
  readonly path: string;
  /** Titles and texts of its queries with their values, as sent to the store. */
  readonly queries: readonly (readonly [title: string, sparql: string])[];
  /** How its answer is read, in one line. */
  readonly plan: string;
  readonly file: string;
  readonly terms: readonly ExplainedTerm[];
  /** The result of running them; undefined if the reader may not. */
  readonly ran:
    { readonly triples: number; readonly total: number | undefined; readonly ms: number } | undefined;
}

export function explanationPage({ name, path, queries, plan, file, terms, ran }: Explanation): Page {
  return {
    title: `How ${name} is answered`,
    wide: true,
    content: html`<section class="sheet">
        <h1>How ${name} is answered</h1>
        <p><code>GET ${path}</code></p>
        <p>
          ${ran ? result(ran) : 'The queries were not run: you open no records, and this answer may tell of people.'}
        </p>
      </section>
      <section class="sheet">
        <h2>From the ontology</h2>
        ${rowsTable('Terms', ['As', 'Term', 'Says', 'Where'], terms.map(cellsOf))}
      </section>
      <section class="sheet">
        <h2>As SPARQL</h2>
        <p class="quiet small">
          From ${file}, with the values of this request in it. It is read as: <code>${plan}</code>. Whole
          graphs go out as they are stored, mostly without a query.
        </p>
        ${queries.map(
          ([title, sparql]) =>
            html`<h3>${title}</h3>
              <pre tabindex="0" aria-label="${title}">${withoutBlankStart(sparql)}</pre>`,
        )}
      </section>`,
  };
}

/** Removed comments leave empty lines behind. */
const withoutBlankStart = (sparql: string): string => sparql.replace(/^(?:[ \t]*\r?\n)+/u, '');

const result = ({ triples, total, ms }: NonNullable<Explanation['ran']>): string =>
  `${several(triples, 'triple')}${total === undefined ? '' : ` about ${several(total, 'thing')} on all pages`}, in ${ms.toFixed(1)} ms.`;

const several = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const cellsOf = ({ as, name, label, says, place }: ExplainedTerm): Content[] => [
  as,
  [name, label !== '' && html`<br /><span class="quiet small">${label}</span>`],
  says !== '' && html`<code>${says}</code>`,
  place,
];
