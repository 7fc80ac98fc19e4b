import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadTx } from '../../store/disk/data-directory.js';
import type { DocumentStore } from '../../store/documents/document-files.js';
import { isA, type CallModel, type Ontology } from '../../model/ontology/model.js';
import { PathTemplate } from '../../model/ontology/path-template.js';
import { Problem } from '../../model/problem.js';
import type { Quad } from '../../rdf/terms.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import { recordPart } from '../../records/record-partition.js';
import { historyUnder, pathsAt, textAt, untold } from '../../store/past.js';
import { inSteps, stepwise, type Stepwise } from '../../store/steps.js';
import type { PastStores } from '../../store/past-store.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { CallsOfApp } from '../../http/authorize.js';
import { readsOf } from '../../http/handlers/changes-of-record.js';
import { readSingle, type Reads } from '../../http/handlers/reads.js';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ExportedFile, ExportFormat } from '../../access/accounts/bulk-exports.js';
import { writeTriples } from '../../rdf/ntriples.js';
import { freshLabels } from '../../records/export-data.js';
import { oneTitlePerCode } from '../../records/titles.js';
import { writeGraph, writingOf } from '../../http/handlers/write-graph.js';

export interface ExportReads extends Omit<Reads, 'store'> {
  readonly primary: PrimaryStore;
  readonly past: PastStores;
  readonly documents: DocumentStore;
}

export interface ExportedRecord {
  readonly record: string;
  readonly revision: number;
  readonly since?: number | undefined;
  readonly calls: readonly CallModel[];
}

/** A resource as its call answers it, or the address of a removed one. */
export type ExportedResource =
  | { readonly call: CallModel; readonly address: string; readonly quads: Quad[] }
  | { readonly removed: string; readonly class?: string | undefined };

const TURN_MS = 4;

/** Returns the calls for single resources that the manifest lists, most specific first; never for apps' own texts. */
export function exportedCalls(
  ontology: Ontology,
  listed: ReturnType<CallsOfApp>,
  classes?: readonly string[],
): CallModel[] {
  return readsOf(ontology, listed)
    .filter(
      (call) =>
        call.cardinality === 'single' &&
        (classes === undefined || classes.some((iri) => isA(ontology, call.target, iri))),
    )
    .sort((a, b) => PathTemplate.bySpecificity(PathTemplate.of(a.path), PathTemplate.of(b.path)));
}

/**
 * Yields a record's resources in the state of a revision, as their calls' queries construct them, by address. If the
 * record is gone, lists changed resources as removed.
 * @throws Problem no-history when history does not reach back to `since`
 * @throws StoreFull for a record too large for a query that must run
 */
export async function* exportedResources(
  reads: ExportReads,
  { record, revision, since, calls }: ExportedRecord,
): AsyncGenerator<ExportedResource> {
  const { primary, base } = reads;
  const part = recordPart(record);
  if (since !== undefined && primary.revision(part) <= since) return;
  const { there, removed } = await primary.directory.readInTurns((tx, hold) => {
    hold();
    const found =
      since === undefined ? allPaths(tx, part, revision) : pathsChanged(tx, part, since, revision);
    return stepwise(found, inSteps());
  });
  for (const path of removed) {
    // Every exporting app learns of a record's removal.
    const found = callOf(calls, path);
    if (path === part || found) yield { removed: base + path, class: found?.call.target };
  }
  const store = reads.past(part, revision);
  let began = performance.now();
  for (const path of there) {
    const found = callOf(calls, path);
    if (!found) continue;
    if (performance.now() - began > TURN_MS) {
      await nextTurn();
      began = performance.now();
    }
    const address = base + path;
    const { call } = found;
    const quads = await readSingle({ ...reads, store }, { ...found, resource: address }).catch(nothing);
    if (quads.length === 0) continue;
    const isDocument = call.answer === 'document';
    yield {
      call,
      address,
      quads: isDocument ? describeDocuments(quads) : quads,
    };
  }
}

function nothing(error: unknown): Quad[] {
  if (error instanceof Problem && error.kind === 'not-found') return [];
  throw error;
}

interface Paths {
  readonly there: readonly string[];
  readonly removed: readonly string[];
}

const isThereNow = (tx: ReadTx, part: string): boolean => tx.bytes('graphs', part) !== undefined;

function* allPaths(tx: ReadTx, part: string, revision: number): Stepwise<Paths> {
  if (!isThereNow(tx, part)) return { there: [], removed: [] };
  return { there: (yield* pathsAt(tx, part, revision)).sort(), removed: [] };
}

function* pathsChanged(tx: ReadTx, part: string, since: number, revision: number): Stepwise<Paths> {
  if (untold(tx, since))
    throw new Problem('no-history', 'History does not reach back to that revision any more.');
  const isThere = isThereNow(tx, part);
  const there: string[] = [];
  const removed: string[] = [];
  for (const [path, ends] of yield* historyUnder(tx, part)) {
    if (!ends.some((end) => end > since && end <= revision)) continue;
    if (isThere && textAt(tx, path, revision) !== undefined) there.push(path);
    else if (textAt(tx, path, since) !== undefined) removed.push(path);
  }
  return { there: there.sort(), removed: removed.sort() };
}

function callOf(calls: readonly CallModel[], path: string) {
  for (const call of calls) {
    const values = PathTemplate.of(call.path).match(path);
    if (values) return { call, path: values };
  }
  return undefined;
}

/** Secret random bytes before a file's content, so that no document of a record can have its hash. */
export const SALT = 32;

interface PendingFile {
  readonly class: string | undefined;
  readonly removedClasses: Set<string>;
  readonly texts: Buffer[];
  readonly relabel: ReturnType<typeof freshLabels>;
  count: number;
}

/** Collects resources of some records, to be stored as one file per class. */
export class ExportBatch {
  readonly #files = new Map<string | undefined, PendingFile>();
  #size = 0;

  constructor(
    private readonly ontology: Ontology,
    private readonly format: ExportFormat,
  ) {}

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

  /** Stores the files, compressed and sealed. @throws Problem unavailable without room */
  async *stored(documents: Pick<DocumentStore, 'put'>): AsyncGenerator<ExportedFile> {
    for (const { class: target, removedClasses, texts, count } of this.#files.values()) {
      const about = target === undefined ? { removedClasses: [...removedClasses] } : { class: target };
      yield { ...about, count, key: await documents.put(content(texts)) };
    }
  }

  #textOf(resource: ExportedResource, { relabel }: PendingFile): string | Promise<string> {
    if ('removed' in resource) return `${JSON.stringify({ address: resource.removed })}\n`;
    const { address, quads } = resource;
    if (this.format === 'ndjson') return this.#jsonOf(address, quads);
    const lines = relabel(oneTitlePerCode(quads, this.ontology)).map((each) =>
      writeTriples([each]).trimEnd(),
    );
    return lines
      .sort()
      .map((line) => `${line.slice(0, -1)}<${address}> .\n`)
      .join('');
  }

  async #jsonOf(address: string, quads: Quad[]): Promise<string> {
    const text = await writeGraph(quads, 'jsonld', writingOf(this.ontology));
    const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { '@context': context, '@graph': nodes, ...node } = document;
    return `${JSON.stringify({ '@context': context, '@id': address, '@graph': nodes ?? [node] })}\n`;
  }
}

async function* content(texts: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield randomBytes(SALT);
  for await (const part of Readable.from(texts).pipe(createGzip())) yield part as Uint8Array;
}
