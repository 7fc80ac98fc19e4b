import { formatOfMediaType, formats, type RdfFormat } from '../rdf/formats.js';
import { createInputTerms } from '../rdf/input-terms.js';
import { parseRdfXml } from '../rdf/parse-rdfxml.js';
import { parseTurtle } from '../rdf/parse-turtle.js';
import type { Quad } from '../rdf/terms.js';
import { ChartgraphError } from './chartgraph-error.js';

/** The formats that are read, and how much each is wanted where another one is wanted first. */
const readable: readonly [RdfFormat, quality: string][] = [
  ['ntriples', '0.9'],
  ['turtle', '0.8'],
  // Older containers have nothing else.
  ['rdfxml', '0.7'],
];
const MAX_DEPTH = 256;

/** The Accept field that asks for a format, and takes any other that is read. */
export function acceptField(wanted: RdfFormat): string {
  const others = readable.filter(([format]) => format !== wanted);
  return [
    formats[wanted].mediaType,
    ...others.map(([format, quality]) => `${formats[format].mediaType};q=${quality}`),
  ].join(', ');
}

/**
 * Reads the graph of an answer by its media type.
 * @param baseIRI what relative IRIs are resolved against
 * @throws ChartgraphError that repeats nothing of the text, which is about a patient
 */
export function readGraph(
  call: string,
  text: string,
  { mediaType = '', baseIRI }: { mediaType: string | undefined; baseIRI: string },
): Quad[] {
  const format = formatOfMediaType(mediaType);
  if (!format || !readable.some(([name]) => name === format))
    throw new ChartgraphError('answer', call, `an answer of type ${mediaType || 'unknown'} cannot be read.`);
  const terms = createInputTerms(Infinity);
  const options = { terms, baseIRI, maxDepth: MAX_DEPTH };
  try {
    return format === 'rdfxml'
      ? parseRdfXml(text, { ...options, doctype: 'refuse' })
      : parseTurtle(text, { ...options, format });
  } catch (error) {
    const { line } = error as { line?: unknown };
    const where = typeof line === 'number' ? ` in line ${line}` : '';
    throw new ChartgraphError('answer', call, `the answer is no ${formats[format].mediaType}${where}.`);
  }
}
