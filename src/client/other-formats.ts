import { formats } from '../rdf/formats.js';
import { createInputTerms } from '../rdf/input-terms.js';
import { atOnce } from '../rdf/parse-steps.js';
import { parseRdfXml } from '../rdf/parse-rdfxml.js';
import { parseTurtle } from '../rdf/parse-turtle.js';
import type { GraphFormat } from './graph-format.js';

// `chartgraph/client/formats`: formats with larger parsers, for containers that do not answer N-Triples.

export type { GraphFormat } from './graph-format.js';

const within = (baseIRI: string) => ({ terms: createInputTerms(Infinity), baseIRI, maxDepth: 256 });

export const turtle: GraphFormat = Object.freeze({
  mediaType: formats.turtle.mediaType,
  read: (text: string, baseIRI: string) =>
    atOnce(parseTurtle(text, { ...within(baseIRI), format: 'turtle' })),
});

/** RDF/XML, read by rdfxml-streaming-parser: the only format of early containers. */
export const rdfxml: GraphFormat = Object.freeze({
  mediaType: formats.rdfxml.mediaType,
  read: (text: string, baseIRI: string) =>
    atOnce(parseRdfXml(text, { ...within(baseIRI), doctype: 'refuse' })),
});
