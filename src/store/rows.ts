import { blankNode, literal, namedNode, type Term } from '../rdf/terms.js';
import type { JsonTerm } from '../rdf/json-term.js';
import type { JsonResults } from './working-set.js';

/** The rows of a SELECT as RDF/JS terms; names for which `innerLabel` gives a label become blank nodes. */
export function readRows(
  { results }: JsonResults,
  innerLabel: (iri: string) => string | undefined,
): Record<string, Term>[] {
  return results.bindings.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([variable, value]) => [variable, readTerm(value, innerLabel)]),
    ),
  );
}

function readTerm(term: JsonTerm, innerLabel: (iri: string) => string | undefined): Term {
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
