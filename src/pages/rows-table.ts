import { html, type Html } from './html.js';

/** Rows of cells, moved sideways where they are too wide. @param name what assistive technology calls it */
export function rowsTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
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
