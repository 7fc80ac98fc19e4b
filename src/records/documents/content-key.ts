import type { ContentKey } from '../../disk/document-files.js';
import type { ReadTx } from '../../disk/data-directory.js';
import { integer, literal, namedNode, say, type Quad, type Term } from '../../rdf/terms.js';
import { cg } from '../../rdf/vocabulary.js';

/** The properties by which the graph of a document refers to its file. They are ours alone and never shown. */
const own: readonly string[] = [cg.sha256, cg.byteSize];

/** Whether a quad is part of a reference to a file. */
export function isReference({ predicate }: Quad): boolean {
  return own.includes(predicate.value);
}

/** The file that quads name for a resource; undefined when it has none. */
export function contentKeyOf(quads: readonly Quad[], root: Term): ContentKey | undefined {
  const value = (property: string): string | undefined =>
    quads.find(({ subject, predicate }) => predicate.value === property && subject.equals(root))?.object
      .value;
  const sha256 = value(cg.sha256);
  return sha256 === undefined ? undefined : { sha256, size: Number(value(cg.byteSize) ?? Number.NaN) };
}

/** Quads without any reference to a file, whoever wrote it. */
export function withoutContentKey(quads: readonly Quad[]): Quad[] {
  return quads.filter((each) => !isReference(each));
}

/** Quads in which a resource refers to a file. */
export function withContentKey(quads: readonly Quad[], iri: string, { sha256, size }: ContentKey): Quad[] {
  const root = namedNode(iri);
  return [
    ...withoutContentKey(quads),
    say(root, cg.sha256, literal(sha256)),
    say(root, cg.byteSize, integer(size)),
  ];
}

const REFERENCE = new RegExp(`<${cg.sha256}> "([0-9a-f]{64})"`, 'g');

/** The hashes of all files that graphs of a snapshot refer to, or did as far as history is kept, for `sweepDocuments`. */
export function referencedContents(tx: ReadTx): Set<string> {
  return new Set(documentReferences(tx).keys());
}

/** The same, each with the path of a graph that refers to it, for backups. */
export function documentReferences(tx: ReadTx): Map<string, string> {
  const found = new Map<string, string>();
  for (const table of ['graphs', 'history'] as const) {
    for (const { key, value } of tx.range(table)) {
      // The key of a text in the history is its path, a space, and a number.
      const [path = ''] = String(key).split(' ');
      for (const [, sha256 = ''] of String(value).matchAll(REFERENCE)) found.set(sha256, path);
    }
  }
  return found;
}
