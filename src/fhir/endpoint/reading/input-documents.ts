import { fhirNamespace } from '../../../rdf/vocabulary.js';
import { BrokenGzip, unpacked } from '../../../store/disk/unpacked.js';
import { decodeText, readJson, UnreadableJson } from './read-json.js';
import { type EndpointProblem, endpointProblem } from '../endpoint-problem.js';
import { LineReader } from './lines.js';
import { isObject } from '../../../rdf/json-object.js';
import { codesOfSystem } from '../rules/structures.js';
import { validateEndpoint, type ValidateOptions } from '../rules/validate-endpoint.js';

/** The limit for one document, and for one line of NDJSON, in bytes. */
const MAX_DOCUMENT = 128 * 1024 * 1024;
const MAX_LINE = 16 * 1024 * 1024;

export interface InputDocument {
  /** Its line in NDJSON, from 0; 0 for a single document. */
  readonly index: number;
  /** Whether it is a line of NDJSON. */
  readonly isLine: boolean;
  /** Undefined if it is not JSON. */
  readonly value: unknown;
  readonly problems: readonly EndpointProblem[];
}

export interface DocumentOptions {
  /** The input is NDJSON, one document per line; otherwise it counts as NDJSON if its first line is a whole JSON value. */
  readonly ndjson?: boolean | undefined;
  /** An empty input is NDJSON without a line. */
  readonly mayBeEmpty?: boolean | undefined;
}

/**
 * Reads the JSON documents of a stream of bytes, with or without gzip: one document, or NDJSON of any length, with one
 * line at a time in memory. A line that is not JSON is a problem of that line; the next ones follow.
 * @throws what the stream throws
 */
export async function* readDocuments(
  input: AsyncIterable<Uint8Array>,
  { ndjson = false, mayBeEmpty = false }: DocumentOptions = {},
): AsyncGenerator<InputDocument> {
  const lines = new LineReader(unpacked(input));
  let index = 0;
  try {
    if (!ndjson) {
      const first = await readFirst(lines, mayBeEmpty);
      if (first === undefined) return;
      yield first;
      if (!first.isLine) return;
      index = first.index + 1;
    }
    for (; ; index++) {
      const line = lines.ready(MAX_LINE) ?? (await lines.next(MAX_LINE));
      if (Buffer.isBuffer(line)) {
        if (!isBlank(line)) yield parsed(line, index, true);
      } else if (line.done) return;
      else if (line.line === undefined) yield unreadable(tooLarge('line', MAX_LINE), index, true);
      else if (!isBlank(line.line)) yield parsed(line.line, index, true);
    }
  } catch (error) {
    const problem = error instanceof BrokenGzip ? new UnreadableJson('unreadable', error.message) : error;
    if (!(problem instanceof UnreadableJson)) throw error;
    yield unreadable(problem, index, ndjson || index > 0);
  } finally {
    await lines.close();
  }
}

/** Returns the first line that is not blank if it is a document, else the whole input; nothing if that may be empty. */
async function readFirst(lines: LineReader, mayBeEmpty: boolean): Promise<InputDocument | undefined> {
  const all: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > MAX_DOCUMENT) throw tooLarge('document', MAX_DOCUMENT);
    all.push(part);
  };
  for (let index = 0; ; index++) {
    const next = lines.ready(MAX_DOCUMENT) ?? (await lines.next(MAX_DOCUMENT));
    const isThere = Buffer.isBuffer(next);
    if (!isThere && next.done) break;
    const line = isThere ? next : next.line;
    if (line === undefined) throw tooLarge('document', MAX_DOCUMENT);
    const first = isBlank(line) ? undefined : parsed(line, index, true);
    // A line that is not a document by itself begins a pretty-printed one.
    if (first && first.value !== undefined) return first;
    add(line);
    if (first) break;
    add(LINE_END);
  }
  let more = false;
  for await (const chunk of lines.rest()) {
    // The end of the previous line: the last one may have none.
    if (!more) add(LINE_END);
    more = true;
    add(chunk);
  }
  const bytes = Buffer.concat(all);
  return mayBeEmpty && isBlank(bytes) ? undefined : parsed(bytes, 0, false);
}

const LINE_END = Buffer.from('\n');

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

function parsed(bytes: Buffer, index: number, isLine: boolean): InputDocument {
  try {
    return { index, isLine, ...readJson(decodeText(bytes), isLine ? index + 1 : 1) };
  } catch (error) {
    if (error instanceof UnreadableJson) return unreadable(error, index, isLine);
    throw error;
  }
}

function unreadable({ problem }: UnreadableJson, index: number, isLine: boolean): InputDocument {
  return { index, isLine, value: undefined, problems: [problem] };
}

function tooLarge(what: 'line' | 'document', limit: number): UnreadableJson {
  const sentence = `The ${what} is larger than ${limit / 1024 / 1024} MB${what === 'line' ? '' : '; write it as NDJSON'}.`;
  return new UnreadableJson('too-large', sentence);
}

export interface CheckOptions extends ValidateOptions {
  /** The input is NDJSON even if its first line is not JSON. */
  readonly ndjson?: boolean | undefined;
}

export interface CheckedResource {
  /** The line in NDJSON or the entry in a Bundle, from 0; otherwise 0. */
  readonly index: number;
  /** Where the index comes from. */
  readonly kind: 'document' | 'line' | 'entry';
  /** Whether it was skipped because it is not an endpoint. */
  readonly skipped: boolean;
  readonly value: unknown;
  readonly problems: readonly EndpointProblem[];
}

/**
 * Checks every endpoint of a stream of bytes: one resource, a Bundle, or NDJSON, also with gzip. Other resources are
 * skipped, except a single one. Pointers start at the endpoint; in a Bundle that is itself a line, at the line.
 * @throws what the stream throws
 */
export async function* checkDocuments(
  input: AsyncIterable<Uint8Array>,
  options: CheckOptions = {},
): AsyncGenerator<CheckedResource> {
  const allow = new Set(options.allow);
  let previous: InputDocument | undefined;
  let alone = true;
  for await (const document of readDocuments(input, options)) {
    if (previous !== undefined) {
      alone = false;
      yield* checkDocument(previous, allow, false);
    }
    previous = document;
  }
  if (previous !== undefined) yield* checkDocument(previous, allow, alone && options.ndjson !== true);
}

function* checkDocument(
  { index, isLine, value, problems }: InputDocument,
  allow: ReadonlySet<string>,
  alone: boolean,
): Generator<CheckedResource> {
  const kind = isLine && !alone ? 'line' : 'document';
  if (typeOf(value) === 'Bundle') {
    if (problems.length > 0) yield { index, kind, skipped: false, value: undefined, problems };
    for (const entry of checkBundle(value as Bundle, allow))
      yield kind === 'document' ? entry : within(entry, index);
  } else if (value === undefined) yield { index, kind, skipped: false, value, problems };
  else if (isOther(value) && !alone) yield { index, kind, skipped: true, value, problems };
  else
    yield {
      index,
      kind,
      skipped: false,
      value,
      problems: [...problems, ...validateEndpoint(value, { allow })],
    };
}

interface Bundle {
  readonly entry?: unknown;
}

function* checkBundle({ entry }: Bundle, allow: ReadonlySet<string>): Generator<CheckedResource> {
  if (entry === undefined) return;
  if (!Array.isArray(entry)) {
    const problem = endpointProblem('/entry', 'bundle', 'The entries of a Bundle are an array.');
    yield { index: 0, kind: 'document', skipped: false, value: undefined, problems: [problem] };
    return;
  }
  for (const [index, each] of (entry as unknown[]).entries()) {
    const base = { index, kind: 'entry' as const };
    if (!isObject(each)) {
      const problem = endpointProblem('', 'bundle', 'An entry of a Bundle is an object.');
      yield { ...base, skipped: false, value: undefined, problems: [problem] };
      continue;
    }
    const { resource, request } = each;
    // A deleted resource is no endpoint any more, even if its last version is in the entry.
    if (resource === undefined || (isObject(request) && request.method === 'DELETE')) continue;
    if (isOther(resource)) yield { ...base, skipped: true, value: resource, problems: [] };
    else yield { ...base, skipped: false, value: resource, problems: validateEndpoint(resource, { allow }) };
  }
}

/** An entry of a Bundle that is one of many lines. */
function within({ index, problems, skipped, value, kind }: CheckedResource, line: number): CheckedResource {
  const start = kind === 'entry' ? `/entry/${index}/resource` : '';
  const moved = problems.map((problem) => ({ ...problem, pointer: start + problem.pointer }));
  return { index: line, kind: 'line', skipped, value, problems: moved };
}

/** A resource of another type of R4; what names no type, or none that there is, may be meant as an endpoint. */
function isOther(value: unknown): boolean {
  const type = typeOf(value);
  return type !== undefined && type !== 'Endpoint' && resourceTypes?.has(type) === true;
}

const resourceTypes = codesOfSystem(`${fhirNamespace}resource-types`);

function typeOf(value: unknown): string | undefined {
  const { resourceType } = (value ?? {}) as { resourceType?: unknown };
  return typeof resourceType === 'string' ? resourceType : undefined;
}
