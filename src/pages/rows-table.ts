import { html, type Content, type Html } from './html.js';

/** Rows of cells, moved sideways where they are too wide. @param name what assistive technology calls it */
export function rowsTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Content[])[],
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A row of a list that leads somewhere. */
export interface LinkRow {
  readonly href: string;
  readonly title: string;
  readonly description: string;
}

/** Links with what is behind them. */
export function linkRows(rows: readonly LinkRow[]): Html {
  return html`<ul class="rows">
    ${rows.map(
      ({ href, title, description }) =>
        html`<li>
          <a class="row" href="${href}"
            ><strong>${title}</strong><span class="quiet small">${description}</span></a
          >
        </li>`,
    )}
  </ul>`;
}
