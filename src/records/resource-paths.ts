import type { ClassModel, Ontology } from '../ontology/model.js';
import { isRecordId } from './identifiers.js';

/** Where the statements of a class stand below their record: `medications` with an id each, or `demographics` alone. */
export interface Place {
  readonly segment: string;
  /** Whether an id follows; without one a record has at most one such statement. */
  readonly item: boolean;
}

/** A path below the base URL that lies in a record; `rest` is '' for the record itself. */
export interface RecordPath {
  readonly recordId: string;
  readonly rest: string;
}

const TEMPLATE = /^\/records\/\{[^{}/]+\}\/([^{}]+?)(\/\{[^{}/]+\})?\/?$/;

/** The IRI of a record: no trailing slash. */
export function recordIri(base: string, recordId: string): string {
  return `${base}/records/${recordId}`;
}

/** The place that the base path of a class describes, or undefined for a class that nothing can be an instance of. */
export function placeOf(model: ClassModel): Place | undefined {
  const [, segment, id] = TEMPLATE.exec(model.basePath ?? '') ?? [];
  return segment === undefined ? undefined : { segment, item: id !== undefined };
}

/** The IRI of a statement of the record: `{record}/medications/{id}`, or `{record}/demographics` where no id belongs. */
export function statementIri(record: string, place: Place, id: string): string {
  return place.item ? `${record}/${place.segment}/${id}` : `${record}/${place.segment}`;
}

/** Whether `rest` of a record path is a name that the place allows. */
export function fits(place: Place, rest: string): boolean {
  if (!place.item) return rest === place.segment;
  const start = `${place.segment}/`;
  return rest.startsWith(start) && isRecordId(rest.slice(start.length));
}

/** Takes an IRI apart that lies in a record under the base URL; undefined for every other one. */
export function recordPath(iri: string, base: string): RecordPath | undefined {
  const start = `${base}/records/`;
  if (!iri.startsWith(start)) return undefined;
  const path = iri.slice(start.length);
  const slash = path.indexOf('/');
  const recordId = slash < 0 ? path : path.slice(0, slash);
  return isRecordId(recordId) ? { recordId, rest: slash < 0 ? '' : path.slice(slash + 1) } : undefined;
}

/** All places of an ontology, each once. */
export function placesOf(ontology: Ontology): Place[] {
  const places = new Map<string, Place>();
  for (const model of ontology.classes.values()) {
    const place = model.kind === 'statement' ? placeOf(model) : undefined;
    if (place) places.set(`${place.segment} ${place.item}`, place);
  }
  return [...places.values()];
}
