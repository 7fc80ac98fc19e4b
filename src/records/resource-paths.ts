import type { CallModel, ClassModel, Ontology } from '../model/ontology/model.js';
import { PathTemplate, type PathSegment, type PathValues } from '../model/ontology/path-template.js';
import { literal, namedNode, type Term } from '../rdf/terms.js';
import { isRecordId } from './identifiers.js';

/** The place of a class's statements below their record: `medications` with an id each, or a single `demographics`. */
export interface StatementPath {
  readonly segment: string;
  readonly item: boolean;
}

/** A path in a record; `rest` is '' for the record itself. */
export interface RecordPath {
  readonly recordId: string;
  readonly rest: string;
}

export const recordsStart = (base: string): string => `${base}/records/`;

/** Returns the IRI of a record, without a trailing slash. */
export const recordIri = (base: string, recordId: string): string => recordsStart(base) + recordId;

export const ontologyIri = (base: string): string => `${base}/ontology`;

const KEPT_BY_APP = /^\/(?:records|users)\/[^/]+\/apps\//u;

/** Tells whether a path is of a text that an app keeps with a record or user; these have no history. */
export const isKeptByApp = (path: string): boolean => KEPT_BY_APP.test(path);

/** Returns the IRI that a request addresses. @throws RangeError when a path parameter is missing */
export function resourceOf(call: Pick<CallModel, 'path'>, path: PathValues, base: string): string {
  return base + PathTemplate.of(call.path).fill(path);
}

/** Returns the terms bound into a call's query: `$resource`, `$record`, and each path parameter as a plain literal. */
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

/** Returns the path of a class's statements; undefined for a class without instances. */
export function statementPathOf(model: ClassModel): StatementPath | undefined {
  const [records, record, ...below] = PathTemplate.of(model.basePath ?? '').segments;
  if (literalOf(records) !== 'records' || !record || !('parameter' in record)) return undefined;
  const item = below.length > 0 && literalOf(below.at(-1)) === undefined;
  const names = (item ? below.slice(0, -1) : below).map(literalOf);
  return names.length > 0 && !names.includes(undefined) ? { segment: names.join('/'), item } : undefined;
}

const literalOf = (segment: PathSegment | undefined): string | undefined =>
  segment && 'literal' in segment ? segment.literal : undefined;

/** Returns a statement's IRI: `{record}/medications/{id}`, or `{record}/demographics` without an id. */
export function statementIri(record: string, { segment, item }: StatementPath, id: string): string {
  return item ? `${record}/${segment}/${id}` : `${record}/${segment}`;
}

/** Tells whether `rest` of a record path fits a statement path. */
export function fits({ segment, item }: StatementPath, rest: string): boolean {
  if (!item) return rest === segment;
  const start = `${segment}/`;
  return rest.startsWith(start) && isRecordId(rest.slice(start.length));
}

/** Splits an IRI of a record under the base URL; undefined for others. */
export function recordPath(iri: string, base: string): RecordPath | undefined {
  const start = recordsStart(base);
  if (!iri.startsWith(start)) return undefined;
  const path = iri.slice(start.length);
  const slash = path.indexOf('/');
  const recordId = slash < 0 ? path : path.slice(0, slash);
  return isRecordId(recordId) ? { recordId, rest: slash < 0 ? '' : path.slice(slash + 1) } : undefined;
}

export function statementPaths(ontology: Ontology): StatementPath[] {
  const paths = new Map<string, StatementPath>();
  for (const model of ontology.classes.values()) {
    const path = model.kind === 'statement' ? statementPathOf(model) : undefined;
    if (path) paths.set(`${path.segment} ${path.item}`, path);
  }
  return [...paths.values()];
}
