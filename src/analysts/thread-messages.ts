import type { RdfFormat } from '../rdf/formats.js';
import type { Dataset, EngineImage } from '../store/working-set.js';
import type { UnknownTerm } from './known-terms.js';
import type { ResultFormatName } from './result-formats.js';

/** What a thread that runs queries is started with. */
export interface ThreadData {
  /** The base URL without a slash at its end. */
  readonly base: string;
  /** What the memory of its engine may grow to. */
  readonly mostBytes: number;
  /** Every IRI that the ontology declares. */
  readonly terms: readonly string[];
  /** Where the store lies in the image that comes, and what else `WorkingSet.ofImage` asks for. */
  readonly image: Omit<EngineImage, 'bytes'> & { readonly size: number };
  /** One number: how many chunks may be sent. The thread waits while it is 0. */
  readonly turns: Int32Array;
}

/** How an answer is to be written, by what kind of query it turns out to be. */
export interface AnswerFormats {
  /** Of SELECT and ASK; undefined where the caller takes none. */
  readonly rows: ResultFormatName | undefined;
  /** Of CONSTRUCT and DESCRIBE. */
  readonly graph: RdfFormat | undefined;
}

export interface ThreadQuery {
  readonly sparql: string;
  readonly dataset?: Dataset | undefined;
  readonly formats: AnswerFormats;
  /** Rows or triples that are given at most. */
  readonly most: number;
  /** Whether to tell how it comes to its answer, as lines of `ExplanationLine`, in the place of the answer. */
  readonly explain?: boolean | undefined;
}

/** What a thread is told. Its image comes first, in slices; changes in the order in which they were made. */
export type ThreadOrder =
  | { readonly slice: Uint8Array; readonly at: number }
  | { readonly isWhole: true }
  | { readonly update: string }
  | { readonly nquads: Uint8Array }
  | { readonly query: ThreadQuery };

/** What is known of an answer before its first byte. */
export interface AnswerHead {
  readonly mediaType: string;
  readonly rows: number;
  /** Whether there are more rows than are given. */
  readonly isCut: boolean;
  readonly warnings: readonly UnknownTerm[];
  /** Milliseconds that the query took. */
  readonly ms: number;
}

/** Why a query has no answer. */
export type Failure =
  /** The text: the caller can say it better. */
  | { readonly kind: 'invalid'; readonly message: string; readonly line?: number; readonly column?: number }
  /** No format that the caller takes can carry it. */
  | { readonly kind: 'format'; readonly message: string }
  /** It asks for too much. */
  | { readonly kind: 'limit'; readonly limit: 'time' | 'memory' | 'depth'; readonly message: string }
  /** Somebody ended it. */
  | { readonly kind: 'ended'; readonly message: string };

/** What a thread says. After a failure that `isBroken` it is of no use any more. */
export type ThreadNews =
  | { readonly ready: true }
  | { readonly head: AnswerHead }
  | { readonly chunk: string | Uint8Array }
  | { readonly isWhole: true }
  | { readonly failure: Failure; readonly isBroken: boolean };
