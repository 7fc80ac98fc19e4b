import { html, type Html } from '../../http/html/html.js';
import { alert, csrfField, type Page, type PageContext } from '../../http/html/layout.js';
import { parameterFields, type ParameterField } from '../../http/html/form-fields.js';
import { rowsTable } from '../../http/html/rows-table.js';
import { workbenchSheet } from './workbench-style.js';

/** An answer for browsers without scripts. */
export type ShownAnswer = {
  /** The number of all rows or triples, which may exceed those shown. */
  readonly rows: number;
  readonly isCut: boolean;
  readonly revision: number;
  readonly notes: readonly string[];
} & (
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly shown: readonly (readonly string[])[];
    }
  | { readonly kind: 'text'; readonly text: string }
);

/** The data of the workbench page; addresses are paths of this container. */
export interface Workbench {
  readonly query: string;
  readonly purpose: string;
  readonly parameters: readonly ParameterField[];
  readonly answer?: ShownAnswer;
  readonly refusal?: string;
  /** The content security policy allows the editor's styles with this nonce. */
  readonly nonce: string;
  readonly reader: string;
  readonly script: string;
  readonly vocabulary: string;
  readonly counts: string;
  readonly sparql: string;
  readonly queries: string;
}

export const PARAMETER = 'parameter-';

const FIRST = `# How many records have each problem
SELECT ?problem (COUNT(DISTINCT ?record) AS ?records) WHERE {
  ?s a sp:Problem ; sp:belongsTo ?record ;
     sp:problemName/dcterms:title ?problem .
}
GROUP BY ?problem ORDER BY DESC(?records)
LIMIT 20`;

/** The page on which analysts write queries: a form that its script (src/analysts/browser) turns into an editor. */
export function workbenchPage(around: PageContext, workbench: Workbench): Page {
  const { script, nonce, reader, vocabulary, counts, sparql, queries, answer, refusal } = workbench;
  const data = Object.entries({ nonce, reader, vocabulary, counts, sparql, queries });
  return {
    title: 'Workbench',
    wide: true,
    head: html`${workbenchSheet}
      <script src="${script}" defer></script>`,
    content: html`<div
      class="workbench"
      id="workbench"
      ${data.map(([name, value]) => html` data-${name}="${value}"`)}
    >
      ${title(around)}
      <div class="panes">
        <aside class="pane schema" id="schema" aria-labelledby="schema-title" hidden>
          <h2 id="schema-title"><button type="button" class="plain" id="schema-toggle">Schema</button></h2>
          <div id="schema-list"></div>
        </aside>
        <div class="work">
          ${form(around, workbench)}
          <section class="pane" id="results" aria-labelledby="results-title" tabindex="-1">
            <h2 id="results-title">Results</h2>
            <p class="status" id="status" role="status">${answer && summary(answer)}</p>
            <div id="notes">${refusal !== undefined && alert(refusal)} ${answer && notes(answer)}</div>
            <div id="shown">
              ${answer ? shown(answer) : html`<p class="quiet">Run a query to see its answer.</p>`}
            </div>
          </section>
        </div>
      </div>
    </div>`,
  };
}

function title({ basePath }: PageContext): Html {
  return html`<div class="title">
    <h1>Workbench</h1>
    <p class="level"><strong>De-identified level</strong></p>
    <p class="quiet small">
      No names, addresses, notes or numbers of records; dates are shifted. Every query is in the access log.
      <a href="${basePath}/analyses/">Analyses</a> · <a href="${basePath}/docs/classes">Classes</a>
    </p>
  </div>`;
}

function form(around: PageContext, { query, purpose, parameters }: Workbench): Html {
  return html`<form class="pane ask" id="ask" method="post" action="${around.basePath}/workbench">
    ${csrfField(around)}
    <label for="query" id="query-label">Query (SPARQL)</label>
    <textarea
      id="query"
      name="query"
      rows="12"
      spellcheck="false"
      autocapitalize="off"
      autocomplete="off"
      aria-describedby="keys"
    >
${query || FIRST}</textarea>
    <div id="editor"></div>
    <fieldset class="parameters" id="parameters" ${parameters.length === 0 && html`hidden`}>
      <legend>Parameters</legend>
      <div class="search" id="parameters-list">${parameterFields(parameters, PARAMETER)}</div>
    </fieldset>
    <p class="quiet small" id="keys" hidden>Ctrl+Enter runs, Ctrl+Space completes, Escape cancels.</p>
    <div class="toolbar">
      <button id="run">Run</button>
      <button type="button" class="second" id="cancel" hidden>Cancel</button>
      <div class="purpose">
        <label for="purpose">Purpose</label>
        <input
          type="text"
          id="purpose"
          name="purpose"
          value="${purpose}"
          maxlength="500"
          placeholder="stands in the access log"
        />
      </div>
    </div>
    <div class="drawers" id="drawers" hidden>
      <details id="queries">
        <summary>Queries</summary>
        <div class="drawer" id="queries-list"></div>
      </details>
      <details id="programs">
        <summary>Copy as</summary>
        <div class="drawer" id="programs-list"></div>
      </details>
    </div>
  </form>`;
}

const summary = ({ kind, rows, revision }: ShownAnswer): string =>
  `${kind === 'table' ? `${rows} ${rows === 1 ? 'row' : 'rows'}, ` : ''}revision ${revision}`;

function notes(answer: ShownAnswer): Html | false {
  const cut = answer.isCut && `The answer is cut after ${answer.rows}; add LIMIT and OFFSET, or filter.`;
  const part =
    answer.kind === 'table' &&
    answer.shown.length < answer.rows &&
    `These are the first ${answer.shown.length} rows.`;
  const said = [cut, part, ...answer.notes].filter((note) => note !== false);
  if (said.length === 0) return false;
  return html`<div class="notice">${said.map((note) => html`<p>${note}</p>`)}</div>`;
}

function shown(answer: ShownAnswer): Html {
  if (answer.kind === 'table') return rowsTable('Rows', answer.columns, answer.shown);
  return html`<pre tabindex="0">${answer.text}</pre>`;
}
