import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import { readDocuments } from './endpoint/reading/input-documents.js';
import { hexDigest } from '../rdf/hex-digest.js';
import { deletedState } from '../rdf/vocabulary.js';
import type { ResourceVersion } from '../records/statement-origins.js';
import { isResourceId, resourceIri, sourceOf, typeAndId } from './resource-names.js';

/** One resource of a file. */
export interface FhirResource {
  readonly type: string;
  /** Its id; without one, the UUID of its URL or else a digest of its text. */
  readonly id: string;
  /** Its name during the mapping. */
  readonly iri: string;
  readonly fullUrl: string | undefined;
  readonly value: JsonObject;
  /** Its place in the file, for people: `entry 3`, `line 12`. */
  readonly place: string;
  /** When its source last updated it, in milliseconds; NaN if unknown. */
  readonly updated: number;
  /** The number of this version there; NaN if there is none. */
  readonly number: number;
  /** The URL of its server; undefined if its own URL does not show it. */
  readonly source: string | undefined;
  /** Whether this version says that the resource was deleted. */
  readonly isDeleted: boolean;
}

/** One file of FHIR resources, opened when its turn comes. */
export interface FhirFile {
  readonly name: string;
  readonly open: () => AsyncIterable<Uint8Array>;
  /** Whether it can be opened only once, like standard input: its patients are unknown until they are read. */
  readonly isOnce?: boolean | undefined;
  /** Whether an empty file is NDJSON without a line. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** The content of one JSON text of a file. */
export interface FhirDocument {
  /** Each in its latest version. */
  readonly resources: readonly FhirResource[];
  /** Earlier versions of these. */
  readonly older: readonly FhirResource[];
  /** What could not be read, one sentence each. */
  readonly problems: readonly FhirProblem[];
  /** For a page of a search, its URL and that of the next page. */
  readonly page?: {
    readonly self: string | undefined;
    readonly next: string | undefined;
    readonly place: string;
  };
}

export interface FhirProblem {
  /** From 1; null if the file has no lines. */
  readonly line: number | null;
  readonly reason: string;
}

const typeName = /^[A-Z][A-Za-z]{1,63}$/u;
const uuidUrl = /^urn:uuid:([0-9a-f-]{36})$/iu;
/** Why it is not a resource at all: a log beside an export, for example. */
export const NO_TYPE = 'The object has no resourceType.';

/**
 * Reads the resources of a stream of bytes: one resource, a Bundle, or NDJSON of either, with or without gzip, with one
 * document at a time in memory. Anything else becomes a problem, and the rest is read.
 * @throws what the stream throws
 */
export async function* readResources(
  input: AsyncIterable<Uint8Array>,
  mayBeEmpty = false,
): AsyncGenerator<FhirDocument> {
  for await (const { value, isLine, index, problems } of readDocuments(input, { mayBeEmpty })) {
    const line = isLine ? index + 1 : null;
    // The last value of a duplicate name counts, as in JSON parsers.
    if (value === undefined) {
      yield {
        resources: [],
        older: [],
        problems: problems.map(({ message }) => ({ line, reason: message })),
      };
    } else yield documentOf(value, line);
  }
}

function documentOf(value: unknown, line: number | null): FhirDocument {
  const problems: FhirProblem[] = [];
  const place = line === null ? '' : `line ${line}`;
  const resources =
    isObject(value) && value.resourceType === 'Bundle'
      ? entriesOf(value)
      : [{ value, url: undefined, place: '', isDeleted: false, modified: undefined, etag: undefined }];
  const found = resources.flatMap((entry): FhirResource[] => {
    const where = [place, entry.place].filter(Boolean).join(', ');
    if ('fault' in entry) {
      problems.push({ line, reason: [entry.place, entry.fault].filter(Boolean).join(': ') });
      return [];
    }
    const resource = resourceOf(entry, where);
    if (typeof resource !== 'string') return [resource];
    problems.push({ line, reason: [entry.place, resource].filter(Boolean).join(': ') });
    return [];
  });
  return {
    ...latestOf(found, isObject(value) && value.type === 'history'),
    problems,
    ...(isObject(value) && value.resourceType === 'Bundle' && { page: { ...pageOf(value), place } }),
  };
}

/** Returns the URLs of a page of a search and of the next one (FHIR R4, "Paging"). */
function pageOf({ link }: JsonObject): { self: string | undefined; next: string | undefined } {
  const links = Array.isArray(link) ? (link as unknown[]).filter(isObject) : [];
  const to = (relation: string): string | undefined => {
    const url = links.find((each) => each.relation === relation)?.url;
    return typeof url === 'string' ? url : undefined;
  };
  return { self: to('self'), next: to('next') };
}

/** Whether a resource is labelled as test data (`HTEST` of v3-ActReason). */
export function isTestData({ value: { meta } }: FhirResource): boolean {
  const labels = isObject(meta) ? [meta.security, meta.tag].flat() : [];
  return labels.some((each) => isObject(each) && each.code === 'HTEST');
}

/**
 * Of several versions in a document, returns the one updated last. If the times are unknown, that is the first in a
 * history (FHIR R4, "history"), and the last in other documents.
 */
function latestOf(
  found: readonly FhirResource[],
  isHistory: boolean,
): Pick<FhirDocument, 'resources' | 'older'> {
  const latest = new Map<string, FhirResource>();
  const older: FhirResource[] = [];
  for (const next of found) {
    const known = latest.get(next.iri);
    const order = known ? orderOf(next, known) : 1;
    const isLater = Number.isNaN(order) || order === 0 ? !isHistory : order > 0;
    if (isLater) latest.set(next.iri, next);
    // A copy, as in documents and searches with includes, is not another version.
    const isCopy = known?.isDeleted === next.isDeleted && isDeepStrictEqual(known.value, next.value);
    if (known && !isCopy) older.push(isLater ? known : next);
  }
  return { resources: [...latest.values()], older };
}

/** Below 0 if a version is older than another one, above if it is newer; NaN if unknown. */
export function orderOf(one: ResourceVersion, other: ResourceVersion): number {
  const updated = (one.updated ?? NaN) - (other.updated ?? NaN);
  return Number.isNaN(updated) ? (one.number ?? NaN) - (other.number ?? NaN) : updated;
}

const versionText = /^(?:W\/)?"?(\d{1,15})"?$/u;

/** Returns the number of a version, or of its entity tag; NaN if it is not a number. */
const numberOf = (text: unknown): number =>
  typeof text === 'string' ? Number(versionText.exec(text)?.[1] ?? NaN) : NaN;

/** Returns the milliseconds of an instant, with fractions; NaN if it is not one. */
function instantOf(text: unknown): number {
  if (typeof text !== 'string') return NaN;
  const [, finer = '0'] = /\.\d{3}(\d+)/u.exec(text) ?? [];
  return Date.parse(text) + Number(`0.${finer}`);
}

/** Returns when a resource says that its source last changed it. */
export function lastUpdated({ value: { meta } }: { readonly value: JsonObject }): string | undefined {
  const said = isObject(meta) ? meta.lastUpdated : undefined;
  return typeof said === 'string' ? said : undefined;
}

/** An entry of a Bundle; `modified` is when the server made that version. */
interface Stated {
  readonly value: unknown;
  readonly url: string | undefined;
  readonly place: string;
  readonly isDeleted: boolean;
  readonly modified: unknown;
  readonly etag: unknown;
}

type Entry = Stated | { fault: string; place: string };

function entriesOf({ entry, meta, timestamp }: JsonObject): Entry[] {
  if (entry === undefined) return [];
  if (!Array.isArray(entry)) return [{ fault: 'The entries of a Bundle are an array.', place: '' }];
  return (entry as unknown[]).map((each, index) => {
    const place = `entry ${index}`;
    if (!isObject(each)) return { fault: 'An entry of a Bundle is an object.', place };
    const { resource, fullUrl, request, response } = each;
    const url = typeof fullUrl === 'string' ? fullUrl : undefined;
    const isDeleted = isObject(request) && request.method === 'DELETE';
    const value = resource ?? (isDeleted ? (namedBy(request.url) ?? namedBy(url)) : undefined);
    if (value === undefined)
      return {
        fault: isDeleted
          ? 'The entry deletes a resource without its type and id, which is not carried out.'
          : 'The entry holds no resource.',
        place,
      };
    const { lastModified, etag } = isObject(response) ? response : {};
    // Bulk exports give one time for the whole Bundle (Bulk Data Access, "Deleted").
    const modified =
      lastModified ?? (isDeleted ? (isObject(meta) && meta.lastUpdated) || timestamp : undefined);
    return { value, url, place, isDeleted, modified, etag };
  });
}

/** Returns the parts of a resource that its URL shows. */
function namedBy(url: unknown): JsonObject | undefined {
  const named = typeof url === 'string' ? typeAndId(url) : undefined;
  return named && { resourceType: named.type, id: named.id };
}

/** Returns a JSON value as a resource; undefined if it is not one. */
export function resourceIn(value: unknown, place: string): FhirResource | undefined {
  const stated = { value, url: undefined, place, isDeleted: false, modified: undefined, etag: undefined };
  const found = resourceOf(stated, place);
  return typeof found === 'string' ? undefined : found;
}

/** Returns the resource of an entry, or a sentence that says why it is not one. */
function resourceOf({ value, url: fullUrl, ...said }: Stated, place: string): FhirResource | string {
  if (!isObject(value)) return 'A resource is a JSON object.';
  const { resourceType: type, id: own } = value;
  if (typeof type !== 'string' || !typeName.test(type)) return NO_TYPE;
  if (type === 'Bundle') return 'A Bundle within a Bundle is not read; load it as a file of its own.';
  // A patient whose address changes must keep the record, so any id is better than the content.
  const named = type === 'Patient' && typeof own === 'string' && own !== '' ? own : undefined;
  const id = isResourceId(own)
    ? own
    : (uuidOf(fullUrl) ?? digestOf(fullUrl ?? named ?? JSON.stringify(value)));
  const isDeleted = said.isDeleted || isSoftDeleted(value);
  const updated = lastUpdated({ value });
  // A resource in the entry of its deletion is the previous version.
  const stamp = said.isDeleted ? (said.modified ?? updated) : (updated ?? said.modified);
  const version = isObject(value.meta) ? value.meta.versionId : undefined;
  const number = said.isDeleted ? (said.etag ?? version) : (version ?? said.etag);
  return {
    type,
    id,
    iri: resourceIri(type, id),
    fullUrl,
    value,
    place,
    updated: instantOf(stamp),
    number: numberOf(number),
    source: sourceOf(fullUrl),
    isDeleted,
  };
}

function isSoftDeleted({ meta }: JsonObject): boolean {
  const extensions: unknown = isObject(meta) ? meta.extension : undefined;
  if (!Array.isArray(extensions)) return false;
  return (extensions as unknown[]).some(
    (each) => isObject(each) && each.url === deletedState && each.valueString === 'soft-deleted',
  );
}

/** Describes the place of a resource in its file. */
export const placeOf = ({ type, place }: FhirResource): string => `${type} at ${place || 'the start'}`;

/** Whether the resource's own id is invalid and was replaced. */
export const isRenamed = ({ id, value }: FhirResource): boolean => value.id !== undefined && value.id !== id;

function uuidOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : uuidUrl.exec(url)?.[1]?.toLowerCase();
}

const digestOf = (text: string): string => hexDigest(text).slice(0, 16);

/** Thrown if the file itself cannot be read; loading continues with the others. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Yields the documents of a file. Errors while they are stored are not errors of the file. @throws UnreadableFile */
export async function* documentsOf({
  open,
  mayBeEmpty,
}: Pick<FhirFile, 'open' | 'mayBeEmpty'>): AsyncGenerator<FhirDocument> {
  try {
    yield* readResources(open(), mayBeEmpty);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UnreadableFile(`The file cannot be read: ${error.message}`);
  }
}
