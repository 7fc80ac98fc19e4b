import type { CallModel, Ontology } from '../../ontology/model.js';
import { madeOnce } from '../../../rdf/made-once.js';
import { writeTerm } from '../../../rdf/ntriples.js';
import { namedNode } from '../../../rdf/terms.js';
import { instants } from '../partial-date.js';
import { encodedIri } from './index-property.js';

/**
 * The index of lists. For every statement S of a class C (or one with the same path) in a record R, S's index graph
 * (`{S}#_index`) has once
 * `S <R#_newest/C/P> "101275350400000" .`
 * with the first instant of S's newest date by the list's properties P, in milliseconds since 1970 plus 10^14; zeros
 * without a date. Size and order of a list are thus one look-up of texts of one width, which the engine stores inline
 * up to fifteen characters. Nobody else can write the property: names with `#_` are reserved.
 */
export interface ListIndex {
  readonly target: string;
  /** The class and those with the same path: allergies, and statements that there are none of a kind. */
  readonly classes: readonly string[];
  readonly dates: readonly string[];
}

type Declared = Pick<Ontology, 'properties' | 'classes'>;

const SHIFT = 10 ** 14;
const DIGITS = 15;
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

/** The index that can answer a list call: of a record, ordered by dates or IRI. */
export const listIndexOf = (ontology: Declared, call: CallModel): ListIndex | undefined =>
  indexOf(call, ontology);

/** Returns the first instant of the newest date, as a number of the index. */
export function listInstant(dates: readonly string[]): number {
  let newest = UNDATED;
  for (const text of dates) {
    const period = instants(text);
    if (period) newest = Math.max(newest, Date.parse(period.low) + SHIFT);
  }
  return newest;
}

export function listStatements(
  statement: string,
  record: string,
  index: IndexProperty,
  dates: readonly string[],
): string {
  const subject = writeTerm(namedNode(statement));
  return `${subject} ${property(record, index)} ${textOf(listInstant(dates))} .\n`;
}

export const LIST_INSTANT = 'list_instant';

const textOf = (instant: number): string => `"${String(instant).padStart(DIGITS, '0')}"`;

/** Writes an instant of the index in ISO 8601; undefined without a date. */
export function dateOfInstant(text: string): string | undefined {
  const instant = Number(text);
  return instant === UNDATED ? undefined : new Date(instant - SHIFT).toISOString();
}

/** Reads instants, newest first. @param text from the index, separated by spaces */
export function readInstants(text: string): Float64Array {
  const found = new Float64Array(Math.ceil(text.length / (DIGITS + 1)));
  for (let at = 0; at < found.length; at++)
    found[at] = Number(text.slice(at * (DIGITS + 1), at * (DIGITS + 1) + DIGITS));
  return found.sort().reverse();
}

export interface ChosenInstants {
  readonly instants: readonly number[];
  readonly total: number;
}

/** Finds a list's members in place of its own pattern: newest first, then by IRI. @param chosen finds only these */
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

const PASSED = 20;

function withInstants({ instants, total }: ChosenInstants): string {
  if (instants.length * PASSED < total)
    return `VALUES ?${LIST_INSTANT} { ${instants.map(textOf).join(' ')} }`;
  const [most, least] = [instants[0] ?? UNDATED, instants.at(-1) ?? UNDATED];
  return `FILTER(?${LIST_INSTANT} >= ${textOf(least)} && ?${LIST_INSTANT} <= ${textOf(most)})`;
}

type IndexProperty = Pick<ListIndex, 'target' | 'dates'>;

function property(record: string, { target, dates }: IndexProperty): string {
  const names = [target, ...dates].map(encodedIri);
  return writeTerm(namedNode(`${record}#_newest/${names.join('/')}`));
}
