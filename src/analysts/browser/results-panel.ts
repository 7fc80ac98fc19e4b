import { parquetFile } from '../parquet-file.js';
import { PARQUET, solutionsText } from '../result-formats.js';
import type { Outcome } from './ask-query.js';
import type { Term } from './cells.js';
import { chartPanel } from './chart-panel.js';
import { button, element, need, save } from './dom.js';
import { resultTable } from './result-table.js';

const SHOWN = 200_000;

type Write = (term: Term | undefined) => string;

export function resultsPanel(write: Write, browse: (iri: string) => void) {
  const status = need('status', HTMLElement);
  const notes = need('notes', HTMLElement);
  const shown = need('shown', HTMLElement);
  return {
    /** Announces progress, also to assistive technology. */
    say: (text: string): void => {
      status.textContent = text;
      notes.replaceChildren();
      shown.replaceChildren();
    },
    show: (outcome: Outcome): void => {
      status.textContent = summaryOf(outcome);
      notes.replaceChildren(...notesOf(outcome));
      shown.replaceChildren(...contentOf(outcome, write, browse));
    },
  };
}

function summaryOf(outcome: Outcome): string {
  if (outcome.kind === 'cancelled') return 'The query was cancelled.';
  if (outcome.kind === 'refused') return '';
  const { rows, ms, revision, level } = outcome.facts;
  const things = outcome.kind === 'graph' ? ['triple', 'triples'] : ['row', 'rows'];
  const isCounted = outcome.kind === 'rows' || outcome.kind === 'graph';
  const count = !isCounted ? '' : `${rows.toLocaleString('en')} ${things[rows === 1 ? 0 : 1]}, `;
  const seconds = (ms / 1000).toFixed(ms < 1000 ? 2 : 1);
  return `${count}${seconds} s, revision ${revision}, ${level === 'deidentified' ? 'de-identified' : level} level`;
}

function notesOf(outcome: Outcome): HTMLElement[] {
  if (outcome.kind === 'cancelled') return [];
  if (outcome.kind === 'refused') {
    return [element('div', { class: 'notice bad', role: 'alert' }, element('p', {}, outcome.message))];
  }
  const { isCut, rows, warnings } = outcome.facts;
  const cut = `The answer is cut after ${rows.toLocaleString('en')}: there are more. Add LIMIT and OFFSET, or filter.`;
  return [...(isCut ? [cut] : []), ...warnings.map(({ line, message }) => `Line ${line}: ${message}`)].map(
    (text) => element('div', { class: 'notice', role: 'alert' }, element('p', {}, text)),
  );
}

function contentOf(outcome: Outcome, write: Write, browse: (iri: string) => void): HTMLElement[] {
  switch (outcome.kind) {
    case 'boolean':
      return [element('p', { class: 'answer' }, outcome.answer ? 'Yes' : 'No')];
    case 'graph':
      return graph(outcome.turtle);
    case 'rows':
      return rowsOf(outcome, resultTable(outcome.columns, outcome.rows, write, browse), write);
    case 'refused':
    case 'cancelled':
      return [];
  }
}

function graph(turtle: string): HTMLElement[] {
  const isLong = turtle.length > SHOWN;
  return [
    element(
      'div',
      { class: 'toolbar' },
      isLong && element('p', { class: 'quiet small' }, 'This is the beginning; the file has all.'),
      button('Save Turtle', () => save('triples.ttl', new Blob([turtle], { type: 'text/turtle' }))),
    ),
    element('pre', { tabindex: '0', 'aria-label': 'Triples' }, turtle.slice(0, SHOWN)),
  ];
}

function rowsOf(
  { columns, rows, raw }: Extract<Outcome, { kind: 'rows' }>,
  table: HTMLElement,
  write: Write,
): HTMLElement[] {
  if (rows.length === 0) return [element('p', {}, 'Nothing was found.')];
  const place = element('div');
  let chart: HTMLElement | undefined;
  const tabs = {
    table: button('Table', () => show('table'), { 'aria-pressed': 'true' }),
    chart: button('Chart', () => show('chart'), { 'aria-pressed': 'false' }),
  };
  function show(which: keyof typeof tabs): void {
    for (const [name, tab] of Object.entries(tabs)) tab.setAttribute('aria-pressed', String(name === which));
    if (which === 'chart') chart ??= chartPanel(rows, columns, write);
    place.replaceChildren((which === 'chart' ? chart : undefined) ?? table);
  }
  show('table');
  const asText = (format: 'csv' | 'tsv'): Blob =>
    new Blob([solutionsText(format, { variables: columns, rows })]);
  const files = element(
    'div',
    { class: 'group', role: 'group', 'aria-label': 'Save as' },
    button('CSV', () => save('rows.csv', asText('csv'))),
    button('TSV', () => save('rows.tsv', asText('tsv'))),
    columns.length > 0 &&
      button('Parquet', () =>
        save('rows.parquet', new Blob([...parquetFile(columns, () => rows)], { type: PARQUET })),
      ),
    button('JSON', () => save('rows.json', new Blob([raw], { type: 'application/json' }))),
  );
  const views = element(
    'div',
    { class: 'group', role: 'group', 'aria-label': 'Show as' },
    tabs.table,
    tabs.chart,
  );
  return [element('div', { class: 'toolbar ends' }, views, files), place];
}
