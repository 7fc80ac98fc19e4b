import { analysisChart, chartKey, type ChartData } from './analysis-chart.js';
import { html, type Html } from '../../http/html/html.js';
import { alert, type Page } from '../../http/html/layout.js';
import { parameterFields, type ParameterField } from '../../http/html/form-fields.js';
import { linkRows, rowsTable, type LinkRow } from '../../http/html/rows-table.js';

export interface AnsweredAnalysis {
  readonly title: string;
  readonly description: string;
  readonly all: string;
  readonly here: string;
  readonly level: string;
  readonly revision: number | undefined;
  readonly fields: readonly ParameterField[];
  readonly refusal: string | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly hasMore: boolean;
  readonly chart: ChartData | undefined;
  /** The address that opens it in the workbench; undefined if a value is missing. */
  readonly workbench: string | undefined;
  readonly downloads: readonly (readonly [name: string, href: string])[];
}

export function analysesPage(analyses: readonly LinkRow[]): Page {
  return {
    title: 'Analyses',
    content: html`<section class="sheet">
      <h1>Analyses</h1>
      <p class="quiet">Questions over all records that this container knows how to answer.</p>
      ${linkRows(analyses)}
    </section>`,
  };
}

/** The page of one analysis: its parameters, chart and table. */
export function analysisPage(answered: AnsweredAnalysis): Page {
  const { title, description, all, level, revision, chart, refusal, workbench } = answered;
  return {
    title,
    wide: true,
    content: html`<section class="sheet">
        <p class="small"><a href="${all}">All analyses</a></p>
        <h1>${title}</h1>
        <p>${description}</p>
        ${refusal !== undefined && alert(refusal)} ${form(answered)}
        <p class="quiet small">
          Level: ${level}${revision !== undefined && html`, revision ${revision}`}.
          ${workbench !== undefined && html`<a href="${workbench}">Open the query in the workbench</a>`}
        </p>
      </section>
      ${
        chart &&
        html`<section class="sheet">
          <h2>Chart</h2>
          ${analysisChart(chart)} ${chartKey(chart)}
          ${(chart.left ?? 0) > 0 && html`<p class="small">These are the first ${chart.points.length}; the table has ${chart.left} more.</p>`}
        </section>`
      }
      ${refusal === undefined && table(answered)}`,
  };
}

function form({ here, fields }: AnsweredAnalysis): Html | false {
  if (fields.length === 0) return false;
  return html`<form method="get" action="${here}" class="search">
    ${parameterFields(fields)}
    <div class="field"><button>Ask</button></div>
  </form>`;
}

function table({ columns, rows, hasMore, downloads }: AnsweredAnalysis): Html {
  const links = downloads.map(([name, href]) => html`<a href="${href}">${name}</a> `);
  const shown = rows.map((row) => row.map(withoutNamespace));
  const hasIris = rows.some((row, at) => row.some((cell, column) => cell !== shown[at]?.[column]));
  return html`<section class="sheet">
    <h2>Table</h2>
    ${rows.length === 0 ? html`<p>Nothing was found.</p>` : rowsTable('Table', columns, shown)}
    ${hasIris && html`<p class="quiet small">Only the last part of each IRI is shown; the files have all of it.</p>`}
    ${hasMore && html`<p>These are the first ${rows.length} rows; the files have all.</p>`}
    <p class="small noprint">As a file: ${links}</p>
  </section>`;
}

/** Returns the last part of an IRI, which is a code, a class or a record to people; other text as it is. */
export function withoutNamespace(text: string): string {
  return /^(?:https?|urn):\S*[/#:]([^\s/#:]+)$/u.exec(text)?.[1] ?? text;
}
