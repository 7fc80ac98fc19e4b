import { writeTerm } from '../rdf/ntriples.js';
import { namedNode, type Term } from '../rdf/terms.js';

/**
 * A term as SPARQL text. Blank nodes are refused, since in a query they are variables. Throws what `writeTerm`
 * throws for a term that has no text.
 */
export function writeSparqlTerm(term: Term): string {
  if (term.termType !== 'NamedNode' && term.termType !== 'Literal') {
    throw new TypeError(`a ${term.termType} cannot be bound into a query`);
  }
  const text = writeTerm(term);
  // SPARQL 1.1 §19.2 lets an engine resolve \uXXXX anywhere in the query before it reads strings, and some do it
  // without regard to the backslash before: "\\u0022" would end the string. So no u ever follows a backslash pair.
  return term.termType === 'Literal' ? text.replace(/\\\\([uU])|\\./gs, hideLetter) : text;
}

/** An IRI as SPARQL text. Throws what `writeTerm` throws for an IRI that cannot be written. */
export const iriText = (iri: string): string => writeSparqlTerm(namedNode(iri));

function hideLetter(escape: string, letter?: string): string {
  return letter === undefined ? escape : `\\\\\\u00${letter === 'u' ? '75' : '55'}`;
}
