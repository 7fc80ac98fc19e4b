import type { ContentKey } from '../../disk/document-files.js';
import { namedNode, type Quad } from '../../rdf/terms.js';
import { dcterms, mediaTypes, rdfs, sp } from '../../rdf/vocabulary.js';
import { contentKeyOf } from './content-key.js';

/** The file of a document and what the record says of it. */
export interface FileOfDocument {
  readonly key: ContentKey;
  readonly fileName: string;
  /** The label of the format, else what the format's IRI says; unchecked. */
  readonly mediaType: string | undefined;
}

/** The file of a document in its graph; undefined when it has none. */
export function fileOf(quads: readonly Quad[], iri: string): FileOfDocument | undefined {
  const document = namedNode(iri);
  const key = contentKeyOf(quads, document);
  if (!key) return undefined;
  const object = (subject: string, property: string) =>
    quads.find((each) => each.subject.value === subject && each.predicate.value === property)?.object;
  const format = object(iri, dcterms.format)?.value ?? '';
  const named = format.startsWith(mediaTypes) ? format.slice(mediaTypes.length) : undefined;
  return {
    key,
    fileName: object(iri, sp.fileName)?.value ?? '',
    mediaType: object(format, rdfs.label)?.value ?? named,
  };
}
