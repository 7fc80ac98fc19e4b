import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { formatNames } from '../rdf/formats.js';
import { loadEngine } from '../store/engine.js';
import { innerLabelUnder } from '../store/skolem-label.js';
import { WorkingSet, WorkingSetPanic } from '../store/working-set.js';
import { measuredPlan } from './explain/measured-plan.js';
import { planOf } from './explain/query-plan.js';
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

// The entry of a thread that runs the queries of analysts, one at a time, on a copy of a filled working set. Whatever a
// query does to the engine, it ends with the thread.

const { base, mostBytes, terms, image, turns } = workerData as ThreadData;
const declared: ReadonlySet<string> = new Set(terms);
const innerLabel = innerLabelUnder(base);

/**
 * Niceness of queries: on Linux about a third of what a thread of the calls of apps gets beside it. With less, small
 * queries of a busy machine run into their time limit.
 */
const NICENESS = 5;

const slices: { slice: Uint8Array; at: number }[] = [];
let workingSet: WorkingSet | undefined;

const tell = (news: ThreadNews): void => parentPort?.postMessage(news);

/** Makes the copy when all slices are here: the memory is grown once, and what is not sent stays zero. */
function makeCopy(): void {
  workingSet = WorkingSet.ofImage(image, loadEngine(mostBytes), (memory) => {
    for (const each of slices.splice(0)) memory.set(each.slice, each.at);
  });
  giveWay();
  tell({ ready: true });
}

/** Only when the copy stands, so that one that takes the place of another is there as soon as ever. */
function giveWay(): void {
  try {
    // On Linux 0 is this thread.
    setPriority(0, NICENESS);
  } catch {
    // Where a sandbox forbids it, queries have the priority of all else.
  }
}

async function answer(query: ThreadQuery): Promise<void> {
  if (!workingSet) throw new Error('A query came before the image.');
  const start = performance.now();
  const prepared = prepareQuery(query.sparql, query.most, declared);
  const deliver = ({ chunks, ...written }: WrittenAnswer): void => {
    tell({ head: { ...written, warnings: prepared.warnings, ms: performance.now() - start } });
    for (const chunk of chunks) {
      // What nobody takes yet is not made: rows wait in the engine's memory, and this thread has nothing else to do.
      while (Atomics.load(turns, 0) === 0) Atomics.wait(turns, 0, 0);
      Atomics.sub(turns, 0, 1);
      tell({ chunk });
    }
    tell({ isWhole: true });
  };
  if (query.explain === true) deliver(explained(workingSet, prepared, query));
  else await run(workingSet, prepared, query, deliver);
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
    return deliver(await writtenGraph(set.run(sparql, 'text', baseIri, dataset), format, most, innerLabel));
  }
  if (kind === 'boolean') {
    const format = formats.rows;
    if (format === undefined || format === 'parquet') return refused('ASK takes', textFormatNames);
    return deliver(writtenTruth(set.run(sparql, 'table', baseIri, dataset).trim() === 'true', format));
  }
  const format: ResultFormatName = formats.rows ?? refused('SELECT takes', resultFormatNames);
  set.readTable({ sparql, baseIri, dataset }, (tsv) => deliver(writtenTable(tsv, format, most, innerLabel)));
}

/** Its lines come as they are measured: what takes too long is ended in the middle. */
function explained(set: WorkingSet, prepared: PreparedQuery, { dataset, most }: ThreadQuery): WrittenAnswer {
  const { text, start } = prepared.declared;
  const relative = `${base}/`;
  const chunks = measuredPlan(planOf(text, start), {
    table: (sparql) => set.run(sparql, 'table', relative, dataset),
    whole: () => {
      const answered = set.run(
        prepared.text,
        prepared.kind === 'graph' ? 'text' : 'table',
        relative,
        dataset,
      );
      return prepared.kind === 'boolean'
        ? 1
        : Math.min(most, linesIn(answered) - (prepared.kind === 'table' ? 1 : 0));
    },
  });
  return { mediaType: 'application/x-ndjson', rows: 0, isCut: false, chunks };
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function failureOf(error: unknown): { failure: Failure; isBroken: boolean } {
  if (error instanceof QueryFault) {
    const { message, line, column } = error;
    const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
    return { failure: { kind: 'invalid', message, ...place }, isBroken: false };
  }
  if (error instanceof FormatRefused) {
    return { failure: { kind: 'format', message: error.message }, isBroken: false };
  }
  if (error instanceof WorkingSetPanic) return { failure: broken(error.cause), isBroken: true };
  // What the parser of this container lets pass and the engine does not; its words may quote the query to its sender.
  const message = error instanceof Error ? error.message : String(error);
  return {
    failure: { kind: 'invalid', message: `The query cannot be answered: ${message}` },
    isBroken: false,
  };
}

function broken(cause: unknown): Failure {
  // Rust ends what it has no memory for so; a stack that overflows shows as a range or an access out of bounds.
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
