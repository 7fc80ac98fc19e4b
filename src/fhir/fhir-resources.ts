import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../rdf/json-object.js';
import { readDocuments } from '../endpoint/reading/input-documents.js';
import { hexDigest } from '../rdf/hex-digest.js';
import { resourceUrn } from '../rdf/vocabulary.js';

/** One resource of a file. */
export interface FhirResource {
  readonly type: string;
  /** Its id; of one without an id the UUID of its URL, else a digest of its text. */
  readonly id: string;
  /** How it is called while it is mapped. */
  readonly iri: string;
  readonly fullUrl: string | undefined;
  readonly value: JsonObject;
  /** Where it stands in the file, for people: `entry 3`, `line 12`. */
  readonly place: string;
}

/** As much of a resource as names it. */
export type ResourceName = Pick<FhirResource, 'type' | 'id'>;

/** What one JSON text of a file holds. */
export interface FhirDocument {
  /** Each in its latest version. */
  readonly resources: readonly FhirResource[];
  /** Earlier versions of these. */
  readonly older: readonly FhirResource[];
  /** What cannot be read, one sentence each. */
  readonly problems: readonly FhirProblem[];
}

export interface FhirProblem {
  /** From 1; null where the file has no lines of its own. */
  readonly line: number | null;
  readonly reason: string;
}

const typeName = /^[A-Z][A-Za-z]{1,63}$/u;
const idText = /^[A-Za-z0-9.-]{1,64}$/u;
const uuidUrl = /^urn:uuid:([0-9a-f-]{36})$/iu;

/** Whether a text can be the id of a resource (FHIR R4, datatype id). */
export function isResourceId(text: unknown): text is string {
  return typeof text === 'string' && idText.test(text) && text !== '.' && text !== '..';
}

/**
 * Reads the resources of a stream of bytes: one resource, a Bundle, or NDJSON of either, packed with gzip or not; one
 * document at a time is in memory. What is no resource becomes a problem, and the rest is read.
 * @throws what the stream throws
 */
export async function* readResources(input: AsyncIterable<Uint8Array>): AsyncGenerator<FhirDocument> {
  for await (const { value, isLine, index, problems } of readDocuments(input)) {
    const line = isLine ? index + 1 : null;
    // A name that stands twice in one object is read as its last value, as JSON parsers do.
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
      : [{ value, url: undefined, place: '' }];
  const found = resources.flatMap((entry): FhirResource[] => {
    const where = [place, entry.place].filter(Boolean).join(', ');
    if ('fault' in entry) {
      problems.push({ line, reason: [entry.place, entry.fault].filter(Boolean).join(': ') });
      return [];
    }
    const resource = resourceOf(entry.value, entry.url, where);
    if (typeof resource !== 'string') return [resource];
    problems.push({ line, reason: [entry.place, resource].filter(Boolean).join(': ') });
    return [];
  });
  return { ...latestOf(found, isObject(value) && value.type === 'history'), problems };
}

/**
 * Of a resource that a document has several times, the version that was updated last. Where that is not said of
 * both, a history begins with it (FHIR R4, "history"), and other documents end with it.
 */
function latestOf(
  found: readonly FhirResource[],
  isHistory: boolean,
): Pick<FhirDocument, 'resources' | 'older'> {
  const latest = new Map<string, FhirResource>();
  const older: FhirResource[] = [];
  for (const next of found) {
    const known = latest.get(next.iri);
    const order = known ? instantOf(next) - instantOf(known) : 1;
    const isLater = Number.isNaN(order) || order === 0 ? !isHistory : order > 0;
    if (isLater) latest.set(next.iri, next);
    // A copy, as searches with includes and documents have them, is no other version.
    if (known && !isDeepStrictEqual(known.value, next.value)) older.push(isLater ? known : next);
  }
  return { resources: [...latest.values()], older };
}

const instantOf = (resource: FhirResource): number => Date.parse(lastUpdated(resource) ?? '');

/** When a resource says that it was last changed where it came from. */
export function lastUpdated({ value: { meta } }: FhirResource): string | undefined {
  const said = isObject(meta) ? meta.lastUpdated : undefined;
  return typeof said === 'string' ? said : undefined;
}

type Entry = { value: unknown; url: string | undefined; place: string } | { fault: string; place: string };

function entriesOf({ entry }: JsonObject): Entry[] {
  if (entry === undefined) return [];
  if (!Array.isArray(entry)) return [{ fault: 'The entries of a Bundle are an array.', place: '' }];
  return (entry as unknown[]).map((each, index) => {
    const place = `entry ${index}`;
    if (!isObject(each)) return { fault: 'An entry of a Bundle is an object.', place };
    const { resource, fullUrl } = each;
    if (resource === undefined)
      return { fault: 'The entry holds no resource; changes that remove one are not carried out.', place };
    return { value: resource, url: typeof fullUrl === 'string' ? fullUrl : undefined, place };
  });
}

/** The resource of a JSON value, or the sentence that says why it is none. */
function resourceOf(value: unknown, fullUrl: string | undefined, place: string): FhirResource | string {
  if (!isObject(value)) return 'A resource is a JSON object.';
  const { resourceType: type, id: own } = value;
  if (typeof type !== 'string' || !typeName.test(type)) return 'The object has no resourceType.';
  if (type === 'Bundle') return 'A Bundle within a Bundle is not read; load it as a file of its own.';
  // A patient whose address changes has to keep the record, so what is called an id is better than the content.
  const named = type === 'Patient' && typeof own === 'string' && own !== '' ? own : undefined;
  const id = isResourceId(own)
    ? own
    : (uuidOf(fullUrl) ?? digestOf(fullUrl ?? named ?? JSON.stringify(value)));
  return { type, id, iri: resourceIri(type, id), fullUrl, value, place };
}

/** Where a resource stands in its file, for people. */
export const placeOf = ({ type, place }: FhirResource): string => `${type} at ${place || 'the start'}`;

/** Whether a resource has an id of its own that is none, and another one in its place. */
export const isRenamed = ({ id, value }: FhirResource): boolean => value.id !== undefined && value.id !== id;

/** What a resource is called in FHIR: `Condition/c1`. */
export const nameOf = ({ type, id }: ResourceName): string => `${type}/${id}`;

export const resourceIri = (type: string, id: string): string => `${resourceUrn}${type}/${id}`;

/** The type and the id in the IRI of a resource. */
export function partsOf(iri: string): { type: string; id: string } | undefined {
  if (!iri.startsWith(resourceUrn)) return undefined;
  const [type = '', id = ''] = iri.slice(resourceUrn.length).split('/');
  return { type, id };
}

function uuidOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : uuidUrl.exec(url)?.[1]?.toLowerCase();
}

const digestOf = (text: string): string => hexDigest(text).slice(0, 16);

/** The file itself could not be read: the others go on. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** The documents of a file. What fails while they are stored is none of its errors. @throws UnreadableFile */
export async function* documentsOf(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<FhirDocument> {
  try {
    yield* readResources(open());
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UnreadableFile(`The file cannot be read: ${error.message}`);
  }
}
