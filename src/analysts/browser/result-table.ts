import { arranged, kindOf, type Arrangement, type Row, type Term } from './cells.js';
import { button, element } from './dom.js';

/** Height of every row in pixels, so that the visible rows can be computed. */
const ROW_HEIGHT = 34;
const MARGIN_ROWS = 12;
const MEASURED_ROWS = 300;

/**
 * Makes a table to sort and filter. Only visible rows are in the document; assistive technology is told the total.
 * @param browse shows the links of a node
 */
export function resultTable(
  columns: readonly string[],
  rows: readonly Row[],
  write: (term: Term | undefined) => string,
  browse: (iri: string) => void,
): HTMLElement {
  let arrangement: Arrangement = { filter: '', sort: undefined };
  let order = [...rows.keys()];
  const body = element('tbody');
  const above = spacer();
  const below = spacer();
  const table = element('table', { 'aria-label': 'Rows', 'aria-colcount': String(columns.length) });
  const numbers = new Set(columns.filter((column) => kindOf(rows, column) === 'number'));
  const heads = columns.map((column) => head(column));
  table.append(widths(columns, rows, write), element('thead', {}, element('tr', {}, ...heads)));
  table.append(above.part, body, below.part);
  const pane = element(
    'div',
    { class: 'rows-pane', tabindex: '0', role: 'region', 'aria-label': 'Rows' },
    table,
  );
  const count = element('p', { class: 'quiet small', 'aria-live': 'polite' });
  const cell = element('p', { class: 'whole-cell small', hidden: true });
  const filter = element('input', {
    type: 'search',
    'aria-label': 'Filter rows',
    placeholder: 'Filter rows',
  });
  let first = -1;
  let last = -1;

  function head(column: string): HTMLTableCellElement {
    const sort = button(column, () => sortBy(column), { class: 'sorter' });
    return element('th', { scope: 'col', class: numbers.has(column) ? 'number' : '' }, sort);
  }

  function sortBy(column: string): void {
    const { sort } = arrangement;
    const isSame = sort?.column === column;
    const next = isSame && sort.descending ? undefined : { column, descending: isSame };
    arrangement = { ...arrangement, sort: next };
    for (const [at, each] of columns.entries()) {
      const direction = next?.column !== each ? undefined : next.descending ? 'descending' : 'ascending';
      if (direction) heads[at]?.setAttribute('aria-sort', direction);
      else heads[at]?.removeAttribute('aria-sort');
    }
    arrange();
  }

  function arrange(): void {
    order = arranged(rows, columns, write, arrangement);
    count.textContent = order.length === rows.length ? '' : `${order.length} of ${rows.length} rows`;
    table.setAttribute('aria-rowcount', String(order.length + 1));
    pane.scrollTop = 0;
    [first, last] = [-1, -1];
    show();
  }

  function show(): void {
    const from = Math.max(0, Math.floor(pane.scrollTop / ROW_HEIGHT) - MARGIN_ROWS);
    const to = Math.min(
      order.length,
      Math.ceil((pane.scrollTop + pane.clientHeight) / ROW_HEIGHT) + MARGIN_ROWS,
    );
    if (from === first && to === last) return;
    [first, last] = [from, to];
    above.grow(from);
    below.grow(order.length - to);
    body.replaceChildren(...order.slice(from, to).map((at, index) => row(at, from + index)));
  }

  function row(at: number, place: number): HTMLTableRowElement {
    const made = element('tr', { 'aria-rowindex': String(place + 2) });
    for (const column of columns) {
      const term = rows[at]?.[column];
      const text = write(term);
      const td = element('td', { class: numbers.has(column) ? 'number' : '' }, text);
      td.addEventListener('click', () => {
        cell.hidden = false;
        cell.replaceChildren(element('strong', {}, column), ` ${term ? whole(term) : 'has no value'} `);
        if (term?.type === 'uri') cell.append(button('Show its links', () => browse(term.value)));
      });
      made.append(td);
    }
    return made;
  }

  filter.addEventListener('input', () => {
    arrangement = { ...arrangement, filter: filter.value };
    arrange();
  });
  pane.addEventListener('scroll', show, { passive: true });
  new ResizeObserver(show).observe(pane);
  arrange();
  return element('div', {}, element('div', { class: 'toolbar' }, filter, count), pane, cell);
}

/** Returns the whole term, including what its cell omits. */
function whole(term: Term): string {
  const language = term['xml:lang'] === undefined ? '' : ` @${term['xml:lang']}`;
  const datatype = term.datatype === undefined ? '' : ` (${term.datatype.replace(/.*#/u, '')})`;
  return term.value + language + datatype;
}

function spacer(): { part: HTMLElement; grow(rows: number): void } {
  const room = element('td');
  const part = element('tbody', { 'aria-hidden': 'true', class: 'spacer' }, element('tr', {}, room));
  return {
    part,
    grow: (rows) => {
      part.hidden = rows === 0;
      room.style.height = `${rows * ROW_HEIGHT}px`;
    },
  };
}

/** Fixes the column widths by the first rows, so that they do not change while scrolling. */
function widths(
  columns: readonly string[],
  rows: readonly Row[],
  write: (term: Term | undefined) => string,
): HTMLTableColElement {
  const group = element('colgroup');
  for (const column of columns) {
    const lengths = rows.slice(0, MEASURED_ROWS).map((row) => write(row[column]).length);
    const letters = Math.min(44, Math.max(8, column.length + 3, ...lengths));
    const col = element('col');
    col.style.width = `calc(${letters}ch + 1.5rem)`;
    group.append(col);
  }
  return group;
}
