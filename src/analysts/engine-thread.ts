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
import { writtenGraph, writtenTable, writtenTruth, type WrittenAnswer } from './written-answer.js';

// The entry of a thread that runs the queries of analysts, one at a time, on a copy of a filled working set. Whatever a
// query does to the engine, it ends with the thread.

const { base, mostBytes, terms, image } = workerData as ThreadData;
const declared: ReadonlySet<string> = new Set(terms);
const innerLabel = innerLabelUnder(base);
/** Chunks that are on their way at most. */
const AHEAD = 4;

const slices: { slice: Uint8Array; at: number }[] = [];
let workingSet: WorkingSet | undefined;
let chunks: Iterator<string | Uint8Array<ArrayBuffer>> | undefined;

const tell = (news: ThreadNews, transfer: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(news, transfer);

/** Makes the copy when all slices are here: the memory is grown once, and what is not sent stays zero. */
function makeCopy(): void {
  workingSet = WorkingSet.ofImage(image, loadEngine(mostBytes), (memory) => {
    for (const each of slices.splice(0)) memory.set(each.slice, each.at);
  });
  tell({ ready: true });
}

async function answer(query: ThreadQuery): Promise<void> {
  if (!workingSet) throw new Error('A query came before the image.');
  const start = performance.now();
  const prepared = prepareQuery(query.sparql, query.most, declared);
  const answerer = query.explain === true ? explained : run;
  const { chunks: text, ...written } = await answerer(workingSet, prepared, query);
  chunks = text[Symbol.iterator]();
  tell({ head: { ...written, warnings: prepared.warnings, ms: performance.now() - start } });
  send(AHEAD);
}

async function run(set: WorkingSet, prepared: PreparedQuery, query: ThreadQuery): Promise<WrittenAnswer> {
  const { formats, dataset, most } = query;
  const relative = `${base}/`;
  if (prepared.kind === 'graph') {
    const format = formats.graph ?? refused('CONSTRUCT and DESCRIBE take', formatNames);
    return writtenGraph(set.run(prepared.text, 'text', relative, dataset), format, most, innerLabel);
  }
  const run = (): string => set.run(prepared.text, 'table', relative, dataset);
  if (prepared.kind === 'boolean') {
    const format = formats.rows;
    if (format === undefined || format === 'parquet') return refused('ASK takes', textFormatNames);
    return writtenTruth(run().trim() === 'true', format);
  }
  const format: ResultFormatName = formats.rows ?? refused('SELECT takes', resultFormatNames);
  return writtenTable(run(), format, most, innerLabel);
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

class FormatRefused extends Error {}

function refused(forms: string, names: readonly string[]): never {
  throw new FormatRefused(`None of the accepted formats can carry the answer; ${forms} ${names.join(', ')}.`);
}

function send(most: number): void {
  for (let left = most; left > 0 && chunks; left--) {
    const { value, done } = chunks.next();
    const part = done ? '' : value;
    const chunk = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    if (done) chunks = undefined;
    tell({ chunk, isLast: done === true }, [chunk.buffer]);
  }
}

function sendMore(most: number): void {
  try {
    send(most);
  } catch (error) {
    tell(failureOf(error));
  }
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
  else if ('more' in order) sendMore(order.more);
  else answer(order.query).catch((error: unknown) => tell(failureOf(error)));
});
