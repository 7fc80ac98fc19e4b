import type { Parameters } from './address.js';
import type {
  Answer,
  FileAnswer,
  GraphAnswer,
  JsonAnswer,
  NotModified,
  ObjectAnswer,
  StreamedFile,
  StreamedGraph,
  TableAnswer,
} from './answer-types.js';
import type { CallRow } from './api-model.js';
import { ChartgraphError } from './chartgraph-error.js';
import type { GraphFormat } from './graph-format.js';
import type { PostOptions, StoreOptions, WriteOptions } from './methods.js';
import type { OutgoingRequest, Received, Send } from './send.js';
import type { Shapes } from './client-shapes.js';

/** What a client works with. */
export interface Tools {
  readonly send: Send;
  readonly shapes: Shapes;
  /** The format in which graphs are asked for. */
  readonly format: GraphFormat;
}

export type AnyOptions = WriteOptions &
  StoreOptions &
  Omit<PostOptions, 'contentType'> & { readonly stream?: boolean };

/** One call that a program has made. */
export interface MadeCall {
  readonly name: string;
  readonly row: CallRow;
  readonly parameters: Parameters;
  /** Path and query below the base URL. */
  readonly address: string;
  readonly body: unknown;
  readonly options: AnyOptions;
}

/** Whatever a call can be answered with. */
export type AnyAnswer =
  | Answer
  | NotModified
  | GraphAnswer
  | ObjectAnswer<unknown>
  | JsonAnswer<unknown>
  | FileAnswer
  | StreamedGraph
  | StreamedFile
  | TableAnswer<string>;

/** The request of a call with the conditions that its options set. */
export function requestOf(
  { name, row, address, options }: MadeCall,
  more: Partial<OutgoingRequest> = {},
): OutgoingRequest {
  return {
    call: name,
    method: row.method,
    address,
    signal: options.signal,
    ...more,
    headers: { 'If-Match': options.ifMatch, 'If-None-Match': options.ifNoneMatch, ...more.headers },
  };
}

/** What every answer brings. */
export function answerOf({ response }: Pick<Received, 'response'>): Answer {
  return {
    notModified: false,
    status: response.status,
    etag: response.headers.get('ETag') ?? undefined,
    mediaType: response.headers.get('Content-Type') ?? undefined,
    headers: response.headers,
  };
}

/** The answer of a response without content, where it is one. */
export function notModified({ response }: Pick<Received, 'response'>): NotModified | undefined {
  if (response.status !== 304) return undefined;
  return { notModified: true, status: 304, etag: response.headers.get('ETag') ?? undefined };
}

/** The text of a response. @throws ChartgraphError when it is not UTF-8 */
export function textOf({ name }: MadeCall, { bytes }: Received): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ChartgraphError('answer', name, 'the answer is not UTF-8.');
  }
}
