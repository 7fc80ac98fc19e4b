import { withParameters } from '../../access/oauth/flow.js';
import { html, type Content, type Html } from '../../http/html/html.js';
import { inputField } from '../../http/html/form-fields.js';
import {
  alert,
  csrfField,
  doneNotice,
  narrowPage,
  type Page,
  type PageContext,
} from '../../http/html/layout.js';
import { rowsTable } from '../../http/html/rows-table.js';
import type { Fields } from '../../http/sign-in/page-request.js';
import { cellDrawn, cellText, type Cell } from './list-cells.js';
import type { Acted, Form, Section } from './section.js';

export interface SectionView {
  readonly sections: readonly Section[];
  readonly section: Section;
  readonly id: string;
  readonly rows: readonly { readonly id?: string | undefined; readonly cells: readonly Cell[] }[];
  readonly total: number;
  /** How many rows stand on the pages before this one. */
  readonly from: number;
  readonly forms: readonly { readonly form: Form; readonly fields: Content }[];
  /** Whether only a form is shown, which could not be done. */
  readonly isForm: boolean;
  readonly query: Fields;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  readonly shown?: Acted['shown'];
}

/** Draws a list of the administration with its forms, or the page of one of its rows. */
export function sectionPage(around: PageContext, view: SectionView): Page {
  const { sections, section, id, rows, total, forms, isForm, query, done, problem, shown } = view;
  const { name, title, about, columns, sparse = [], titleColumn = 0, none, isCompact = false } = section;
  const here = `${around.basePath}/admin/${name}`;
  const link = (row: SectionView['rows'][number], cell: Cell, at: number): Content => {
    const drawn = cellDrawn(cell);
    return at > 0 || row.id === undefined || id !== ''
      ? drawn
      : html`<a href="${here}?id=${encodeURIComponent(row.id)}">${drawn}</a>`;
  };
  const shownColumns = columns.filter(
    (column, at) => !sparse.includes(column) || rows.some(({ cells }) => cells[at] !== ''),
  );
  const cells = rows.map((row) =>
    row.cells
      .map((cell, at) => link(row, cell, at))
      .filter((_, at) => shownColumns.includes(columns[at] ?? '')),
  );
  const isSearch = [...query].some(([name, value]) => name !== 'done' && value !== '');
  return {
    title: `${title} – Administration`,
    wide: true,
    content: html`<nav class="views" aria-label="Administration">
        ${sections.map(
          (each) =>
            html`<a
              href="${around.basePath}/admin/${each.name}"
              ${each === section && html` aria-current="page"`}
              >${each.title}</a
            >`,
        )}
      </nav>
      <section class="sheet">
        <h1>${title}${id !== '' && `: ${cellText(rows[0]?.cells[titleColumn] ?? id)}`}</h1>
        ${problem !== undefined && alert(problem)} ${doneNotice(done)} ${shown && shownOnce(shown)}
        ${isForm || id !== '' ? html`<p><a href="${here}">Back to the list</a></p>` : html`<p class="quiet">${about}</p>`}
        ${
          !isForm &&
          html`${id === '' && html`${formLinks(forms)} ${filter(section, here, query)}`}
          ${rows.length === 0 ? html`<p>${isSearch ? 'Nothing matches.' : none}</p>` : rowsTable(title, shownColumns, cells, isCompact ? 'compact' : 'stacked')}
          ${rows.length < total && pages(view, here)}`
        }
      </section>
      ${forms.map((each) => formOf(around, here, id, each))}`,
  };
}

/** Leads to the other pages of a list, which do not move while the log grows. */
function pages({ section, rows, from, total, query }: SectionView, here: string): Html {
  const [previous, next] = section.isByTime ? ['Later', 'Earlier'] : ['Previous', 'Next'];
  const kept = [...query].filter(([name, value]) => name !== 'done' && value !== '');
  const to = (start: number): string =>
    withParameters(here, {
      ...(section.isByTime && { at: String(Date.now()) }),
      ...Object.fromEntries(kept),
      from: String(start),
    });
  const last = from + rows.length;
  return html`<p class="quiet small" role="status">${from + 1} to ${last} of ${total}</p>
    <nav class="actions" aria-label="Pages of the list">
      ${from > 0 && html`<a href="${to(from - 1)}" rel="prev">${previous}</a>`}
      ${last < total && html`<a href="${to(last)}" rel="next">${next}</a>`}
    </nav>`;
}

/** Leads to the forms below a long list. */
const formLinks = (forms: SectionView['forms']): Content =>
  forms.length > 0 &&
  html`<p class="noprint">
    ${forms.map(({ form }, at) => html`${at > 0 && ' · '}<a href="#${form.act}">${form.title}</a>`)}
  </p>`;

function filter({ filters, columns }: Section, here: string, query: Fields): Content {
  if (columns.length <= 2 && !filters) return false;
  return html`<form method="get" action="${here}" class="search">
    ${
      filters?.(query) ??
      inputField('q', 'Search', {
        type: 'search',
        required: false,
        value: query.get('q') ?? '',
        maxlength: 100,
      })
    }
    <div class="field actions">
      <button class="second">Search</button
      ><button class="second" name="format" value="csv">Download (CSV)</button>
    </div>
  </form>`;
}

/** Asks the administrator to confirm an act, with what was typed; passwords are in no form that asks. */
export function questionPage(
  around: PageContext,
  {
    here,
    back,
    form,
    fields,
    question,
  }: { here: string; back: string; form: Form; fields: Fields; question: string },
): Page {
  const kept = [...fields].filter(([name]) => name !== 'csrf' && name !== 'confirmed');
  return narrowPage(
    'Are you sure?',
    html`<p>${question}</p>
      <form method="post" action="${here}">
        ${csrfField(around)}
        ${[...kept, ['confirmed', question]].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <div class="actions">
          <button class="${form.isDanger && 'danger'}">${form.button}</button>
          <a class="button second" href="${back}">Cancel</a>
        </div>
      </form>`,
  );
}

function shownOnce({ text, values }: NonNullable<Acted['shown']>): Html {
  return html`<div class="notice good" role="status">
    <p>${text}</p>
    ${values.map(
      ([label, value]) =>
        html`<p>${label} <code class="code" tabindex="0" aria-label="${label}">${value}</code></p>`,
    )}
    ${values.length > 0 && html`<p>Copy this now: it is not shown again.</p>`}
  </div>`;
}

function formOf(
  around: PageContext,
  here: string,
  id: string,
  { form: { act, title, hint, button, isDanger = false }, fields }: SectionView['forms'][number],
): Html {
  return html`<section class="sheet" id="${act}">
    <h2>${title}</h2>
    ${hint !== undefined && html`<p class="quiet small">${hint}</p>`}
    <form method="post" action="${here}">
      ${csrfField(around)}
      <input type="hidden" name="act" value="${act}" />
      <input type="hidden" name="id" value="${id}" />
      ${fields}
      <button class="${isDanger && 'danger'}">${button}</button>
    </form>
  </section>`;
}
