import { formats } from '../rdf/formats.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';

/** A format in which graphs are asked for and read. */
export interface GraphFormat {
  readonly mediaType: string;
  /**
   * Reads a whole graph. Blank node labels are those of no other call.
   * @param baseIRI what relative IRIs are resolved against
   * @throws an error with the number of the `line` at fault, where that is known
   */
  read(text: string, baseIRI: string): Quad[];
}

let answers = 0;

/** What the blank nodes of an answer are labelled with, so that those of two answers are never taken for one. */
export function newPrefix(): string {
  return `a${answers++}_`;
}

/** What every container of this kind answers: it needs no parser, is the quickest to read, and comes line by line. */
export const ntriples: GraphFormat = Object.freeze({
  mediaType: formats.ntriples.mediaType,
  read: (text: string) => readTriples(text, undefined, newPrefix()),
});
