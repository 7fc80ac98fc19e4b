import { html, type Content, type Html } from '../../http/html/html.js';

/** A cell of a list: a text, or one with a look of its own. Searches and tables to download have the text alone. */
export type Cell = string | { readonly text: string; readonly drawn: Html };

export const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);

export const cellDrawn = (cell: Cell): Content => (typeof cell === 'string' ? cell : cell.drawn);

/** Makes a cell that must not be missed. @param rest what follows and is plain */
export const strong = (text: string, rest = ''): Cell => ({
  text: text + rest,
  drawn: html`<strong>${text}</strong>${rest}`,
});

/** Makes a cell that says what is wrong. */
export const problem = (text: string): Cell => ({
  text,
  drawn: html`<div class="notice bad"><p>${text}</p></div>`,
});

/** Makes a cell of ids, which few look for. @param isOpen whether they are seen at once */
export const ids = (all: readonly (readonly [name: string, id: string])[], isOpen: boolean): Cell => ({
  text: all.map(([, id]) => id).join(' '),
  drawn: html`<details class="small" ${isOpen && html` open`}>
    <summary>Show</summary>
    ${all.map(([name, id]) => html`<div>${name} <code>${id}</code></div>`)}
  </details>`,
});
