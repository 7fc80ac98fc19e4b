import { parentPort, workerData } from 'node:worker_threads';
import { WorkingSet } from '../store/working-set.js';
import { mapBatch } from './map-batch.js';

/** A batch for a thread that maps: queries, and N-Triples of resources. */
export interface BatchTask {
  readonly queries: readonly string[];
  readonly chunks: readonly string[];
}

// The entry of a thread that maps batches, one at a time, in order. An error ends it and rejects all waiting batches.

const tables = workerData as string;
/** One memory for all batches: a dropped engine keeps its own until V8 collects garbage. */
let engine = new WorkingSet();

parentPort?.on('message', ({ queries, chunks }: BatchTask) => {
  parentPort?.postMessage(mapBatch(queries, tables, chunks, engine));
  engine = engine.emptied() ?? new WorkingSet();
});
