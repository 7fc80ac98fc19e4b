import { literalFault } from '../../rdf/rdfxml-check.js';
import { blankNode, literal, namedNode, say, type Quad } from '../../rdf/terms.js';
import { dcterms, rdf, rdfs, sp } from '../../rdf/vocabulary.js';
import type { NamedGraph } from '../../store/graph-store.js';

/** Text that an app keeps; the container does not look inside. */
export interface Blob {
  readonly text: string;
  /** As it is sent: `text/plain; charset=utf-8`. */
  readonly mediaType: string;
}

/**
 * The graph of a blob: its class, its media type, and its text as sp:Content. Text with characters that RDF/XML has
 * no way to carry stands there in Base64, so that every export of the graph works and gives it back unchanged.
 */
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

/** The blob of a graph that `blobGraph` made; undefined when there is nothing in it. */
export function readBlob(quads: readonly Quad[]): Blob | undefined {
  const value = (property: string): string | undefined =>
    quads.find(({ predicate }) => predicate.value === property)?.object.value;
  const written = value(sp.value);
  const mediaType = value(rdfs.label);
  if (written === undefined || mediaType === undefined) return undefined;
  const text = value(sp.encoding) === 'Base64' ? Buffer.from(written, 'base64').toString('utf8') : written;
  return { text, mediaType };
}
