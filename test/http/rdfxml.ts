import { RdfXmlParser } from 'rdfxml-streaming-parser';
import type { Quad } from '@rdfjs/types';

/** Reads RDF/XML with a parser that knows nothing of our writer. */
export function readRdfXml(text: string): Promise<Quad[]> {
  return new Promise((resolve, reject) => {
    const quads: Quad[] = [];
    const parser = new RdfXmlParser({ baseIRI: 'http://relative.example.org/' });
    parser.on('data', (quad: Quad) => quads.push(quad));
    parser.on('error', reject);
    parser.on('end', () => {
      resolve(quads);
    });
    parser.end(text);
  });
}

const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/** The subjects of a type, by the class's local name in the sp: vocabulary. */
export function subjectsOf(quads: readonly Quad[], className: string): string[] {
  const iris = ['http://smartplatforms.org/terms#', 'https://chartgraph.example.org/terms#'].map(
    (start) => start + className,
  );
  const found = quads.filter(
    ({ predicate, object }) => predicate.value === TYPE && iris.includes(object.value),
  );
  return [...new Set(found.map(({ subject }) => subject.value))].sort();
}
