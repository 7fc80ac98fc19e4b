import { pathsOf, placesRead } from '../model/ontology/call-facts.js';
import type { CallModel, Ontology } from '../model/ontology/model.js';
import { isAtOrBelow, PathTemplate, type PathValues } from '../model/ontology/path-template.js';
import { SHARED, type Partition, type Scope } from '../store/parts.js';
import { recordsStart } from './resource-paths.js';
import { madeOnce } from '../rdf/made-once.js';

const RECORDS = recordsStart('');

export const recordPart = (recordId: string): string => RECORDS + recordId;

export const userPart = (userId: string): string => `/users/${userId}`;

/** Makes a part of every record, and of each other graph that searches find (users, in the shipped ontology). */
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

/** Returns the paths at and below which a call about a record reads; a list has only `record_id` in `path`. */
export function placesInRecord(ontology: Ontology, call: CallModel, path: PathValues): string[] {
  const record = recordPart(path['record_id'] ?? '');
  const places = placesRead(ontology, call).map((template) => template.prefix(path));
  const inside = new Set(places.filter((place) => isAtOrBelow(place, record)));
  return inside.size === 0 || places.some((place) => isAtOrBelow(record, place)) ? [record] : [...inside];
}

/**
 * Returns the scope of a call's query. About a record, the rules `query-unguarded` and `query-reach` confine it to
 * graphs of the record and of the call's classes; otherwise `call-access` confines it to the target's class. Undefined,
 * for everything, if one of those may be anywhere.
 * @param path of the resource addressed
 */
export function scopeOf(
  ontology: Ontology,
  call: CallModel,
  recordId: string | undefined,
  path?: string,
): Scope | undefined {
  const { target, pathParameters, cardinality } = call;
  // The whole class even for one statement, since its absence would have to be remembered too.
  if (pathParameters.includes('record_id'))
    return recordId === undefined ? undefined : placesInRecord(ontology, call, { record_id: recordId });
  const places = pathsOf(ontology, target);
  const directories = directoriesOf(ontology);
  if (places.every((place) => !place.startsWith(RECORDS) && !directories.includes(PathTemplate.of(place))))
    return [SHARED];
  const isOne = cardinality === 'single' && path !== undefined;
  return isOne && directories.some((template) => template.match(path)) ? [path] : undefined;
}

const directoriesOf = madeOnce((ontology: Ontology): readonly PathTemplate[] => {
  const paths = ontology.calls.filter(isSearch).flatMap(({ target }) => pathsOf(ontology, target));
  return [...new Set(paths)].filter(isDirectory).map((path) => PathTemplate.of(path));
});

/** Returns the paths below which a search finds its results; undefined unless there is one graph per record or path. */
export function placesOf(ontology: Ontology, call: CallModel): readonly string[] | undefined {
  const places = pathsOf(ontology, call.target);
  return isSearch(call) && places.every(isDirectory) ? places : undefined;
}

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
