import type { CallModel, Ontology } from '../ontology/model.js';
import { isA } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { SHARED, type Partition, type Scope } from '../store/parts.js';
import { recordsStart } from './resource-paths.js';

/** The path below which all records stand. */
const RECORDS = recordsStart('');

/** The part of the container that a record is. */
export const recordPart = (recordId: string): string => RECORDS + recordId;

/** The parts of the container in which what belongs to a record lies: the record, and what searches find of it. */
export function recordScope(ontology: Ontology, recordId: string): Scope {
  const part = recordPart(recordId);
  return [part, ...belowRecords(ontology).map((below) => part + below)];
}

/** The part that the graph of a user is. */
export const userPart = (userId: string): string => `/users/${userId}`;

/**
 * Every record is a part of the container, and so is each graph that searches find: with the ontology as it is, the
 * demographics of each record, and each user. All else is shared.
 */
export function recordPartition(ontology: Ontology): Partition {
  const below = belowRecords(ontology);
  const others = directoriesOf(ontology).filter(({ text }) => !text.startsWith(RECORDS));
  return {
    partOf: (path) => {
      if (!path.startsWith(RECORDS))
        return others.some((template) => template.match(path) !== undefined) ? path : SHARED;
      const end = path.indexOf('/', RECORDS.length);
      return end < 0 || below.includes(path.slice(end)) ? path : path.slice(0, end);
    },
    partsIn: (part) =>
      part.startsWith(RECORDS) && part.indexOf('/', RECORDS.length) < 0
        ? below.map((each) => part + each)
        : [],
  };
}

/**
 * Where everything lies that the query of a call can find. About a record, it reads nothing but graphs that say that
 * they belong to it, and those stand below it (rule `query-unguarded`); otherwise, nothing but things of the target's
 * class (`call-access` and the same rule). Undefined, for everything, when one of those might stand anywhere.
 * @param path that of the resource which the call addresses
 */
export function scopeOf(
  ontology: Ontology,
  { target, pathParameters, cardinality }: CallModel,
  recordId: string | undefined,
  path?: string,
): Scope | undefined {
  if (pathParameters.includes('record_id'))
    return recordId === undefined ? undefined : recordScope(ontology, recordId);
  const places = pathsOf(ontology, target);
  const directories = directoriesOf(ontology);
  if (places.every((place) => !place.startsWith(RECORDS) && !directories.includes(PathTemplate.of(place))))
    return [SHARED];
  const isOne = cardinality === 'single' && path !== undefined;
  return isOne && directories.some((template) => template.match(path)) ? [path] : undefined;
}

const known = new WeakMap<Ontology, readonly PathTemplate[]>();

/** Where the graphs stand that searches find, one in a record, or one for each path. */
function directoriesOf(ontology: Ontology): readonly PathTemplate[] {
  let templates = known.get(ontology);
  if (!templates) {
    const paths = ontology.calls.filter(isSearch).flatMap(({ target }) => pathsOf(ontology, target));
    templates = [...new Set(paths)].filter(isDirectory).map((path) => PathTemplate.of(path));
    known.set(ontology, templates);
  }
  return templates;
}

/** Where what can be searched for stands in a record, from its path on. */
function belowRecords(ontology: Ontology): string[] {
  return directoriesOf(ontology)
    .map(({ text }) => text)
    .filter((text) => text.startsWith(RECORDS))
    .map((text) => PathTemplate.of(text).fill({ record_id: '' }).slice(RECORDS.length));
}

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

/** Where things of a class stand, those of the classes below it included. */
function pathsOf(ontology: Ontology, target: string): string[] {
  return [...ontology.classes.values()].flatMap(({ iri, basePath }) =>
    basePath !== undefined && isA(ontology, iri, target) ? [basePath] : [],
  );
}

function isDirectory(path: string): boolean {
  const { parameters, segments } = PathTemplate.of(path);
  return path.startsWith(RECORDS)
    ? parameters.join() === 'record_id'
    : parameters.length > 0 && 'parameter' in (segments.at(-1) ?? {});
}
