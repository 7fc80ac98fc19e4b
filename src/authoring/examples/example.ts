import type { CallModel } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import type { Sample } from './sample.js';

/** A request that a reader can send, without its signature. */
export interface ExampleRequest {
  readonly call: CallModel;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Path and query below the base URL, as sent. */
  readonly target: string;
  readonly body?: { readonly mediaType: string; readonly text: string };
  readonly app: string;
  readonly user: string;
  readonly record: string;
}

/** A request with the answer of the call's query over the seed. */
export interface CallExample {
  readonly request: ExampleRequest;
  /** Informative header fields of the answer, without its media type. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The answer in each serialisation, the default first. */
  readonly samples: readonly Sample[];
}

export interface Examples {
  /** By client method name; calls without an example are missing. */
  readonly calls: ReadonlyMap<string, CallExample>;
  readonly classes: ReadonlyMap<string, readonly Sample[]>;
}

export const noExamples: Examples = { calls: new Map(), classes: new Map() };

/** Encodes the path and query of a request (RFC 3986 §3.3 allows `@` and `+` in a path). */
export function targetOf(call: CallModel, { path, query }: Pick<ExampleRequest, 'path' | 'query'>): string {
  const template = PathTemplate.of(call.path);
  const values = Object.entries(path).map(([name, value]) => [name, encodeSegment(value)]);
  const filled = template.fill(Object.fromEntries(values)) + template.slash;
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}

const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replaceAll('%40', '@').replaceAll('%2B', '+');
