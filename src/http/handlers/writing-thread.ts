import { parentPort, workerData } from 'node:worker_threads';
import type { RdfFormat } from '../../rdf/formats.js';
import { writeLongGraph, type GraphWriting, type LongGraph } from './write-graph.js';

export interface WritingTask {
  readonly graph: LongGraph;
  readonly format: RdfFormat;
}

export interface WritingData {
  readonly base: string;
  readonly writing: GraphWriting;
}

export type Written = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly fault: Error };

const { base, writing } = workerData as WritingData;

parentPort?.on('message', ({ graph, format }: WritingTask) => {
  const answer = (written: Written, given: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(written, given);
  writeLongGraph(graph, format, base, writing).then(
    (written) => {
      // Small buffers share memory that cannot be transferred.
      const bytes = written.byteLength === written.buffer.byteLength ? written : Uint8Array.from(written);
      answer({ bytes } as Written, [bytes.buffer as ArrayBuffer]);
    },
    (fault: unknown) => answer({ fault: fault instanceof Error ? fault : new Error(String(fault)) }),
  );
});
