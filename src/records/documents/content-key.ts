import type { ContentKey } from '../../store/documents/document-files.js';
import type { ReadTx } from '../../store/disk/data-directory.js';
import { integer, literal, namedNode, say, type Quad, type Term } from '../../rdf/terms.js';
import { cg, dcterms, mediaTypes, rdfs, sp } from '../../rdf/vocabulary.js';

/** Our own properties that refer to a document's file; never shown. */
const own: readonly string[] = [cg.sha256, cg.byteSize];

export function isReference({ predicate }: Quad): boolean {
  return own.includes(predicate.value);
}

export function contentKeyOf(quads: readonly Quad[], root: Term): ContentKey | undefined {
  const value = (property: string): string | undefined =>
    quads.find(({ subject, predicate }) => predicate.value === property && subject.equals(root))?.object
      .value;
  const sha256 = value(cg.sha256);
  return sha256 === undefined ? undefined : { sha256, size: Number(value(cg.byteSize) ?? Number.NaN) };
}

export function withoutContentKey(quads: readonly Quad[]): Quad[] {
  return quads.filter((each) => !isReference(each));
}

export function withContentKey(quads: readonly Quad[], iri: string, { sha256, size }: ContentKey): Quad[] {
  const root = namedNode(iri);
  return [
    ...withoutContentKey(quads),
    say(root, cg.sha256, literal(sha256)),
    say(root, cg.byteSize, integer(size)),
  ];
}

const REFERENCE = new RegExp(`<${cg.sha256}> "([0-9a-f]{64})"`, 'g');

/** Returns the hashes of all files that present or past graphs refer to, for `sweepDocuments`. */
export function referencedContents(tx: ReadTx): Set<string> {
  return new Set(documentReferences(tx).keys());
}

/** The same, with the path of a referring graph for each, for backups. */
export function documentReferences(tx: ReadTx): Map<string, string> {
  const found = new Map<string, string>();
  for (const table of ['graphs', 'history'] as const) {
    for (const { key, value } of tx.range(table)) {
      // History keys are a path, a space and a number.
      const [path = ''] = String(key).split(' ');
      for (const [, sha256 = ''] of String(value).matchAll(REFERENCE)) found.set(sha256, path);
    }
  }
  return found;
}

export type FileOfDocument = NonNullable<ReturnType<typeof fileOf>>;

/** Returns the file of a document, if its graph has one. */
export function fileOf(quads: readonly Quad[], iri: string) {
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
    /** The label of the format, else the end of its IRI; unchecked. */
    mediaType: object(format, rdfs.label)?.value ?? named,
  };
}
