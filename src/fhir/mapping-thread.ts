import { parentPort, workerData } from 'node:worker_threads';
import { mapBatch } from './map-batch.js';

/** A batch for a thread that maps: texts of queries, N-Triples of resources. */
export interface MappingTask {
  readonly queries: readonly string[];
  readonly chunks: readonly string[];
}

// The entry of a thread that maps batches, one at a time, in their order. An error ends it, and whoever waits is told.

const tables = workerData as string;

parentPort?.on('message', ({ queries, chunks }: MappingTask) => {
  parentPort?.postMessage(mapBatch(queries, tables, chunks));
});
