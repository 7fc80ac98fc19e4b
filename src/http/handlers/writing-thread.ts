import { parentPort, workerData } from 'node:worker_threads';
import type { RdfFormat } from '../../rdf/formats.js';
import { writeLongGraph, type GraphWriting, type LongGraph } from './write-graph.js';

/** A graph for a thread that writes. */
export interface WritingTask {
  readonly graph: LongGraph;
  readonly format: RdfFormat;
}

/** What a thread that writes begins with. */
export interface WritingData {
  readonly base: string;
  readonly writing: GraphWriting;
}

/** What it answers: the bytes, or what is wrong with the graph. */
export type Written = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly fault: Error };

// The entry of a thread that writes graphs, one at a time.

const { base, writing } = workerData as WritingData;

parentPort?.on('message', ({ graph, format }: WritingTask) => {
  const answer = (written: Written, given: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(written, given);
  writeLongGraph(graph, format, base, writing).then(
    (written) => {
      // Small buffers share what they lie in, which can be given to nobody.
      const bytes = written.byteLength === written.buffer.byteLength ? written : Uint8Array.from(written);
      answer({ bytes } as Written, [bytes.buffer as ArrayBuffer]);
    },
    (fault: unknown) => answer({ fault: fault instanceof Error ? fault : new Error(String(fault)) }),
  );
});
