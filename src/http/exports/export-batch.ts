import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ExportedFile, ExportFormat } from '../../accounts/bulk-exports.js';
import type { DocumentStore } from '../../disk/document-files.js';
import type { Ontology } from '../../ontology/model.js';
import { writeTriples } from '../../rdf/ntriples.js';
import type { Quad } from '../../rdf/terms.js';
import { freshLabels } from '../../records/fresh-labels.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { writeGraph, writingOf } from '../handlers/write-graph.js';
import type { ExportedResource } from './exported-resources.js';

/**
 * Random bytes before the content of a stored file. Files are named by their hashes, and nobody is shown these bytes: so
 * no document of a record ever has the name of a file that goes with its export.
 */
export const SALT = 32;

interface Waiting {
  readonly class: string | undefined;
  readonly removedClasses: Set<string>;
  readonly texts: Buffer[];
  readonly relabel: ReturnType<typeof freshLabels>;
  count: number;
}

/** Resources of some records on their way into files, one for each class. */
export class ExportBatch {
  readonly #ontology: Ontology;
  readonly #format: ExportFormat;
  readonly #files = new Map<string | undefined, Waiting>();
  #size = 0;

  constructor(ontology: Ontology, format: ExportFormat) {
    this.#ontology = ontology;
    this.#format = format;
  }

  /** Bytes that wait. */
  get size(): number {
    return this.#size;
  }

  async add(resource: ExportedResource): Promise<void> {
    const target = 'removed' in resource ? undefined : resource.call.target;
    let file = this.#files.get(target);
    if (!file) {
      file = { class: target, removedClasses: new Set(), texts: [], relabel: freshLabels(), count: 0 };
      this.#files.set(target, file);
    }
    if ('removed' in resource && resource.class !== undefined) file.removedClasses.add(resource.class);
    const text = Buffer.from(await this.#textOf(resource, file));
    file.texts.push(text);
    file.count++;
    this.#size += text.length;
  }

  /** Stores the files one by one, compressed and sealed. @throws Problem unavailable when there is no room */
  async *stored(documents: Pick<DocumentStore, 'put'>): AsyncGenerator<ExportedFile> {
    for (const { class: target, removedClasses, texts, count } of this.#files.values()) {
      const about = target === undefined ? { removedClasses: [...removedClasses] } : { class: target };
      yield { ...about, count, key: await documents.put(content(texts)) };
    }
  }

  #textOf(resource: ExportedResource, { relabel }: Waiting): string | Promise<string> {
    if ('removed' in resource) return `${JSON.stringify({ address: resource.removed })}\n`;
    const { address, quads } = resource;
    if (this.#format === 'ndjson') return this.#jsonOf(address, quads);
    const lines = relabel(oneTitlePerCode(quads, this.#ontology)).map((each) =>
      writeTriples([each]).trimEnd(),
    );
    return lines
      .sort()
      .map((line) => `${line.slice(0, -1)}<${address}> .\n`)
      .join('');
  }

  /** What the call answers as JSON-LD, in one line, as a graph with the name of the resource. */
  async #jsonOf(address: string, quads: Quad[]): Promise<string> {
    const text = await writeGraph(quads, 'jsonld', writingOf(this.#ontology));
    const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { '@context': context, '@graph': nodes, ...node } = document;
    return `${JSON.stringify({ '@context': context, '@id': address, '@graph': nodes ?? [node] })}\n`;
  }
}

async function* content(texts: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield randomBytes(SALT);
  for await (const part of Readable.from(texts).pipe(createGzip())) yield part as Uint8Array;
}
