import type { ContentKey, DocumentStore } from '../../disk/document-files.js';
import { Problem } from '../../problem.js';
import { addTo } from '../../rdf/by-key.js';
import { literalFault } from '../../rdf/rdfxml-check.js';
import { Graph } from '../../ontology/graph.js';
import { blankNode, integer, literal, namedNode, say, type Quad, type Term } from '../../rdf/terms.js';
import { rdf, sp } from '../../rdf/vocabulary.js';
import { contentKeyOf, isReference, withoutContentKey } from './content-key.js';

/** The most bytes whose text goes into one answer. */
const LARGEST_COMBINED = 64 * 1024 * 1024;

/** `metadata`: size, location and hash are added; `combined`: the content as well. */
export type Description = 'metadata' | 'combined';

/**
 * What an answer shows of documents: the stored graphs, in which the file of each takes the place of whatever
 * sp:fileSize and sp:resource are stored. A document without a file is shown as it is stored.
 * @throws Problem damaged-document when the bytes of a file are not what they were
 * @throws Problem invalid-parameter when the contents are too much for one answer
 */
export async function describeDocuments(
  quads: readonly Quad[],
  files: Pick<DocumentStore, 'read'>,
  description: Description,
): Promise<Quad[]> {
  const documents = filesIn(quads);
  const total = documents.reduce((sum, { key }) => sum + key.size, 0);
  if (description === 'combined' && total > LARGEST_COMBINED) throw tooMuch(total);
  const replaced = documents.map(({ root }) => root);
  const described = withoutReplaced(withoutContentKey(quads), replaced);
  for (const [index, { root, key, fileName }] of documents.entries()) {
    described.push(...resourceOf(root, key, index));
    if (description === 'combined')
      described.push(...contentOf(await files.read(key), fileName, resourceNode(index), index));
  }
  return described;
}

interface DocumentFile {
  readonly root: Term;
  readonly key: ContentKey;
  readonly fileName: string;
}

function filesIn(quads: readonly Quad[]): DocumentFile[] {
  const telling = quads.filter((each) => isReference(each) || each.predicate.value === sp.fileName);
  return [...new Graph(telling).groups()]
    .flatMap((about) => {
      const [first] = about;
      const fileName = about.find(({ predicate }) => predicate.value === sp.fileName)?.object.value;
      const key = first && contentKeyOf(about, first.subject);
      return key && fileName !== undefined ? [{ root: first.subject, key, fileName }] : [];
    })
    .sort((a, b) => (a.root.value < b.root.value ? -1 : 1));
}

const resourceNode = (index: number): Term => blankNode(`file${index}resource`);

/** reference/documents.md §3: eleven triples. */
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

/** reference/documents.md §4: four more. */
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

/** The text of bytes, unless they are no UTF-8 or hold what RDF/XML cannot carry: then only Base64 is exact. */
function writableText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return literalFault(literal(text)) === undefined ? text : undefined;
  } catch {
    return undefined;
  }
}

const generated: readonly string[] = [sp.fileSize, sp.resource];

/** Takes the stored sizes and resources of some documents out, with the blank nodes that are reachable from them. */
function withoutReplaced(quads: readonly Quad[], roots: readonly Term[]): Quad[] {
  const documents = new Set(roots.map(({ value }) => value));
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
  // A set is walked in the order of adding, so this follows what it finds.
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
