import { Readable } from 'node:stream';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import type { Quad } from '../../src/rdf/terms.js';

/** Reads RDF/XML with the unmodified rdfxml-streaming-parser: what others make of what we write. */
export async function readIndependently(text: string): Promise<Quad[]> {
  const quads: Quad[] = [];
  const parser = new RdfXmlParser({ baseIRI: 'http://base.example/', trackPosition: true });
  for await (const quad of Readable.from([text]).pipe(parser)) quads.push(quad as Quad);
  return quads;
}
