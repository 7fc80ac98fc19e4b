import type { Readable } from 'node:stream';
import type { ContentKey } from '../store/documents/document-files.js';

export type Fields = Readonly<Record<string, string>>;

/** A representation as bytes or text, with the Link value of the next page of a list. */
export interface Content {
  readonly body: Buffer | string;
  readonly link?: string | undefined;
}

export interface Representation {
  readonly mediaType: string;
  /** The value of `_format` that selects it. */
  readonly format?: string;
  readonly headers?: Fields;
}

/** An answer that depends only on the request and a state of the store. It is negotiated, cached and conditional. */
export interface StoredAnswer {
  readonly kind: 'stored';
  readonly headers?: Fields;
  readonly links?: string | undefined;
  readonly cacheControl: string;
  readonly representations: readonly Representation[];
  /** The format to choose before Accept. Default: that of `_format` of a call. */
  readonly format?: string | undefined;
  /** Identifies the answer, apart from representation and state of the store. */
  readonly key: string;
  /** Returns the state of all data in the answer. It changes with every write that can change the answer. */
  state(): string;
  /**
   * Reads the content in one representation. Called at most once, and never for 304 or for HEAD of an existing
   * resource.
   * @returns the content, or a function for slow work that must not hold up the queue
   * @throws Problem when the resource does not exist
   */
  read(chosen: Representation): Promise<Content | (() => Promise<Content>)>;
  /** Whether the resource exists, as far as can be said without reading it. @throws Problem */
  exists(): boolean | Promise<boolean>;
  /** The caller in the query queue whose turn it uses. */
  readonly queue: string;
  /** False for content that is too large to cache or must be read anew each time. */
  readonly cached: boolean;
  /** Whether compressing it is worth its time. Default: true. */
  readonly isCoded?: boolean;
}

export interface FileAnswer {
  readonly kind: 'file';
  readonly key: ContentKey;
  /** Bytes at the start of the stored file to leave out. Default 0. */
  readonly skip?: number;
  readonly fileName: string;
  /** As the record states it; an invalid type becomes application/octet-stream. */
  readonly mediaType: string | undefined;
  readonly headers?: Fields;
}

/** A complete answer: a page, a form, a stored text, a problem. */
export interface PlainAnswer {
  readonly kind: 'plain';
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Fields;
  /** Default `no-store`. */
  readonly cacheControl?: string;
  readonly mediaType: string;
  readonly body: Buffer | string;
  /** The quoted entity tag for conditional GETs, and whether the resource exists. */
  readonly version?: { readonly tag: string; readonly exists: boolean };
}

/** An answer with a large cached part, the same for everybody, that depends on a state of the store. */
export interface FramedAnswer {
  readonly kind: 'framed';
  readonly headers: Fields;
  readonly mediaType: string;
  /** As for stored answers, but never equal to one of their keys. */
  readonly key: string;
  state(): string;
  /** Makes the common part. Its queries take turns in the query queue. */
  make(): Promise<string>;
  /** The text around it for this caller, never cached. */
  frame(): readonly [before: string, after: string];
}

/** An answer that is produced while it is sent; never cached. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly headers: Fields;
  readonly mediaType: string;
  readonly body: Readable;
  /** Fields after the body (RFC 9110 §6.5), read when it has ended; their names, and a function that makes them. */
  readonly trailers?: { readonly names: readonly string[]; readonly made: () => Fields } | undefined;
}

export type Answer = StoredAnswer | FramedAnswer | FileAnswer | PlainAnswer | StreamAnswer;

/** `own` is revalidated (RFC 9111 §5.2.2); `forever` is for URLs that change with their content (RFC 8246). */
export const cacheControl = {
  shared: 'public, max-age=300',
  own: 'private, no-cache',
  forever: 'public, max-age=31536000, immutable',
} as const;

export function textAnswer(body: string, mediaType = 'text/plain; charset=utf-8'): PlainAnswer {
  return { kind: 'plain', mediaType, body };
}
