import type { DatasetCore, Quad } from '@rdfjs/types';
import type { Fault } from './thing-types.js';

/** What every answer brings. */
export interface Answer {
  readonly notModified: false;
  readonly status: number;
  /** The entity tag, for `ifNoneMatch` and `ifMatch`. */
  readonly etag: string | undefined;
  readonly mediaType: string | undefined;
  readonly headers: Headers;
}

/** The answer to a read with `ifNoneMatch` when the caller has the current state already. */
export interface NotModified {
  readonly notModified: true;
  readonly status: 304;
  readonly etag: string | undefined;
}

/** A graph. */
export interface GraphAnswer extends Answer {
  readonly dataset: DatasetCore;
  /** The text as it came, in the format of `mediaType`. */
  readonly raw: string;
}

/** One thing. */
export interface ObjectAnswer<T> extends GraphAnswer {
  readonly object: T;
  /** Where the data is not as the ontology asks; empty as a rule. */
  readonly faults: readonly Fault[];
}

/** A thing that was added. */
export interface PostedAnswer<T> extends ObjectAnswer<T> {
  /** The IRI that it has been given. */
  readonly location: string | undefined;
}

/** One page of a list, its objects in the order of the container; searches, which have none, by IRI. */
export interface ListAnswer<T> extends GraphAnswer {
  readonly objects: readonly T[];
  readonly faults: readonly Fault[];
  /** Things on all pages; searches do not count. */
  readonly total: number | undefined;
  /** Whether there is another page. */
  readonly hasNext: boolean;
  /** Asks for the next page; undefined after the last. The signal of the first call ends this one too. */
  next(): Promise<ListAnswer<T> | undefined>;
  /** This page and all after it. */
  pages(): AsyncIterable<ListAnswer<T>>;
  /** The objects of this page and of all after it. */
  items(): AsyncIterable<T>;
}

/** A JSON document. */
export interface JsonAnswer<T> extends Answer {
  readonly object: T;
  readonly raw: string;
}

/** The value of a cell: numbers and booleans by their datatype, all else as text, such as IRIs and dates. */
export type CellValue = string | number | boolean;

/** The answer to an analysis: rows in their order, in which a cell without a value is left out. */
export interface TableAnswer<COLUMNS extends string> extends Answer {
  readonly columns: readonly COLUMNS[];
  readonly rows: readonly Readonly<Partial<Record<COLUMNS, CellValue>>>[];
  /** Whether there are more rows than a container gives. */
  readonly isCut: boolean;
  /** The text as it came, in the SPARQL 1.1 Query Results JSON Format. */
  readonly raw: string;
}

/** A file, or text that an app keeps. */
export interface FileAnswer extends Answer {
  readonly raw: Uint8Array;
  /** The bytes read as UTF-8. */
  text(): string;
}

/** A graph that is read while it comes, so that it may be larger than memory. */
export interface StreamedGraph extends Answer {
  /** Each statement once it is here. It can be read once; leaving the loop ends the answer. */
  readonly quads: AsyncIterable<Quad>;
}

/** A file that is read while it comes. */
export interface StreamedFile extends Answer {
  readonly body: ReadableStream<Uint8Array>;
}

/** An answer as it is asked for with `stream: true`. */
export type Streamed<A> = A extends GraphAnswer ? StreamedGraph : StreamedFile;

/** A document: its file when the format is `raw`, else its description. */
export type DocumentAnswer<FORMAT, T> = FORMAT extends 'raw' ? FileAnswer : ObjectAnswer<T>;

/** A JSON object of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>;
