import type { DatasetCore, Quad } from '@rdfjs/types';
import type {
  Answer,
  DocumentAnswer,
  FileAnswer,
  JsonAnswer,
  JsonObject,
  ListAnswer,
  NotModified,
  PostedAnswer,
  Streamed,
  TableAnswer,
} from './answer-types.js';
import type { Draft } from './thing-types.js';

export interface CallOptions {
  /** Ends the call, for example `AbortSignal.timeout(5000)`; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a read that always returns the answer. */
export interface ReadOptions extends CallOptions {
  readonly ifNoneMatch?: never;
  readonly stream?: never;
}

/** Options of a read whose answer is delivered as it arrives. */
export interface StreamOptions extends CallOptions {
  readonly stream: true;
}

/** Options of a read that returns the answer unless its entity tag is this one. */
export interface ConditionalOptions extends CallOptions {
  readonly stream?: never;
  readonly ifNoneMatch?: string | undefined;
}

/** Conditions for a change; `*` means any existing state. */
export interface WriteOptions extends CallOptions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Options for storing text; the default media type is plain text. */
export interface StoreOptions extends WriteOptions {
  readonly contentType?: string | undefined;
}

export interface PostOptions extends CallOptions {
  /** Lets the call be repeated without adding twice. */
  readonly idempotencyKey?: string | undefined;
  /** The format of a body that is text; default: text/turtle. */
  readonly contentType?: 'text/turtle' | 'application/rdf+xml' | 'application/ld+json' | undefined;
}

export type RdfBody = DatasetCore | Iterable<Quad> | string;

export type NoParameters = Readonly<Record<string, never>>;

/** Parameters may be omitted when none of them is required. */
type Given<P, O> = string extends keyof P
  ? [parameters?: P, options?: O]
  : Partial<P> extends P
    ? [parameters?: P, options?: O]
    : [parameters: P, options?: O];

/** A call that reads. @throws ChartgraphError */
export interface ReadMethod<P, A extends Answer> {
  (...given: Given<P, ReadOptions>): Promise<A>;
  (parameters: P, options: StreamOptions): Promise<Streamed<A>>;
  (parameters: P, options: ConditionalOptions): Promise<A | NotModified>;
}

/** A call that reads a list, page by page. @throws ChartgraphError */
export type ListMethod<P, T> = ReadMethod<P, ListAnswer<T>>;

/** A call that reads one JSON document; the caller may state its type. @throws ChartgraphError */
export interface JsonMethod<P> {
  <T = JsonObject>(...given: Given<P, ReadOptions>): Promise<JsonAnswer<T>>;
  <T = JsonObject>(parameters: P, options: ConditionalOptions): Promise<JsonAnswer<T> | NotModified>;
}

/** A call that reads a JSON array of documents. @throws ChartgraphError */
export interface JsonListMethod<P> {
  <T = JsonObject>(...given: Given<P, ReadOptions>): Promise<JsonAnswer<T[]>>;
  <T = JsonObject>(parameters: P, options: ConditionalOptions): Promise<JsonAnswer<T[]> | NotModified>;
}

type FormatOf<P> = P extends { readonly format?: infer F extends string } ? F : never;

/** A call that reads a document in the requested format, by default in `DEFAULT`. @throws ChartgraphError */
export interface DocumentMethod<P, T, DEFAULT extends FormatOf<P>> {
  <F extends FormatOf<P> = DEFAULT>(
    parameters: P & { readonly format?: F },
    options?: ReadOptions,
  ): Promise<DocumentAnswer<F, T>>;
  <F extends FormatOf<P> = DEFAULT>(
    parameters: P & { readonly format?: F },
    options: StreamOptions,
  ): Promise<Streamed<DocumentAnswer<F, T>>>;
  <F extends FormatOf<P> = DEFAULT>(
    parameters: P & { readonly format?: F },
    options: ConditionalOptions,
  ): Promise<DocumentAnswer<F, T> | NotModified>;
}

/**
 * A call that adds the thing in its body, and returns it as stored. A plain object is checked against the ontology
 * before anything is sent.
 * @throws ChartgraphError, and TypeError for an object that the ontology does not allow
 */
export type PostMethod<P, T> = (
  parameters: P,
  body: RdfBody | Draft<T>,
  options?: PostOptions,
) => Promise<PostedAnswer<T>>;

/** A call that stores text, and returns what is stored. @throws ChartgraphError */
export type StoreMethod<P> = (
  parameters: P,
  body: string | Uint8Array,
  options?: StoreOptions,
) => Promise<FileAnswer>;

/** A call that sends a JSON object and returns one; the caller may state its type. @throws ChartgraphError */
export type SendMethod<P> = <T = JsonObject>(
  parameters: P,
  body?: object,
  options?: CallOptions,
) => Promise<JsonAnswer<T>>;

/** A call that removes something; removing nothing succeeds too. @throws ChartgraphError */
export type RemoveMethod<P> = (parameters: P, options?: WriteOptions) => Promise<Answer>;

/** An analysis, which returns a table. @throws ChartgraphError */
export type AnalysisMethod<P, COLUMNS extends string> = (
  ...given: Given<P, CallOptions>
) => Promise<TableAnswer<COLUMNS>>;
