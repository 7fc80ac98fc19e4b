import { literalFault } from '../../rdf/write-rdfxml.js';
import { blankNode, literal, namedNode, say, type Quad } from '../../rdf/terms.js';
import { dcterms, rdf, rdfs, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';

export interface Blob {
  readonly text: string;
  readonly mediaType: string;
}

/** Builds the graph of a blob; text that RDF/XML cannot carry is stored in Base64. */
export function blobGraph(iri: string, classIri: string, { text, mediaType }: Blob): NamedGraph {
  const root = namedNode(iri);
  const format = blankNode('format');
  const content = blankNode('content');
  const isPlain = literalFault(literal(text)) === undefined;
  const value = isPlain ? text : Buffer.from(text, 'utf8').toString('base64');
  return {
    name: iri,
    quads: [
      say(root, rdf.type, namedNode(classIri)),
      say(root, dcterms.format, format),
      say(format, rdf.type, namedNode(dcterms.MediaTypeOrExtent)),
      say(format, rdfs.label, literal(mediaType)),
      say(root, sp.content, content),
      say(content, rdf.type, namedNode(sp.Content)),
      say(content, sp.encoding, literal(isPlain ? 'UTF-8' : 'Base64')),
      say(content, sp.value, literal(value)),
    ],
  };
}

/** Reads a blob from a graph by `blobGraph`; undefined if there is none. */
export function readBlob(quads: readonly Quad[]): Blob | undefined {
  const value = (property: string): string | undefined =>
    quads.find(({ predicate }) => predicate.value === property)?.object.value;
  const written = value(sp.value);
  const mediaType = value(rdfs.label);
  if (written === undefined || mediaType === undefined) return undefined;
  const text = value(sp.encoding) === 'Base64' ? Buffer.from(written, 'base64').toString('utf8') : written;
  return { text, mediaType };
}
