import { writeTerm } from '../rdf/ntriples.js';
import { literal, namedNode } from '../rdf/terms.js';
import { prefixes } from '../rdf/vocabulary.js';
import { foldName } from './fold.js';

/** Letters of the longest beginning that has an entry of its own; beyond it a search compares whole folded names. */
export const INDEXED_LETTERS = 3;

/**
 * The index of names. For every name N by property P in the graph of a resource S, the replica holds in S's index
 * graph
 *
 *     S <cg:folded/P> "lindqvale" ; <cg:beginning/P> "l" , "li" , "lin" .
 *
 * where P is its percent-encoded IRI: a search for `lindq` looks up the beginning `lin` and compares the rest with
 * the few folded names that it finds.
 */
export function nameProperty(kind: 'folded' | 'beginning', property: string): string {
  return `${prefixes.cg}${kind}/${encodeURIComponent(property)}`;
}

/** The part of a folded search text that is looked up: its first letters, by code point. */
export function beginningOf(folded: string): string {
  return [...folded].slice(0, INDEXED_LETTERS).join('');
}

/** The index entries of the names that a resource has by one property, as N-Triples. */
export function nameStatements(resource: string, property: string, names: Iterable<string>): string {
  const subject = writeTerm(namedNode(resource));
  let text = '';
  for (const name of names) {
    const folded = foldName(name);
    const letters = [...beginningOf(folded)];
    text += `${subject} ${writeTerm(namedNode(nameProperty('folded', property)))} ${writeTerm(literal(folded))} .\n`;
    for (let end = 1; end <= letters.length; end++) {
      const beginning = literal(letters.slice(0, end).join(''));
      text += `${subject} ${writeTerm(namedNode(nameProperty('beginning', property)))} ${writeTerm(beginning)} .\n`;
    }
  }
  return text;
}
