import { writeTerm } from '../../../rdf/ntriples.js';
import { literal, namedNode } from '../../../rdf/terms.js';
import { foldName } from '../fold.js';
import { indexProperty, type IndexKind, type Paths } from './index-property.js';
import { writeSparqlTerm } from '../sparql-term.js';

const INDEXED_LETTERS = 5;

/**
 * The index of names. For every name at a path of P from a resource S, S's index graph (`{S}#_index`) has
 * `S <cg:folded/P> "lindqvale" ; <cg:beginning/P> "l" , "li" , "lin" , "lind" , "lindq" .`
 * A search looks up the beginning and, if longer, compares the few folded names found.
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

/** Writes a position in an order: `S <cg:order/P> "lindqvale\u0009harriet"`, the first folded name of each path. */
export function orderStatement(
  resource: string,
  paths: Paths,
  names: readonly (readonly string[])[],
): string {
  return entry(resource, 'order', paths, orderKey(names));
}

/** Returns the sort key of names. @param names of each path */
export function orderKey(names: readonly (readonly string[])[]): string {
  // A tab sorts before letters, so a name comes before longer ones that begin with it.
  return names.map((some) => some.map(foldName).sort()[0] ?? '').join('\t');
}

/** Keeps resources with a name that begins with a text. @param scope starts the names of its variables */
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

/**
 * The index of whole texts. For every literal at a path of P from S, `{S}#_index` has `S <cg:text/P> "00217" .`, a
 * plain literal whatever the original's type, so that a search is one look-up.
 */
export function textStatements(resource: string, paths: Paths, texts: Iterable<string>): string {
  return [...texts].map((text) => entry(resource, 'text', paths, text)).join('');
}

/** Keeps resources with exactly this text. @param scope starts the name of its variable */
export function equalsPattern(paths: Paths, given: string, resource: string, scope: string): string {
  return `GRAPH ?${scope}index { ?${resource} ${property('text', paths)} ${writeSparqlTerm(literal(given))} }`;
}
