import type { CallModel } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import type { Sample } from './sample.js';

/** A request that a reader can send: everything of it but its signature. */
export interface ExampleRequest {
  readonly call: CallModel;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** Decoded query parameters. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Path and query below the base URL, as they are sent. */
  readonly target: string;
  readonly body?: { readonly mediaType: string; readonly text: string };
  /** Whose token signs it. */
  readonly app: string;
  readonly user: string;
  readonly record: string;
}

/** A request with the answer that the call’s own query gives over the shipped seed. */
export interface CallExample {
  readonly request: ExampleRequest;
  /** Header fields of the answer that say more than its media type. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The answer, in each serialisation that is shown; the default first. */
  readonly samples: readonly Sample[];
}

/** Everything that documentation shows of the seed. */
export interface Examples {
  /** By client method name; a call for which the seed has nothing is missing. */
  readonly calls: ReadonlyMap<string, CallExample>;
  /** Instances by the IRI of their class. */
  readonly classes: ReadonlyMap<string, readonly Sample[]>;
}

/** What is shown where there is no seed. */
export const noExamples: Examples = { calls: new Map(), classes: new Map() };

/** The path and query of a request, percent-encoded (RFC 3986 §3.3: `@` and `+` may stand in a path as they are). */
export function targetOf(call: CallModel, { path, query }: Pick<ExampleRequest, 'path' | 'query'>): string {
  const template = PathTemplate.of(call.path);
  const values = Object.entries(path).map(([name, value]) => [name, encodeSegment(value)]);
  const filled = template.fill(Object.fromEntries(values)) + template.slash;
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled;
}

const encodeSegment = (text: string): string =>
  encodeURIComponent(text).replaceAll('%40', '@').replaceAll('%2B', '+');
