import { html, type Content, type Html } from './html.js';

/** Makes a table that scrolls sideways. @param name for assistive technology @param kind classes, or ''; of those that are stacked, cells tell their columns on a phone */
export function rowsTable(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Content[])[],
  kind = '',
): Html {
  // Numbers stand below each other; what is in the first column is a name.
  const areNumbers = columns.map(
    (_, at) => at > 0 && rows.some((row) => row[at] !== '') && rows.every((row) => isNumber(row[at])),
  );
  const look = (at: number): Html | false => areNumbers[at] === true && html` class="number"`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">
    <table class="${kind}">
      <thead>
        <tr>
          ${columns.map((column, at) => html`<th scope="col" ${look(at)}>${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, at) => html`<td${look(at)}${kind.startsWith('stacked') && html` data-column="${columns[at] ?? ''}"`}>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

const isNumber = (cell: Content): boolean =>
  typeof cell === 'string' && /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)?$/iu.test(cell);

export interface LinkRow {
  readonly href: string;
  readonly title: string;
  readonly description: string;
}

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

export interface StartableApp {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** Lists apps as links to the pages that launch them. */
export function appRows(basePath: string, apps: readonly StartableApp[]): Html {
  return linkRows(
    apps.map(({ id, name, description }) => ({
      href: `${basePath}/apps/${encodeURIComponent(id)}/launch`,
      title: name,
      description,
    })),
  );
}
