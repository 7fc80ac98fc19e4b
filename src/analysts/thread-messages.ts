import type { Prefixes } from '../model/ontology/term-names.js';
import type { RdfFormat } from '../rdf/formats.js';
import type { Dataset, EngineImage } from '../store/working-set.js';
import type { UnknownTerm } from './known-terms.js';
import type { ResultFormatName } from './result-formats.js';

export interface ThreadData {
  readonly base: string;
  readonly mostBytes: number;
  readonly terms: readonly string[];
  readonly prefixes: Prefixes;
  /** The position of the store in the coming image, and more that `WorkingSet.ofImage` needs. */
  readonly image: Omit<EngineImage, 'bytes'> & { readonly size: number };
  /** The number of chunks that may be sent; at 0 the thread waits. */
  readonly turns: Int32Array;
}

export interface AnswerFormats {
  readonly rows: ResultFormatName | undefined;
  readonly graph: RdfFormat | undefined;
}

export interface ThreadQuery {
  readonly sparql: string;
  readonly dataset?: Dataset | undefined;
  readonly formats: AnswerFormats;
  readonly most: number;
  readonly hasMovedDates?: boolean | undefined;
  readonly explain?: boolean | undefined;
  /** Whether the head must have the number of rows, for callers that cannot read trailers. */
  readonly isWhole?: boolean | undefined;
}

/** The image comes first, in slices; changes come in order. */
export type ThreadOrder =
  | { readonly slice: Uint8Array; readonly at: number }
  | { readonly isWhole: true }
  | { readonly update: string }
  | { readonly nquads: Uint8Array }
  | { readonly query: ThreadQuery };

export interface AnswerTail {
  readonly rows: number;
  readonly isCut: boolean;
}

/** Rows and `isCut` are missing where the answer is sent while it is read; the tail has them. */
export interface AnswerHead extends Partial<AnswerTail> {
  readonly mediaType: string;
  readonly warnings: readonly UnknownTerm[];
  readonly ms: number;
}

export type Failure =
  | { readonly kind: 'invalid'; readonly message: string; readonly line?: number; readonly column?: number }
  | { readonly kind: 'format'; readonly message: string }
  | { readonly kind: 'limit'; readonly limit: 'time' | 'memory' | 'depth'; readonly message: string }
  | { readonly kind: 'ended'; readonly message: string };

/** After a failure that `isBroken`, the thread cannot be used. */
export type ThreadNews =
  | { readonly ready: true }
  | { readonly head: AnswerHead }
  | { readonly chunk: string | Uint8Array }
  | { readonly isWhole: true }
  | { readonly failure: Failure; readonly isBroken: boolean };
