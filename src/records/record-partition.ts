import type { CallModel, Ontology } from '../ontology/model.js';
import { isA } from '../ontology/model.js';
import { PathTemplate } from '../ontology/path-template.js';
import { SHARED, type Partition, type Scope } from '../store/parts.js';
import { recordsStart } from './resource-paths.js';

/** The path below which all records stand. */
const RECORDS = recordsStart('');

/** The part of the container that a record is. */
export const recordPart = (recordId: string): string => RECORDS + recordId;

/**
 * Every record is a part of the container. Users, apps and the like are shared, and of each record what the calls that
 * are about no record read of it: with the ontology as it is, the demographics, which the search looks through.
 */
export function recordPartition(ontology: Ontology): Partition {
  const templates = directoriesOf(ontology);
  return {
    partOf: (path) => {
      if (!path.startsWith(RECORDS)) return SHARED;
      const end = path.indexOf('/', RECORDS.length);
      return end < 0 ? path : path.slice(0, end);
    },
    sharedOf: (part) => {
      const record_id = part.slice(RECORDS.length);
      return templates.map((template) => template.fill({ record_id }));
    },
  };
}

/**
 * Where everything lies that the query of a call can find. About a record, it reads nothing but graphs that say that
 * they belong to it, and those stand below it (rule `query-unguarded`); otherwise, nothing but things of the target's
 * class (`call-access` and the same rule). Undefined, for everything, when one of those might stand anywhere.
 */
export function scopeOf(
  ontology: Ontology,
  { scope, target, pathParameters }: CallModel,
  recordId: string | undefined,
): Scope | undefined {
  if (pathParameters.includes('record_id'))
    return recordId === undefined ? undefined : [recordPart(recordId)];
  const isBounded = scope === 'user' || pathsOf(ontology, target).every(isSharedPath);
  return isBounded ? [SHARED] : undefined;
}

/** The paths of single statements of records that calls about no record read. */
function directoriesOf(ontology: Ontology): PathTemplate[] {
  const targets = ontology.calls.filter(({ scope }) => scope === 'container').map(({ target }) => target);
  const paths = targets.flatMap((target) => pathsOf(ontology, target));
  return [...new Set(paths)].filter(isDirectory).map((path) => PathTemplate.of(path));
}

/** Where things of a class stand, those of the classes below it included. */
function pathsOf(ontology: Ontology, target: string): string[] {
  return [...ontology.classes.values()].flatMap(({ iri, basePath }) =>
    basePath !== undefined && isA(ontology, iri, target) ? [basePath] : [],
  );
}

const isDirectory = (path: string): boolean =>
  path.startsWith(RECORDS) && PathTemplate.of(path).parameters.join() === 'record_id';

const isSharedPath = (path: string): boolean => !path.startsWith(RECORDS) || isDirectory(path);
