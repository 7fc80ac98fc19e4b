import { html, type Content } from './html.js';
import type { Page } from './layout.js';
import { rowsTable } from './rows-table.js';

/** A part of the ontology that an answer comes from. */
export interface ExplainedTerm {
  /** What it is to the call: the call itself, its target, a filter. */
  readonly as: string;
  readonly name: string;
  readonly label: string;
  /** What it says for this answer, such as the pattern of a filter. */
  readonly says: string;
  /** File and line, where they are known. */
  readonly place: string | undefined;
}

/** How a call comes to its answer. */
export interface Explanation {
  readonly name: string;
  readonly path: string;
  /** The texts of its queries with their values, as the store gets them, by what they are for. */
  readonly queries: readonly (readonly [title: string, sparql: string])[];
  /** Whether they ask for whole graphs, which go out as they are stored. */
  readonly isStored: boolean;
  /** The file of the query. */
  readonly file: string;
  readonly terms: readonly ExplainedTerm[];
  /** What came of running them; undefined where they were not run for whoever asks. */
  readonly ran:
    { readonly triples: number; readonly total: number | undefined; readonly ms: number } | undefined;
}

/** The page that explains an answer. */
export function explanationPage({ name, path, queries, isStored, file, terms, ran }: Explanation): Page {
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
          From ${file}, with the values of this request in it.
          ${isStored && 'It asks for whole graphs: these go out as they are stored, mostly without running it.'}
        </p>
        ${queries.map(
          ([title, sparql]) =>
            html`<h3>${title}</h3>
              <pre tabindex="0" aria-label="${title}">${withoutBlankStart(sparql)}</pre>`,
        )}
      </section>`,
  };
}

/** Comments that were cut out leave the lines empty on which they stood. */
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
