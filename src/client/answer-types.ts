import type { DatasetCore, Quad } from '@rdfjs/types';
import type { Fault } from './thing-types.js';

export interface Answer {
  readonly notModified: false;
  readonly status: number;
  /** The entity tag, for `ifNoneMatch` and `ifMatch`. */
  readonly etag: string | undefined;
  readonly mediaType: string | undefined;
  readonly headers: Headers;
}

/** Answers a read with `ifNoneMatch` when the caller already has the current state. */
export interface NotModified {
  readonly notModified: true;
  readonly status: 304;
  readonly etag: string | undefined;
}

export interface GraphAnswer extends Answer {
  readonly dataset: DatasetCore;
  /** The text as received, in the format of `mediaType`. */
  readonly raw: string;
}

export interface ObjectAnswer<T> extends GraphAnswer {
  readonly object: T;
  /** Deviations of the data from the ontology; usually empty. */
  readonly faults: readonly Fault[];
}

export interface PostedAnswer<T> extends ObjectAnswer<T> {
  readonly location: string | undefined;
}

/** One page of a list. Objects are in the container's order; in searches, which have none, sorted by IRI. */
export interface ListAnswer<T> extends GraphAnswer {
  readonly objects: readonly T[];
  readonly faults: readonly Fault[];
  /** The number of things on all pages; searches do not count. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
  /** Requests the next page; undefined after the last. The signal of the first call also ends this one. */
  next(): Promise<ListAnswer<T> | undefined>;
  pages(): AsyncIterable<ListAnswer<T>>;
  items(): AsyncIterable<T>;
}

export interface JsonAnswer<T> extends Answer {
  readonly object: T;
  readonly raw: string;
}

/** The value of a cell: numbers and booleans by their datatype, everything else (such as IRIs and dates) as text. */
export type CellValue = string | number | boolean;

/** The answer to an analysis: rows in order; a cell without a value is missing from its row. */
export interface TableAnswer<COLUMNS extends string> extends Answer {
  readonly columns: readonly COLUMNS[];
  readonly rows: readonly Readonly<Partial<Record<COLUMNS, CellValue>>>[];
  /** Whether the container left out rows beyond its limit. */
  readonly isCut: boolean;
  /** The text as received, in the SPARQL 1.1 Query Results JSON Format. */
  readonly raw: string;
}

export interface FileAnswer extends Answer {
  readonly raw: Uint8Array;
  text(): string;
}

/** A graph that is read as it arrives, so that it may be larger than memory. */
export interface StreamedGraph extends Answer {
  /** Yields each statement as it arrives, once only; leaving the loop ends the answer. */
  readonly quads: AsyncIterable<Quad>;
}

/** A file that is read as it arrives. */
export interface StreamedFile extends Answer {
  readonly body: ReadableStream<Uint8Array>;
}

/** The answer to a call with `stream: true`. */
export type Streamed<A> = A extends GraphAnswer ? StreamedGraph : StreamedFile;

/** A document: its file when the format is `raw`, else its description. */
export type DocumentAnswer<FORMAT, T> = FORMAT extends 'raw' ? FileAnswer : ObjectAnswer<T>;

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;
