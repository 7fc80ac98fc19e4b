import { writePredicate, writeTerm } from '../../../rdf/ntriples.js';
import { namedNode } from '../../../rdf/terms.js';
import { indexProperty } from './index-property.js';
import { dateComparisons, instants, type Instants } from '../partial-date.js';
import type { DateOperator } from '../../ontology/model.js';

/**
 * The index of instants. For every value of a dated property P of a statement S, S's index graph (`{S}#_index`) has
 * `S <cg:low/P> "2010-06-01T00:00:00.000Z" ; <cg:high/P> "2010-06-30T23:59:59.999Z" .`
 * with P percent-encoded and plain literals of one width. Values that are no dates have no entry: date filters drop
 * the statement, and sorting puts it last.
 */
export function instantProperty(side: keyof Instants, property: string): string {
  return indexProperty(side, [[property]]);
}

/** Returns the index entries of one property's values as N-Triples; empty without dates. */
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
 * Keeps statements whose date passes a filter for one of the given dates; undefined if one is no date.
 * @param scope starts the names of its variables
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

export function newestFirst(
  properties: readonly string[],
  statement: string,
): { sort: string; orderBy: string } {
  return {
    sort: `OPTIONAL { GRAPH ?sort_index { ?${statement} ${path('low', properties)} ?sort_instant } }`,
    // SPARQL 1.1 §15.1: unbound sorts first, so descending it is last.
    orderBy: `DESC(?sort_instant) ?${statement}`,
  };
}

function path(side: keyof Instants, properties: readonly string[]): string {
  return properties.map((property) => predicate(side, property)).join('|');
}

const predicate = (side: keyof Instants, property: string): string =>
  writePredicate(namedNode(instantProperty(side, property)));
