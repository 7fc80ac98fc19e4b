import type { JsonTerm } from './json-term.js';
import { unescaped } from './ntriples.js';
import { xsd } from './vocabulary.js';

/** Literals that Turtle writes without quotation marks (RDF 1.1 Turtle §2.5.2). */
const bare: readonly (readonly [RegExp, string])[] = [
  [/^(?:true|false)$/u, xsd.boolean],
  [/^[+-]?\d+$/u, xsd.integer],
  [/^[+-]?\d*\.\d+$/u, xsd.decimal],
  [/^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/u, xsd.double],
];

/** Reads the term of a cell that is not empty (SPARQL 1.1 CSV and TSV §4.1). */
export function readTsvTerm(cell: string): JsonTerm {
  if (cell.startsWith('<')) return { type: 'uri', value: unescaped(cell.slice(1, -1)) };
  if (cell.startsWith('_:')) return { type: 'bnode', value: cell.slice(2) };
  const close = cell.lastIndexOf('"');
  if (close <= 0) {
    const datatype = bare.find(([form]) => form.test(cell))?.[1];
    return { type: 'literal', value: cell, ...(datatype !== undefined && { datatype }) };
  }
  const value = unescaped(cell.slice(1, close));
  const rest = cell.slice(close + 1);
  if (rest.startsWith('@')) return { type: 'literal', value, 'xml:lang': rest.slice(1) };
  return { type: 'literal', value, ...(rest.startsWith('^^') && { datatype: rest.slice(3, -1) }) };
}
