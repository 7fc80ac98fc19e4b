import { pathsOf, placesRead } from '../ontology/call-places.js';
import type { CallModel, Ontology } from '../ontology/model.js';
import { isAtOrBelow, PathTemplate, type PathValues } from '../ontology/path-template.js';
import { SHARED, type Partition, type Scope } from '../store/parts.js';
import { recordsStart } from './resource-paths.js';
import { madeOnce } from '../rdf/made-once.js';

/** The path below which all records stand. */
const RECORDS = recordsStart('');

/** The part of the container that a record is. */
export const recordPart = (recordId: string): string => RECORDS + recordId;

/** The part that the graph of a user is. */
export const userPart = (userId: string): string => `/users/${userId}`;

/**
 * Every record is a part of the container, and so is each graph outside of records that searches find: with the ontology
 * as it is, each user. All else is shared.
 */
export function recordPartition(ontology: Ontology): Partition {
  const others = directoriesOf(ontology).filter(({ text }) => !text.startsWith(RECORDS));
  return {
    partOf: (path) => {
      if (!path.startsWith(RECORDS))
        return others.some((template) => template.match(path) !== undefined) ? path : SHARED;
      const end = path.indexOf('/', RECORDS.length);
      return end < 0 ? path : path.slice(0, end);
    },
  };
}

/**
 * The paths at and below which everything lies that the query of a call about a record reads of it: that of the record
 * where the call may read anything of it.
 * @param path the values of the path, of which a list has none but the record
 */
export function placesInRecord(ontology: Ontology, call: CallModel, path: PathValues): string[] {
  const record = recordPart(path['record_id'] ?? '');
  const places = placesRead(ontology, call).map((template) => template.prefix(path));
  const inside = new Set(places.filter((place) => isAtOrBelow(place, record)));
  return inside.size === 0 || places.some((place) => isAtOrBelow(record, place)) ? [record] : [...inside];
}

/**
 * Where everything lies that the query of a call can find. About a record, it reads nothing but graphs that say that
 * they belong to it, and those stand below it (rule `query-unguarded`), of classes that the call is about (rule
 * `query-reach`); otherwise, nothing but things of the target's class (`call-access` and the first rule). Undefined, for
 * everything, when one of those might stand anywhere.
 * @param path that of the resource which the call addresses
 */
export function scopeOf(
  ontology: Ontology,
  call: CallModel,
  recordId: string | undefined,
  path?: string,
): Scope | undefined {
  const { target, pathParameters, cardinality } = call;
  // Of one statement, all of its kind: what is not there would have to be remembered, too.
  if (pathParameters.includes('record_id'))
    return recordId === undefined ? undefined : placesInRecord(ontology, call, { record_id: recordId });
  const places = pathsOf(ontology, target);
  const directories = directoriesOf(ontology);
  if (places.every((place) => !place.startsWith(RECORDS) && !directories.includes(PathTemplate.of(place))))
    return [SHARED];
  const isOne = cardinality === 'single' && path !== undefined;
  return isOne && directories.some((template) => template.match(path)) ? [path] : undefined;
}

/** Where the graphs stand that searches find, one in a record, or one for each path. */
const directoriesOf = madeOnce((ontology: Ontology): readonly PathTemplate[] => {
  const paths = ontology.calls.filter(isSearch).flatMap(({ target }) => pathsOf(ontology, target));
  return [...new Set(paths)].filter(isDirectory).map((path) => PathTemplate.of(path));
});

/** The paths below which a search finds what it asks for; undefined where that is no graph of each record or path. */
export function placesOf(ontology: Ontology, call: CallModel): readonly string[] | undefined {
  const places = pathsOf(ontology, call.target);
  return isSearch(call) && places.every(isDirectory) ? places : undefined;
}

/** Whether a call searches through everything by what is listed of it. */
function isSearch({ scope, cardinality, parameters, sortNames }: CallModel): boolean {
  const isCompared = sortNames.length > 0 || parameters.some(({ operator }) => operator !== undefined);
  return scope === 'container' && cardinality === 'multiple' && isCompared;
}

function isDirectory(path: string): boolean {
  const { parameters, segments } = PathTemplate.of(path);
  return path.startsWith(RECORDS)
    ? parameters.join() === 'record_id'
    : parameters.length > 0 && 'parameter' in (segments.at(-1) ?? {});
}
