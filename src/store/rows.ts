import { blankNode, literal, namedNode, type Term } from '../rdf/terms.js';
import { readTsvTerm } from '../rdf/tsv-term.js';
import type { Row } from './graph-store.js';

/**
 * The rows of a SELECT, unbound variables left out. IRIs for which `innerLabel` gives a label become blank nodes.
 * @param tsv as the engine writes it: a line of names, then a line for each row (SPARQL 1.1 CSV and TSV §4)
 */
export function readRows(tsv: string, innerLabel: (iri: string) => string | undefined): Row[] {
  const [head = '', ...lines] = tsv.split('\n');
  // What stands behind the last line feed is no row.
  lines.pop();
  const names = head.split('\t').map((name) => name.slice(1));
  return lines.map((line) => {
    const row: Record<string, Term> = {};
    const cells = line.split('\t');
    for (let at = 0; at < names.length; at++) {
      const [name = '', cell = ''] = [names[at], cells[at]];
      if (cell !== '') row[name] = readTerm(cell, innerLabel);
    }
    return row;
  });
}

function readTerm(cell: string, innerLabel: (iri: string) => string | undefined): Term {
  const term = readTsvTerm(cell);
  if (term.type === 'literal') {
    return literal(
      term.value,
      term['xml:lang'] ?? (term.datatype === undefined ? undefined : namedNode(term.datatype)),
    );
  }
  if (term.type === 'bnode') return blankNode(term.value);
  const label = innerLabel(term.value);
  return label === undefined ? namedNode(term.value) : blankNode(label);
}
