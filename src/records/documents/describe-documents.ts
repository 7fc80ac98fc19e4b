import type { ContentKey, DocumentStore } from '../../store/documents/document-files.js';
import { Problem } from '../../model/problem.js';
import { addTo } from '../../rdf/by-key.js';
import { literalFault } from '../../rdf/write-rdfxml.js';
import { Graph } from '../../model/ontology/graph.js';
import { blankNode, integer, literal, namedNode, say, type Quad, type Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { contentKeyOf, isReference, withoutContentKey } from './content-key.js';

const LARGEST_COMBINED = 64 * 1024 * 1024;

/**
 * Replaces the stored sp:fileSize and sp:resource of each document with the size, location and hash of its actual file;
 * documents without a file stay unchanged.
 */
export function describeDocuments(quads: readonly Quad[]): Quad[] {
  const documents = filesIn(quads);
  const described = withoutReplaced(
    withoutContentKey(quads),
    new Set(documents.map(({ root }) => root.value)),
  );
  for (const [index, { root, key }] of documents.entries()) described.push(...resourceOf(root, key, index));
  return described;
}

/** The content of a file that a description tells of. */
export interface FileContent {
  readonly fileName: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the contents of the files of documents, in the order of their descriptions.
 * @throws Problem damaged-document when a file's bytes have changed
 * @throws Problem invalid-parameter when the contents are too large for one answer
 */
export async function readContents(
  quads: readonly Quad[],
  files: Pick<DocumentStore, 'read'>,
): Promise<FileContent[]> {
  const documents = filesIn(quads);
  const total = documents.reduce((sum, { key }) => sum + key.size, 0);
  if (total > LARGEST_COMBINED) throw tooMuch(total);
  const contents: FileContent[] = [];
  for (const { key, fileName } of documents)
    // With a buffer of its own, which can go to a thread.
    contents.push({ fileName, bytes: Uint8Array.from(await files.read(key)) });
  return contents;
}

/** Returns what a description with contents says besides. */
export function contentQuads(contents: readonly FileContent[]): Quad[] {
  return contents.flatMap(({ bytes, fileName }, index) =>
    contentOf(Buffer.from(bytes.buffer), fileName, resourceNode(index), index),
  );
}

function filesIn(quads: readonly Quad[]) {
  const relevant = quads.filter((each) => isReference(each) || each.predicate.value === sp.fileName);
  return [...new Graph(relevant).groups()]
    .flatMap((about) => {
      const [first] = about;
      const fileName = about.find(({ predicate }) => predicate.value === sp.fileName)?.object.value;
      const key = first && contentKeyOf(about, first.subject);
      return key && fileName !== undefined ? [{ root: first.subject, key, fileName }] : [];
    })
    .sort((a, b) => (a.root.value < b.root.value ? -1 : 1));
}

const resourceNode = (index: number): Term => blankNode(`file${index}resource`);

function resourceOf(document: Term, { sha256, size }: ContentKey, index: number): Quad[] {
  const node = (name: string): Term => blankNode(`file${index}${name}`);
  const resource = resourceNode(index);
  return [
    say(document, sp.fileSize, node('size')),
    say(node('size'), rdf.type, namedNode(sp.ValueAndUnit)),
    say(node('size'), sp.value, integer(size)),
    say(node('size'), sp.unit, literal('byte')),
    say(document, sp.resource, resource),
    say(resource, rdf.type, namedNode(sp.Resource)),
    say(resource, sp.location, literal(document.value)),
    say(resource, sp.hash, node('hash')),
    say(node('hash'), rdf.type, namedNode(sp.Hash)),
    say(node('hash'), sp.algorithm, literal('SHA-256')),
    say(node('hash'), sp.value, literal(sha256)),
  ];
}

function contentOf(bytes: Buffer, fileName: string, resource: Term, index: number): Quad[] {
  const content = blankNode(`file${index}content`);
  const text = fileName.endsWith('.txt') ? writableText(bytes) : undefined;
  return [
    say(resource, sp.content, content),
    say(content, rdf.type, namedNode(sp.Content)),
    say(content, sp.encoding, literal(text === undefined ? 'Base64' : 'UTF-8')),
    say(content, sp.value, literal(text ?? bytes.toString('base64'))),
  ];
}

function writableText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return literalFault(literal(text)) === undefined ? text : undefined;
  } catch {
    return undefined;
  }
}

const generated: readonly string[] = [sp.fileSize, sp.resource];

/** Drops stored sizes and resources of documents, and the blank nodes below them. */
function withoutReplaced(quads: readonly Quad[], documents: ReadonlySet<string>): Quad[] {
  const isReplaced = ({ subject, predicate }: Quad): boolean =>
    generated.includes(predicate.value) && documents.has(subject.value);
  const below = new Map<string, string[]>();
  for (const { subject, object } of quads) {
    if (subject.termType === 'BlankNode' && object.termType === 'BlankNode')
      addTo(below, subject.value, object.value);
  }
  const gone = new Set<string>();
  for (const each of quads) {
    if (isReplaced(each) && each.object.termType === 'BlankNode') gone.add(each.object.value);
  }
  // Iterating a set also visits elements added meanwhile.
  for (const label of gone) below.get(label)?.forEach((next) => gone.add(next));
  return quads.filter(
    (each) => !isReplaced(each) && !(each.subject.termType === 'BlankNode' && gone.has(each.subject.value)),
  );
}

function tooMuch(total: number): Problem {
  return new Problem(
    'invalid-parameter',
    `The contents are ${total} bytes, more than the ${LARGEST_COMBINED} that one combined answer holds; ask for metadata, for a page with limit, or for each file with format=raw.`,
    { extra: { parameter: 'format' } },
  );
}
