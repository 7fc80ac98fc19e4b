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
import type { Draft } from './draft-types.js';

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, for example `AbortSignal.timeout(5000)`; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A read that always brings the answer. */
export interface ReadOptions extends CallOptions {
  readonly ifNoneMatch?: never;
  readonly stream?: never;
}

/** A read whose answer is handed over while it comes. */
export interface StreamOptions extends CallOptions {
  readonly stream: true;
}

/** A read that brings the answer unless its entity tag is this one. */
export interface ConditionalOptions extends CallOptions {
  readonly stream?: never;
  readonly ifNoneMatch?: string | undefined;
}

/** A change that is made only where the conditions hold; `*` stands for whatever is there. */
export interface WriteOptions extends CallOptions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Storing text; without a media type it is plain text. */
export interface StoreOptions extends WriteOptions {
  readonly contentType?: string | undefined;
}

/** Adding a statement. */
export interface PostOptions extends CallOptions {
  /** Lets the call be repeated without adding twice. */
  readonly idempotencyKey?: string | undefined;
  /** The format of a body that is text: text/turtle when left out. */
  readonly contentType?: 'text/turtle' | 'application/rdf+xml' | 'application/ld+json' | undefined;
}

/** RDF to be sent: statements, or their text. */
export type RdfBody = DatasetCore | Iterable<Quad> | string;

/** The parameters of a call that takes none. */
export type NoParameters = Readonly<Record<string, never>>;

/** Parameters may be left out where none of them is required. */
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

/** A call that reads one JSON document; the caller may say what it holds. @throws ChartgraphError */
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

/** A call that reads a document in the format asked for, `DEFAULT` when none is. @throws ChartgraphError */
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
 * A call that adds the one thing in its body, and answers with it as it is stored. A plain object is checked against
 * the ontology before anything is sent.
 * @throws ChartgraphError, and TypeError for an object that the ontology does not allow
 */
export type PostMethod<P, T> = (
  parameters: P,
  body: RdfBody | Draft<T>,
  options?: PostOptions,
) => Promise<PostedAnswer<T>>;

/** A call that stores text, and answers with what is stored. @throws ChartgraphError */
export type StoreMethod<P> = (
  parameters: P,
  body: string | Uint8Array,
  options?: StoreOptions,
) => Promise<FileAnswer>;

/** A call that sends a JSON object and is answered with one; the caller may say what it holds. @throws ChartgraphError */
export type SendMethod<P> = <T = JsonObject>(
  parameters: P,
  body?: object,
  options?: CallOptions,
) => Promise<JsonAnswer<T>>;

/** A call that removes; removing nothing succeeds too. @throws ChartgraphError */
export type RemoveMethod<P> = (parameters: P, options?: WriteOptions) => Promise<Answer>;

/** An analysis, which answers with a table. @throws ChartgraphError */
export type AnalysisMethod<P, COLUMNS extends string> = (
  ...given: Given<P, CallOptions>
) => Promise<TableAnswer<COLUMNS>>;
