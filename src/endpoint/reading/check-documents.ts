import { isObject } from '../../rdf/json-object.js';
import { endpointProblem, type EndpointProblem } from '../endpoint-problem.js';
import { readDocuments, type InputDocument } from './input-documents.js';
import { validateEndpoint, type ValidateOptions } from '../rules/validate-endpoint.js';

export interface CheckOptions extends ValidateOptions {
  /** The input is NDJSON even if its first line is no JSON. */
  readonly ndjson?: boolean | undefined;
}

/** A resource, or a text that holds none. */
export interface CheckedResource {
  /** The line (from 0) in NDJSON, the entry (from 0) in a Bundle, else 0. */
  readonly index: number;
  /** Where the index comes from. */
  readonly kind: 'document' | 'line' | 'entry';
  /** Whether it is no endpoint, and was not looked at. */
  readonly skipped: boolean;
  /** The resource; undefined when there is none. */
  readonly value: unknown;
  readonly problems: readonly EndpointProblem[];
}

/**
 * Checks every endpoint of a stream of bytes: one resource, a Bundle, or NDJSON, also packed with gzip. Other
 * resources are skipped, unless one is all there is. Pointers start at the endpoint; in a Bundle that is itself a
 * line, at the line.
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
    const { resource } = each;
    if (resource === undefined) continue;
    if (isOther(resource)) yield { ...base, skipped: true, value: resource, problems: [] };
    else yield { ...base, skipped: false, value: resource, problems: validateEndpoint(resource, { allow }) };
  }
}

/** An entry of a Bundle that is one line of many. */
function within({ index, problems, skipped, value, kind }: CheckedResource, line: number): CheckedResource {
  const start = kind === 'entry' ? `/entry/${index}/resource` : '';
  const moved = problems.map((problem) => ({ ...problem, pointer: start + problem.pointer }));
  return { index: line, kind: 'line', skipped, value, problems: moved };
}

/** A resource of another type; what names no type may be meant as an endpoint. */
function isOther(value: unknown): boolean {
  const type = typeOf(value);
  return type !== undefined && type !== 'Endpoint';
}

function typeOf(value: unknown): string | undefined {
  const { resourceType } = (value ?? {}) as { resourceType?: unknown };
  return typeof resourceType === 'string' ? resourceType : undefined;
}
