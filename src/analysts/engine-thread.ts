import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { formatNames } from '../rdf/formats.js';
import { loadEngine } from '../store/engine.js';
import { innerLabelUnder } from '../store/relative-text.js';
import { WorkingSet, WorkingSetPanic } from '../store/working-set.js';
import { planOf } from './query-plan.js';
import { prepareQuery, type PreparedQuery } from './prepare-query.js';
import { QueryFault } from './query-fault.js';
import { resultFormatNames, textFormatNames, type ResultFormatName } from './result-formats.js';
import type { Failure, ThreadData, ThreadNews, ThreadOrder, ThreadQuery } from './thread-messages.js';
import {
  FormatRefused,
  refused,
  writtenGraph,
  writtenTable,
  writtenTruth,
  type WrittenAnswer,
} from './written-answer.js';

// The entry of a thread that runs queries of analysts one at a time, on its own copy of a working set, so that a
// crash affects nothing else.

const { base, mostBytes, terms, prefixes, image, turns } = workerData as ThreadData;
const named = { terms: new Set(terms), prefixes };
const innerLabel = innerLabelUnder(base);

/** Priority on Linux: about a third of an API thread's share. With less, small queries time out. */
const NICENESS = 5;
const NICEST = 19;

const slices: { slice: Uint8Array; at: number }[] = [];
let workingSet: WorkingSet | undefined;

const tell = (news: ThreadNews): void => parentPort?.postMessage(news);

/** Makes the copy from all slices. Memory is grown once; skipped slices stay zero. */
function makeCopy(): void {
  workingSet = WorkingSet.ofImage(image, loadEngine(mostBytes), (memory) => {
    for (const each of slices.splice(0)) memory.set(each.slice, each.at);
  });
  giveWay();
  tell({ ready: true });
}

/** Called after copying, so that a replacement is ready soon. */
function giveWay(): void {
  try {
    // On Linux, 0 is this thread. Never lowers an existing niceness.
    setPriority(0, Math.min(getPriority(0) + NICENESS, NICEST));
  } catch {
    // A sandbox may forbid it.
  }
}

async function answer(query: ThreadQuery): Promise<void> {
  if (!workingSet) throw new Error('A query came before the image.');
  const start = performance.now();
  const prepared = prepareQuery(query.sparql, query.most, named, query.hasMovedDates);
  const deliver = ({ chunks, ...written }: WrittenAnswer): void => {
    tell({ head: { ...written, warnings: prepared.warnings, ms: performance.now() - start } });
    for (const chunk of chunks) {
      // Rows stay in the engine's memory until they are read.
      while (Atomics.load(turns, 0) === 0) Atomics.wait(turns, 0, 0);
      Atomics.sub(turns, 0, 1);
      tell({ chunk });
    }
    tell({ isWhole: true });
  };
  if (query.explain === true) {
    const chunks = [`${JSON.stringify(planOf(prepared))}\n`];
    deliver({ mediaType: 'application/json', rows: 0, isCut: false, chunks });
  } else await run(workingSet, prepared, query, deliver);
}

async function run(
  set: WorkingSet,
  { kind, text: sparql }: PreparedQuery,
  { formats, dataset, most }: ThreadQuery,
  deliver: (written: WrittenAnswer) => void,
): Promise<void> {
  const baseIri = `${base}/`;
  if (kind === 'graph') {
    const format = formats.graph ?? refused('CONSTRUCT and DESCRIBE take', formatNames);
    return deliver(
      await writtenGraph(set.run(sparql, 'text', baseIri, dataset), format, most, innerLabel, prefixes),
    );
  }
  if (kind === 'boolean') {
    const format = formats.rows;
    if (format === undefined || format === 'parquet') return refused('ASK takes', textFormatNames);
    return deliver(writtenTruth(set.run(sparql, 'table', baseIri, dataset).trim() === 'true', format));
  }
  const format: ResultFormatName = formats.rows ?? refused('SELECT takes', resultFormatNames);
  set.readTable({ sparql, baseIri, dataset }, (tsv) => deliver(writtenTable(tsv, format, most, innerLabel)));
}

const kept = (failure: Failure) => ({ failure, isBroken: false });

function failureOf(error: unknown): { failure: Failure; isBroken: boolean } {
  if (error instanceof WorkingSetPanic) return { failure: broken(error.cause), isBroken: true };
  // Our parser accepts some queries that the engine rejects. The message may quote the query, and goes only to its
  // sender.
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof FormatRefused) return kept({ kind: 'format', message });
  if (!(error instanceof QueryFault))
    return kept({ kind: 'invalid', message: `The query cannot be answered: ${message}` });
  const { line, column } = error;
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return kept({ kind: 'invalid', message, ...place });
}

function broken(cause: unknown): Failure {
  // Rust aborts like this when out of memory; a stack overflow is a range or bounds error.
  const isMemory = cause instanceof Error && cause.name === 'RuntimeError' && cause.message === 'unreachable';
  if (!isMemory) {
    const message =
      'The query is too large or too deeply nested for the engine; write it flatter or ask less.';
    return { kind: 'limit', limit: 'depth', message };
  }
  const message = 'The query needs more memory than one may take; ask for less, or group and filter earlier.';
  return { kind: 'limit', limit: 'memory', message };
}

parentPort?.on('message', (order: ThreadOrder) => {
  if ('slice' in order) slices.push(order);
  else if ('isWhole' in order) makeCopy();
  else if ('update' in order) workingSet?.update(order.update);
  else if ('nquads' in order) workingSet?.load(order.nquads);
  else answer(order.query).catch((error: unknown) => tell(failureOf(error)));
});
