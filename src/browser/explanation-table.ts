import {
  explanationColumns,
  explanationNotes,
  explanationRows,
  type QueryExplanation,
} from '../analysts/explain/explanation.js';
import { element } from './dom.js';

/** Columns of numbers, from the left: lines, statements, rows and times. */
const NUMBERS = 3;

/** The steps of a query with what they take, as a table, and how to read it. */
export function explanationTable(explanation: QueryExplanation): HTMLElement[] {
  const kind = (at: number): Record<string, string> => (at >= NUMBERS ? { class: 'number' } : {});
  const head = element(
    'tr',
    {},
    ...explanationColumns.map((name, at) => element('th', { scope: 'col', ...kind(at) }, name)),
  );
  const rows = explanationRows(explanation).map(([number = '', ...cells]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, number),
      ...cells.map((cell, at) => element('td', kind(at + 1), cell)),
    ),
  );
  return [
    element(
      'div',
      { class: 'scroll steps', tabindex: '0', role: 'region', 'aria-label': 'Steps' },
      element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)),
    ),
    element('p', { class: 'quiet small' }, `${explanationNotes} Triple patterns: ${explanation.patterns}.`),
  ];
}
