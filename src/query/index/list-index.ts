import type { CallModel, Ontology } from '../../ontology/model.js';
import { madeOnce } from '../../rdf/made-once.js';
import { writeTerm } from '../../rdf/ntriples.js';
import { namedNode } from '../../rdf/terms.js';
import { instants } from '../partial-date.js';
import { encodedIri } from './index-property.js';

/**
 * The index of lists. For every statement S of a class C, or of one whose statements lie at the same place, that belongs
 * to a record R, the working set holds in S's index graph (`{S}#_index`)
 *
 *     S <R#_newest/C/P> "101275350400000" .
 *
 * once: the first instant of the newest date that S has by one of the properties P which the list is ordered by, as
 * milliseconds since 1970 and 10^14 more; zeros where there is none. So how many members a list has, and their order, is
 * one look-up of texts of one width, which the engine keeps in the statement itself up to fifteen characters. Nobody can
 * write such a property: names with `#_` are the store's to give.
 */
export interface ListIndex {
  /** The class whose statements of a record are listed. */
  readonly target: string;
  /** That class, and those whose statements lie at the same place: allergies, and that there are none of a kind. */
  readonly classes: readonly string[];
  /** The properties whose dates the list is ordered by. */
  readonly dates: readonly string[];
}

type Declared = Pick<Ontology, 'properties' | 'classes'>;

/** What is added, so that the instants of all years from 0 to 9999 take up to fifteen digits. */
const SHIFT = 10 ** 14;
const DIGITS = 15;
/** Less than every instant: what has no date comes last. */
const UNDATED = 0;

const indexOf = madeOnce((call: CallModel, { properties, classes }: Declared): ListIndex | undefined => {
  const { cardinality, pathParameters, target, sortNames, sortProperties } = call;
  const isOfRecord = cardinality === 'multiple' && pathParameters.includes('record_id');
  const isByDate = sortProperties.every((iri) => properties.get(iri)?.valueType === 'date');
  if (!isOfRecord || !isByDate || sortNames.length > 0) return undefined;
  const place = classes.get(target)?.basePath;
  const beside = [...classes.values()].filter(({ basePath }) => basePath !== undefined && basePath === place);
  return { target, classes: [...new Set([target, ...beside.map(({ iri }) => iri)])], dates: sortProperties };
});

/** The index that a list call of an ontology can be answered from: one of a record, by dates or in no order but that of IRIs. */
export const listIndexOf = (ontology: Declared, call: CallModel): ListIndex | undefined =>
  indexOf(call, ontology);

/** The first instant of the newest of some dates, as a number of the index. */
export function listInstant(dates: readonly string[]): number {
  let newest = UNDATED;
  for (const text of dates) {
    const period = instants(text);
    if (period) newest = Math.max(newest, Date.parse(period.low) + SHIFT);
  }
  return newest;
}

/** The index entry of a statement in one record, as N-Triples. @param dates what its properties say */
export function listStatements(
  statement: string,
  record: string,
  index: IndexProperty,
  dates: readonly string[],
): string {
  const subject = writeTerm(namedNode(statement));
  return `${subject} ${property(record, index)} ${textOf(listInstant(dates))} .\n`;
}

/** The variable of `fromListIndex` that holds by what members are ordered. */
export const LIST_INSTANT = 'list_instant';

const textOf = (instant: number): string => `"${String(instant).padStart(DIGITS, '0')}"`;

/** An instant of the index in ISO 8601; undefined for what has no date. */
export function dateOfInstant(text: string): string | undefined {
  const instant = Number(text);
  return instant === UNDATED ? undefined : new Date(instant - SHIFT).toISOString();
}

/**
 * The newest first.
 * @param text instants of the index, between spaces
 */
export function readInstants(text: string): Float64Array {
  const found = new Float64Array(Math.ceil(text.length / (DIGITS + 1)));
  for (let at = 0; at < found.length; at++)
    found[at] = Number(text.slice(at * (DIGITS + 1), at * (DIGITS + 1) + DIGITS));
  return found.sort().reverse();
}

/** Some of the instants of a list. */
export interface ChosenInstants {
  /** The newest first, each once, all that the list has between the first and the last. */
  readonly instants: readonly number[];
  /** How many members the list has. */
  readonly total: number;
}

/**
 * What finds the members of a list in the place of its own pattern, and their order: the newest first, then by IRI.
 * @param chosen those of the only members that are found; undefined for all
 */
export function fromListIndex(
  record: string,
  index: IndexProperty,
  variable: string,
  chosen?: ChosenInstants,
): { pattern: string; orderBy: string } {
  const all = `GRAPH ?list_index { ?${variable} ${property(record, index)} ?${LIST_INSTANT} }`;
  return {
    pattern: chosen ? `${withInstants(chosen)} ${all}` : all,
    orderBy: `DESC(?${LIST_INSTANT}) ?${variable}`,
  };
}

/** So many members can be gone through while one instant is looked up. */
const PASSED = 20;

/** Keeps members of some instants: each is looked up, or all between the first and the last are found on the way. */
function withInstants({ instants, total }: ChosenInstants): string {
  if (instants.length * PASSED < total)
    return `VALUES ?${LIST_INSTANT} { ${instants.map(textOf).join(' ')} }`;
  const [most, least] = [instants[0] ?? UNDATED, instants.at(-1) ?? UNDATED];
  return `FILTER(?${LIST_INSTANT} >= ${textOf(least)} && ?${LIST_INSTANT} <= ${textOf(most)})`;
}

/** What names the property of an index. */
type IndexProperty = Pick<ListIndex, 'target' | 'dates'>;

function property(record: string, { target, dates }: IndexProperty): string {
  const names = [target, ...dates].map(encodedIri);
  return writeTerm(namedNode(`${record}#_newest/${names.join('/')}`));
}
