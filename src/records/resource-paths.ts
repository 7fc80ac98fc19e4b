import type { CallModel, ClassModel, Ontology } from '../ontology/model.js';
import { PathTemplate, type PathSegment, type PathValues } from '../ontology/path-template.js';
import { literal, namedNode, type Term } from '../rdf/terms.js';
import { isRecordId } from './identifiers.js';

/** Where the statements of a class stand below their record: `medications` with an id each, or `demographics` alone. */
export interface StatementPath {
  readonly segment: string;
  /** Whether an id follows; without one a record has at most one such statement. */
  readonly item: boolean;
}

/** A path below the base URL that lies in a record; `rest` is '' for the record itself. */
export interface RecordPath {
  readonly recordId: string;
  readonly rest: string;
}

/** What the IRI of every record begins with. */
export const recordsStart = (base: string): string => `${base}/records/`;

/** The IRI of a record: no trailing slash. */
export const recordIri = (base: string, recordId: string): string => recordsStart(base) + recordId;

/** The IRI under which the container answers its ontology. */
export const ontologyIri = (base: string): string => `${base}/ontology`;

const KEPT_BY_APP = /^\/(?:records|users)\/[^/]+\/apps\//u;

/** Whether a path is that of a text that an app keeps with a record or a user: it has no history. */
export const isKeptByApp = (path: string): boolean => KEPT_BY_APP.test(path);

/**
 * The IRI that a request addresses: base and path, without a slash at its end.
 * @param path decoded path parameters @throws RangeError when one of them is missing
 */
export function resourceOf(call: Pick<CallModel, 'path'>, path: PathValues, base: string): string {
  return base + PathTemplate.of(call.path).fill(path);
}

/**
 * The terms that a request binds into the query of its call: `$resource` the IRI addressed, `$record` the record it
 * lies in, and every path parameter as a plain literal under its own name.
 */
export function requestTerms(
  { resource, path }: { readonly resource: string; readonly path: Readonly<Record<string, string>> },
  base: string,
): Record<string, Term> {
  const terms: Record<string, Term> = { resource: namedNode(resource) };
  for (const [name, value] of Object.entries(path)) terms[name] = literal(value);
  const record = path['record_id'];
  if (record !== undefined) terms['record'] = namedNode(recordIri(base, record));
  return terms;
}

/** The path that a class gives its statements, or undefined for a class that nothing can be an instance of. */
export function statementPathOf(model: ClassModel): StatementPath | undefined {
  const [records, record, ...below] = PathTemplate.of(model.basePath ?? '').segments;
  if (literalOf(records) !== 'records' || !record || !('parameter' in record)) return undefined;
  const item = below.length > 0 && literalOf(below.at(-1)) === undefined;
  const names = (item ? below.slice(0, -1) : below).map(literalOf);
  return names.length > 0 && !names.includes(undefined) ? { segment: names.join('/'), item } : undefined;
}

const literalOf = (segment: PathSegment | undefined): string | undefined =>
  segment && 'literal' in segment ? segment.literal : undefined;

/** The IRI of a statement of the record: `{record}/medications/{id}`, or `{record}/demographics` where no id belongs. */
export function statementIri(record: string, { segment, item }: StatementPath, id: string): string {
  return item ? `${record}/${segment}/${id}` : `${record}/${segment}`;
}

/** Whether `rest` of a record path is a name that a path of statements allows. */
export function fits({ segment, item }: StatementPath, rest: string): boolean {
  if (!item) return rest === segment;
  const start = `${segment}/`;
  return rest.startsWith(start) && isRecordId(rest.slice(start.length));
}

/** Takes an IRI apart that lies in a record under the base URL; undefined for every other one. */
export function recordPath(iri: string, base: string): RecordPath | undefined {
  const start = recordsStart(base);
  if (!iri.startsWith(start)) return undefined;
  const path = iri.slice(start.length);
  const slash = path.indexOf('/');
  const recordId = slash < 0 ? path : path.slice(0, slash);
  return isRecordId(recordId) ? { recordId, rest: slash < 0 ? '' : path.slice(slash + 1) } : undefined;
}

/** All paths of statements of an ontology, each once. */
export function statementPaths(ontology: Ontology): StatementPath[] {
  const paths = new Map<string, StatementPath>();
  for (const model of ontology.classes.values()) {
    const path = model.kind === 'statement' ? statementPathOf(model) : undefined;
    if (path) paths.set(`${path.segment} ${path.item}`, path);
  }
  return [...paths.values()];
}
