import { formats } from '../rdf/formats.js';
import { createInputTerms } from '../rdf/input-terms.js';
import { atOnce } from '../rdf/parse-steps.js';
import { parseRdfXml } from '../rdf/parse-rdfxml.js';
import { parseTurtle } from '../rdf/parse-turtle.js';
import type { GraphFormat } from './graph-format.js';

// `chartgraph/client/formats`: formats that need parsers of some size, for containers that do not answer N-Triples.

export type { GraphFormat } from './graph-format.js';

const MAX_DEPTH = 256;

/** Turtle, read by n3. */
export const turtle: GraphFormat = Object.freeze({
  mediaType: formats.turtle.mediaType,
  read: (text: string, baseIRI: string) =>
    atOnce(
      parseTurtle(text, {
        terms: createInputTerms(Infinity),
        baseIRI,
        maxDepth: MAX_DEPTH,
        format: 'turtle',
      }),
    ),
});

/** RDF/XML, read by rdfxml-streaming-parser: the one format of containers of the first years. */
export const rdfxml: GraphFormat = Object.freeze({
  mediaType: formats.rdfxml.mediaType,
  read: (text: string, baseIRI: string) =>
    atOnce(
      parseRdfXml(text, {
        terms: createInputTerms(Infinity),
        baseIRI,
        maxDepth: MAX_DEPTH,
        doctype: 'refuse',
      }),
    ),
});
