import { writeTerm } from '../../rdf/ntriples.js';
import { literal, namedNode } from '../../rdf/terms.js';
import { foldName } from '../fold.js';
import { indexProperty, type IndexKind, type Paths } from './index-property.js';
import { writeSparqlTerm } from '../sparql-term.js';

/** Letters of the longest beginning that has an entry of its own; beyond it a search compares whole folded names. */
const INDEXED_LETTERS = 5;

/**
 * The index of names. For every name that a path of P leads to from a resource S, the working set holds in S's index graph
 * (`{S}#_index`)
 *
 *     S <cg:folded/P> "lindqvale" ; <cg:beginning/P> "l" , "li" , "lin" , "lind" , "lindq" .
 *
 * A search looks up the beginning and, where it is longer, compares the rest with the few folded names that it finds.
 * Only the functions of this file know the form of the entries.
 */
export function nameStatements(resource: string, paths: Paths, names: Iterable<string>): string {
  let text = '';
  for (const name of names) {
    const folded = foldName(name);
    const letters = [...folded].slice(0, INDEXED_LETTERS);
    text += entry(resource, 'folded', paths, folded);
    for (let end = 1; end <= letters.length; end++) {
      text += entry(resource, 'beginning', paths, letters.slice(0, end).join(''));
    }
  }
  return text;
}

/**
 * The place of a resource in an order by names: one entry `S <cg:order/P> "lindqvale\u0009harriet"`, made of the folded
 * names that each path leads to. Of several names on one path the first in order counts.
 */
export function orderStatement(
  resource: string,
  paths: Paths,
  names: readonly (readonly string[])[],
): string {
  return entry(resource, 'order', paths, orderKey(names));
}

/** Names as they are ordered. @param names those that each path leads to */
export function orderKey(names: readonly (readonly string[])[]): string {
  // A tab stands before every letter, so a name comes before those that it begins.
  return names.map((some) => some.map(foldName).sort()[0] ?? '').join('\t');
}

/** The pattern that keeps resources with a name that begins so; `scope` begins the names of its own variables. */
export function beginsPattern(paths: Paths, given: string, resource: string, scope: string): string {
  const folded = foldName(given);
  const beginning = [...folded].slice(0, INDEXED_LETTERS).join('');
  const lookup = `?${resource} ${property('beginning', paths)} ${writeSparqlTerm(literal(beginning))}`;
  const graph = `GRAPH ?${scope}index`;
  if (folded === beginning) return `${graph} { ${lookup} }`;
  const name = `?${scope}name`;
  const rest = `FILTER (STRSTARTS(${name}, ${writeSparqlTerm(literal(folded))}))`;
  return `${graph} { ${lookup} . ?${resource} ${property('folded', paths)} ${name} } ${rest}`;
}

/** What to add to a list to order it by names from A to Z, ties by IRI. */
export function byName(paths: Paths, resource: string): { sort: string; orderBy: string } {
  const key = '?sort_name';
  return {
    sort: `OPTIONAL { GRAPH ?sort_index { ?${resource} ${property('order', paths)} ${key} } }`,
    orderBy: `${key} ?${resource}`,
  };
}

function entry(resource: string, kind: IndexKind, paths: Paths, text: string): string {
  return `${writeTerm(namedNode(resource))} ${property(kind, paths)} ${writeTerm(literal(text))} .\n`;
}

const property = (kind: IndexKind, paths: Paths): string => writeTerm(namedNode(indexProperty(kind, paths)));
