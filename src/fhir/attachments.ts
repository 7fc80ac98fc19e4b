import type { FileSource } from '../records/documents/folder-source.js';
import { sp } from '../rdf/vocabulary.js';
import type { NamedGraph } from '../store/graph-store.js';
import type { Quad } from '../rdf/terms.js';

/** Base64 characters decoded at once; a multiple of four. */
const CHUNK = 1 << 16;

/** The files that documents bring with them, by record and file name. */
export class Attachments implements FileSource {
  readonly #files = new Map<string, string>();

  /**
   * Moves the content of a document out of its graph into a file of the record.
   * @param data the Base64 that a name in the graph stands for
   */
  detach(graph: NamedGraph, recordId: string, data: (name: string) => string | undefined): NamedGraph {
    const { name, quads } = graph;
    const holder = quads.find(
      ({ subject, predicate }) => predicate.value === sp.resource && subject.value === name,
    );
    if (!holder) return graph;
    const below = reachable(quads, holder.object.value);
    const content = quads.find(
      ({ subject, predicate }) => predicate.value === sp.value && below.has(subject.value),
    );
    const fileName = quads.find(({ predicate }) => predicate.value === sp.fileName)?.object.value;
    const text = content && data(content.object.value);
    if (text === undefined || fileName === undefined) return graph;
    this.#files.set(`${recordId}/${fileName}`, text);
    return { name, quads: quads.filter((each) => each !== holder && !below.has(each.subject.value)) };
  }

  /** Adds a file of a record. */
  put(recordId: string, fileName: string, bytes: Buffer): void {
    this.#files.set(`${recordId}/${fileName}`, bytes.toString('base64'));
  }

  async take(
    fileName: string,
    [recordId = '']: readonly string[],
    store: Parameters<FileSource['take']>[2],
  ): ReturnType<FileSource['take']> {
    const text = this.#files.get(`${recordId}/${fileName}`);
    return text === undefined ? undefined : store.put(decoded(text));
  }
}

function reachable(quads: readonly Quad[], start: string): Set<string> {
  const reached = new Set([start]);
  // A document holds its content two nodes deep.
  for (let deep = 0; deep < 2; deep++) {
    for (const { subject, object } of quads)
      if (reached.has(subject.value) && object.termType === 'BlankNode') reached.add(object.value);
  }
  return reached;
}

/** Decodes a Base64 text in pieces (RFC 4648 §4); white space is ignored, as FHIR allows it. */
async function* decoded(text: string): AsyncGenerator<Uint8Array> {
  const plain = text.replace(/\s+/gu, '');
  for (let start = 0; start < plain.length; start += CHUNK)
    yield await Promise.resolve(Buffer.from(plain.slice(start, start + CHUNK), 'base64'));
}
