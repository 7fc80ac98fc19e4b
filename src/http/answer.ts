import type { Readable } from 'node:stream';
import type { ContentKey } from '../disk/document-files.js';

/** Header fields by their names. */
export type Fields = Readonly<Record<string, string>>;

/** The bytes or text of one representation, and where the next page of a list is, as the value of a Link field. */
export interface Content {
  readonly body: Buffer | string;
  readonly link?: string | undefined;
}

/** One of the forms in which an answer can be sent. */
export interface Representation {
  /** As it stands in Content-Type, without a charset where the media type has none. */
  readonly mediaType: string;
  /** Its name as a value of `_format`. */
  readonly format?: string;
  readonly headers?: Fields;
  /**
   * Makes the content.
   * @returns a function that makes it where that takes long, and nothing that others should wait for
   * @throws Problem when there is no such thing
   */
  make(): Promise<Content | (() => Promise<Content>)>;
}

/** An answer that depends on nothing but the request and a state of the store: negotiated, cached, conditional. */
export interface StoredAnswer {
  readonly kind: 'stored';
  readonly headers?: Fields;
  /** Values of Link beside that to the next page. */
  readonly links?: string | undefined;
  readonly cacheControl: string;
  /** The default first. */
  readonly representations: readonly Representation[];
  /** What is asked for, apart from the representation and the state of the store. */
  readonly key: string;
  /** Reads the state of everything that the answer is made of. It changes with every write that can change the answer. */
  state(): string;
  /** Whether the thing is surely there, as far as that can be said without making the answer. @throws Problem */
  exists(): boolean | Promise<boolean>;
  /** Whose turn its making takes in the query queue. */
  readonly queue: string;
  /** False for what is too large to cache or must be made anew each time. */
  readonly cached: boolean;
}

/** An answer that is the bytes of a file, or a part of them. */
export interface FileAnswer {
  readonly kind: 'file';
  readonly key: ContentKey;
  /** Bytes at the beginning of the stored file that are no part of the answer; default 0. */
  readonly skip?: number;
  readonly fileName: string;
  /** As the record says; what is no media type is sent as bytes without a meaning. */
  readonly mediaType: string | undefined;
  readonly headers?: Fields;
}

/** An answer that is there already: a page, a form, a stored text, a problem. */
export interface PlainAnswer {
  readonly kind: 'plain';
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Fields;
  /** Default `no-store`. */
  readonly cacheControl?: string;
  readonly mediaType: string;
  readonly body: Buffer | string;
  /** What conditions of a GET are evaluated against, with its quotation marks, and whether there is anything. */
  readonly version?: { readonly tag: string; readonly exists: boolean };
}

/**
 * An answer of which most is the same for all who may have it. That part depends on nothing but the request and a state
 * of the store: it is made once, and cached.
 */
export interface FramedAnswer {
  readonly kind: 'framed';
  readonly headers: Fields;
  readonly mediaType: string;
  /** What is asked for, apart from the state of the store; no key of a stored answer is like it. */
  readonly key: string;
  /** Reads the state of everything that the common part is made of. */
  state(): string;
  /** Makes the common part. Its queries take their turns in the query queue themselves. */
  make(): Promise<string>;
  /** What stands before it and after it and is this caller's alone; nothing of that is cached. */
  frame(): readonly [before: string, after: string];
}

/** An answer that is made while it is sent: it depends on the moment, so nothing of it is cached. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly headers: Fields;
  readonly mediaType: string;
  readonly body: Readable;
}

/** What a handler answers with. `respond/` makes an HTTP response of it. */
export type Answer = StoredAnswer | FramedAnswer | FileAnswer | PlainAnswer | StreamAnswer;

/**
 * What may be shared by caches for five minutes, what stays with the caller and is asked for again (RFC 9111 §5.2.2), and
 * what has another address when it changes (RFC 8246).
 */
export const cacheControl = {
  shared: 'public, max-age=300',
  own: 'private, no-cache',
  forever: 'public, max-age=31536000, immutable',
} as const;

/** A short text. */
export function textAnswer(body: string, mediaType = 'text/plain; charset=utf-8'): PlainAnswer {
  return { kind: 'plain', mediaType, body };
}
