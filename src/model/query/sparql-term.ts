import { writeTerm } from '../../rdf/ntriples.js';
import { namedNode, type Term } from '../../rdf/terms.js';

/** Writes a term as SPARQL. Blank nodes are refused: in a query they are variables. @throws as `writeTerm` does */
export function writeSparqlTerm(term: Term): string {
  if (term.termType !== 'NamedNode' && term.termType !== 'Literal') {
    throw new TypeError(`a ${term.termType} cannot be bound into a query`);
  }
  const text = writeTerm(term);
  // SPARQL 1.1 §19.2 lets engines resolve \uXXXX before reading strings, some despite a preceding backslash:
  // "\\u0022" would end the string. So no u ever follows a backslash pair.
  return term.termType === 'Literal' ? text.replace(/\\\\([uU])|\\./gs, hideLetter) : text;
}

/** Writes an IRI as SPARQL. @throws as `writeTerm` does */
export const iriText = (iri: string): string => writeSparqlTerm(namedNode(iri));

function hideLetter(escape: string, letter?: string): string {
  return letter === undefined ? escape : `\\\\\\u00${letter === 'u' ? '75' : '55'}`;
}
