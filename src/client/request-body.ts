import { formats } from '../rdf/formats.js';
import { writeTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import type { RdfBody } from './methods.js';

/** What is sent: bytes with their media type. */
export interface Body {
  readonly body: Uint8Array;
  readonly contentType: string;
}

/**
 * RDF as it is sent. Statements go out as N-Triples, which are Turtle; text goes out as it is.
 * @throws TypeError for terms that no format has a form for, and for anything that is no RDF
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

/** Text or bytes as they are sent. @throws TypeError for anything else */
export function textBody(body: unknown, contentType = 'text/plain; charset=utf-8'): Body {
  if (typeof body === 'string') return { body: bytesOf(body), contentType };
  if (body instanceof Uint8Array) return { body, contentType };
  throw new TypeError('A text or bytes are stored.');
}

/** An object as JSON; nothing where there is none. @throws TypeError for what JSON has no form for */
export function jsonBody(body: unknown): Body | undefined {
  if (body === undefined) return undefined;
  if (typeof body !== 'object' || body === null) throw new TypeError('An object is sent.');
  return { body: bytesOf(JSON.stringify(body)), contentType: 'application/json' };
}

function bytesOf(text: string): Uint8Array {
  // TextEncoder would put a replacement character in its place.
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('Half of a surrogate pair cannot be sent.');
  return new TextEncoder().encode(text);
}
