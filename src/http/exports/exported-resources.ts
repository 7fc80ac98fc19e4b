import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadTx } from '../../disk/data-directory.js';
import type { DocumentStore } from '../../disk/document-files.js';
import { isA, type CallModel, type Ontology } from '../../ontology/model.js';
import { PathTemplate } from '../../ontology/path-template.js';
import { Problem } from '../../problem.js';
import type { Quad } from '../../rdf/terms.js';
import { describeDocuments } from '../../records/documents/describe-documents.js';
import { recordPart } from '../../records/record-partition.js';
import { historyUnder, pathsAt, textAt, untold } from '../../store/past.js';
import type { PastStores } from '../../store/past-store.js';
import type { PrimaryStore } from '../../store/primary-store.js';
import type { CallsOfApp } from '../app-requirements.js';
import { readsOf } from '../handlers/changes-of-record.js';
import { readSingle, type Reads } from '../handlers/reads.js';

/** What exports are read with. */
export interface ExportReads extends Omit<Reads, 'store'> {
  readonly primary: PrimaryStore;
  readonly past: PastStores;
  readonly documents: DocumentStore;
}

/** What is told of which record. */
export interface ExportedRecord {
  readonly record: string;
  /** The state that is told of. Where no history is kept, the record is told as it is when its turn comes. */
  readonly revision: number;
  readonly since?: number | undefined;
  /** What the app may read and has asked for. */
  readonly calls: readonly CallModel[];
}

/** A resource as the call for it answers, or the address of one that is gone. */
export type ExportedResource =
  | { readonly call: CallModel; readonly address: string; readonly quads: Quad[] }
  | { readonly removed: string; readonly class?: string | undefined };

/** Milliseconds of reading after which others have their turn. */
const TURN = 4;

/**
 * The calls that answer with the single resources of a record, the most specific first, as far as the manifest of an app
 * lists them; never what apps keep for themselves.
 * @param classes only resources of these and of classes below them
 */
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
 * The resources of a record, each with what the query of its call constructs of that state, in the order of their
 * addresses. A record that is gone by now is not told any more: what had changed in it is told as removed.
 * @throws Problem no-history when history does not reach back to `since` any more
 * @throws StoreFull for a record that is too large for a query that has to be run over it
 */
export async function* exportedResources(
  reads: ExportReads,
  { record, revision, since, calls }: ExportedRecord,
): AsyncGenerator<ExportedResource> {
  const { primary, base, documents } = reads;
  const part = recordPart(record);
  if (since !== undefined && primary.revision(part) <= since) return;
  const { there, removed } = primary.directory.read((tx) =>
    since === undefined ? allPaths(tx, part, revision) : pathsChanged(tx, part, since, revision),
  );
  for (const path of removed) {
    // That a record is gone is told to whoever may walk through all of them.
    const found = callOf(calls, path);
    if (path === part || found) yield { removed: base + path, class: found?.call.target };
  }
  const store = reads.past(part, revision);
  let began = performance.now();
  for (const path of there) {
    const found = callOf(calls, path);
    if (!found) continue;
    if (performance.now() - began > TURN) {
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
      quads: isDocument ? await describeDocuments(quads, documents, 'metadata') : quads,
    };
  }
}

/** What a call answers with 404 is in no file. */
function nothing(error: unknown): Quad[] {
  if (error instanceof Problem && error.kind === 'not-found') return [];
  throw error;
}

interface Paths {
  readonly there: readonly string[];
  readonly removed: readonly string[];
}

const isThereNow = (tx: ReadTx, part: string): boolean => tx.bytes('graphs', part) !== undefined;

function allPaths(tx: ReadTx, part: string, revision: number): Paths {
  if (!isThereNow(tx, part)) return { there: [], removed: [] };
  return { there: [...pathsAt(tx, part, revision)].sort(), removed: [] };
}

/** @throws Problem no-history */
function pathsChanged(tx: ReadTx, part: string, since: number, revision: number): Paths {
  if (untold(tx, since))
    throw new Problem('no-history', 'History does not reach back to that revision any more.');
  const isThere = isThereNow(tx, part);
  const there: string[] = [];
  const removed: string[] = [];
  for (const [path, ends] of historyUnder(tx, part)) {
    if (!ends.some((end) => end > since && end <= revision)) continue;
    if (isThere && textAt(tx, path, revision) !== undefined) there.push(path);
    else if (textAt(tx, path, since) !== undefined) removed.push(path);
  }
  return { there: there.sort(), removed: removed.sort() };
}

function callOf(
  calls: readonly CallModel[],
  path: string,
): { readonly call: CallModel; readonly path: Record<string, string> } | undefined {
  for (const call of calls) {
    const values = PathTemplate.of(call.path).match(path);
    if (values) return { call, path: values };
  }
  return undefined;
}
