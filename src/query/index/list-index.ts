import type { CallModel, Ontology } from '../../ontology/model.js';
import { writeTerm } from '../../rdf/ntriples.js';
import { namedNode } from '../../rdf/terms.js';
import { xsd } from '../../rdf/vocabulary.js';
import { instants } from '../partial-date.js';
import { encodedIri } from './index-property.js';

/**
 * The index of lists. For every statement S of a class C, or of one whose statements lie at the same place, that belongs
 * to a record R, the working set holds in S's index graph (`{S}#_index`)
 *
 *     S <R#_newest/C/P> 1275350400000 .
 *
 * for each date that S has by one of the properties P which the list is ordered by: its first instant in milliseconds
 * since 1970; UNDATED where there is none. So the members of a list and their order are found by one look-up, and
 * compared as numbers. Nobody can write such a property: names with `#_` are the store's to give.
 */
export interface ListIndex {
  /** The class whose statements of a record are listed. */
  readonly target: string;
  /** That class, and those whose statements lie at the same place: allergies, and that there are none of a kind. */
  readonly classes: readonly string[];
  /** The properties whose dates the list is ordered by. */
  readonly dates: readonly string[];
}

/** Less than every instant: what has no date comes last. */
const UNDATED = Number.MIN_SAFE_INTEGER;

const known = new WeakMap<CallModel, { readonly index: ListIndex | undefined }>();

/** The index that a list call of an ontology can be answered from: one of a record, by dates or in no order but that of IRIs. */
export function listIndexOf(
  ontology: Pick<Ontology, 'properties' | 'classes'>,
  call: CallModel,
): ListIndex | undefined {
  let found = known.get(call);
  if (!found) known.set(call, (found = { index: indexOf(ontology, call) }));
  return found.index;
}

function indexOf(
  { properties, classes }: Pick<Ontology, 'properties' | 'classes'>,
  { cardinality, pathParameters, target, sortNames, sortProperties }: CallModel,
): ListIndex | undefined {
  const isOfRecord = cardinality === 'multiple' && pathParameters.includes('record_id');
  const isByDate = sortProperties.every((iri) => properties.get(iri)?.valueType === 'date');
  if (!isOfRecord || !isByDate || sortNames.length > 0) return undefined;
  const place = classes.get(target)?.basePath;
  const beside = [...classes.values()].filter(({ basePath }) => basePath !== undefined && basePath === place);
  return { target, classes: [...new Set([target, ...beside.map(({ iri }) => iri)])], dates: sortProperties };
}

/** The first instants of the dates that a statement has, in milliseconds since 1970; one that is less than all where it has none. */
export function listInstants(dates: readonly string[]): number[] {
  const times = dates.flatMap((text) => {
    const period = instants(text);
    return period ? [Date.parse(period.low)] : [];
  });
  return times.length === 0 ? [UNDATED] : times;
}

/** The index entries of a statement in one record, as N-Triples. @param dates what its properties say */
export function listStatements(
  statement: string,
  record: string,
  index: IndexProperty,
  dates: readonly string[],
): string {
  const start = `${writeTerm(namedNode(statement))} ${property(record, index)}`;
  return listInstants(dates)
    .map((time) => `${start} "${time}"^^<${xsd.integer}> .\n`)
    .join('');
}

/** The variable of `fromListIndex` that holds by what members are ordered. */
export const LIST_INSTANT = 'list_instant';

/** An instant of the index in ISO 8601; undefined for what has no date. */
export function dateOfInstant(text: string): string | undefined {
  const instant = Number(text);
  return instant === UNDATED ? undefined : new Date(instant).toISOString();
}

/** What finds the members of a list in the place of its own pattern, and their order: the newest first, then by IRI. */
export function fromListIndex(
  record: string,
  index: IndexProperty,
  variable: string,
): { pattern: string; orderBy: string } {
  return {
    pattern: `GRAPH ?list_index { ?${variable} ${property(record, index)} ?${LIST_INSTANT} }`,
    orderBy: `DESC(?${LIST_INSTANT}) ?${variable}`,
  };
}

/** What names the property of an index. */
type IndexProperty = Pick<ListIndex, 'target' | 'dates'>;

function property(record: string, { target, dates }: IndexProperty): string {
  const names = [target, ...dates].map(encodedIri);
  return writeTerm(namedNode(`${record}#_newest/${names.join('/')}`));
}
