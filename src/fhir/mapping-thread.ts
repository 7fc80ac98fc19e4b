import { parentPort, workerData } from 'node:worker_threads';
import { mapBatch } from './map-batch.js';
import type { MappingTask } from './unmade-reasons.js';

/** A batch for a thread that maps: queries, and N-Triples of resources. */
export interface BatchTask {
  readonly queries: readonly MappingTask[];
  readonly chunks: readonly string[];
}

// The entry of a thread that maps batches, one at a time, in their order. An error ends it, and whoever waits is told.

const tables = workerData as string;

parentPort?.on('message', ({ queries, chunks }: BatchTask) => {
  parentPort?.postMessage(mapBatch(queries, tables, chunks));
});
