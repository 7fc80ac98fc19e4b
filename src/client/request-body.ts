import { formats } from '../rdf/formats.js';
import { writeTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import type { RdfBody } from './methods.js';

export interface Body {
  readonly body: Uint8Array;
  readonly contentType: string;
}

/**
 * Prepares RDF for sending. Statements become N-Triples, which are Turtle; text stays as it is.
 * @throws TypeError for terms without a form, and for anything that is not RDF
 */
export function rdfBody(body: unknown, contentType: string = formats.turtle.mediaType): Body {
  if (typeof body === 'string') return { body: bytesOf(body), contentType };
  if (typeof body !== 'object' || body === null || !(Symbol.iterator in body))
    throw new TypeError('RDF is sent as a dataset, as quads or as text.');
  return {
    body: bytesOf(writeTriples(body as RdfBody & Iterable<Quad>)),
    contentType: formats.turtle.mediaType,
  };
}

/** Prepares text or bytes for sending. @throws TypeError for anything else */
export function textBody(body: unknown, contentType = 'text/plain; charset=utf-8'): Body {
  if (typeof body === 'string') return { body: bytesOf(body), contentType };
  if (body instanceof Uint8Array) return { body, contentType };
  throw new TypeError('A text or bytes are stored.');
}

/** Prepares an object as JSON; undefined without one. @throws TypeError for what JSON has no form for */
export function jsonBody(body: unknown): Body | undefined {
  if (body === undefined) return undefined;
  if (typeof body !== 'object' || body === null) throw new TypeError('An object is sent.');
  return { body: bytesOf(JSON.stringify(body)), contentType: 'application/json' };
}

function bytesOf(text: string): Uint8Array {
  // TextEncoder would silently replace it.
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('Half of a surrogate pair cannot be sent.');
  return new TextEncoder().encode(text);
}
