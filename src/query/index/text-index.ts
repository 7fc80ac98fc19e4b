import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { indexProperty, type Paths } from './index-property.js';
import { writeSparqlTerm } from '../sparql-term.js';

/**
 * The index of whole texts. For every literal that a path of P leads to from a resource S, the working set holds in S's
 * index graph (`{S}#_index`)
 *
 *     S <cg:text/P> "00217" .
 *
 * a plain literal whatever the datatype or language of the original, so that a search is one lookup.
 */
export function textStatements(resource: string, paths: Paths, texts: Iterable<string>): string {
  const [subject, predicate] = [namedNode(resource), namedNode(indexProperty('text', paths))].map(writeTerm);
  return [...texts].map((text) => `${subject} ${predicate} ${writeTerm(literal(text))} .\n`).join('');
}

/** The pattern that keeps resources with this very text; `scope` begins the name of its own variable. */
export function equalsPattern(paths: Paths, given: string, resource: string, scope: string): string {
  const property = writeTerm(namedNode(indexProperty('text', paths)));
  return `GRAPH ?${scope}index { ?${resource} ${property} ${writeSparqlTerm(literal(given))} }`;
}
