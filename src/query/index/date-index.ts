import { writePredicate, writeTerm } from '../../rdf/ntriples.js';
import { namedNode } from '../../rdf/terms.js';
import { indexProperty } from './index-property.js';
import { dateComparisons, instants, type Instants } from '../partial-date.js';
import type { DateOperator } from '../../ontology/model.js';

/**
 * The index of instants. For every value of a dated property P of a statement S, the working set holds in S's index
 * graph (`{S}#_index`)
 *
 *     S <cg:low/P> "2010-06-01T00:00:00.000Z" ; <cg:high/P> "2010-06-30T23:59:59.999Z" .
 *
 * where P is its percent-encoded IRI and the values are plain literals of one width. Values that are no dates have
 * no entry: date filters drop such a statement and sorting puts it last. `dateStatements` writes the entries while a
 * working set is filled, the patterns below read them; nothing else knows their form.
 */
export function instantProperty(side: keyof Instants, property: string): string {
  return indexProperty(side, [[property]]);
}

/** The index entries of the values of one property, as N-Triples; empty when none is a date. */
export function dateStatements(statement: string, property: string, values: Iterable<string>): string {
  const subject = writeTerm(namedNode(statement));
  const [low, high] = [predicate('low', property), predicate('high', property)];
  let text = '';
  for (const value of values) {
    const period = instants(value);
    if (period) text += `${subject} ${low} "${period.low}" .\n${subject} ${high} "${period.high}" .\n`;
  }
  return text;
}

/**
 * The pattern that keeps statements whose date passes a filter for one of the given dates; undefined when one of them
 * is no date. `scope` begins the names of its own variables.
 */
export function datePattern(
  operator: DateOperator,
  properties: readonly string[],
  given: readonly string[],
  statement: string,
  scope: string,
): string | undefined {
  const { stored, comparison, given: side } = dateComparisons[operator];
  const own = `?${scope}instant`;
  const tests = given.map((text) => {
    const bound = instants(text)?.[side];
    return bound === undefined ? undefined : `${own} ${comparison} "${bound}"`;
  });
  if (tests.includes(undefined)) return undefined;
  return `GRAPH ?${scope}index { ?${statement} ${path(stored, properties)} ${own} } FILTER (${tests.join(' || ')})`;
}

/** What to add to a list to put its newest first: the pattern of its order and the text after ORDER BY. */
export function newestFirst(
  properties: readonly string[],
  statement: string,
): { sort: string; orderBy: string } {
  return {
    sort: `OPTIONAL { GRAPH ?sort_index { ?${statement} ${path('low', properties)} ?sort_instant } }`,
    // SPARQL 1.1 §15.1: what is unbound comes before everything, so descending it is last.
    orderBy: `DESC(?sort_instant) ?${statement}`,
  };
}

function path(side: keyof Instants, properties: readonly string[]): string {
  return properties.map((property) => predicate(side, property)).join('|');
}

const predicate = (side: keyof Instants, property: string): string =>
  writePredicate(namedNode(instantProperty(side, property)));
