import { availableParallelism } from 'node:os';
import { AnsweringThread } from '../http/answering-thread.js';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import { mapBatch } from './map-batch.js';
import type { BatchTask } from './mapping-thread.js';
import type { MappingQuery } from './mapping.js';

/** The results of a query for a batch of resources. */
export interface Mapped {
  readonly query: MappingQuery;
  readonly quads: readonly Quad[];
}

/** Chunks of triples that justify starting a thread, which takes as long as mapping some hundred resources. */
const WORTH = 2;

/** The most threads that the main one, which reads and stores, can keep busy. */
const MOST_THREADS = 2;

/** Returns how many threads a load uses on this machine, beside the main one. */
export const mappingThreads = (): number => Math.min(MOST_THREADS, availableParallelism() - 1);

/** Maps batches of resources in other threads; a small load, or one without threads, in the main one. */
export class MappingThreads {
  readonly #threads: AnsweringThread<BatchTask, string[]>[] = [];

  /**
   * @param tables N-Triples of the mapping's tables
   * @param count the most threads
   */
  constructor(
    private readonly tables: string,
    private readonly count: number,
  ) {}

  /**
   * Runs each query once over a batch.
   * @param chunks N-Triples of the resources
   * @throws Error if the engine or the thread fails
   */
  async map(queries: readonly MappingQuery[], chunks: readonly string[]): Promise<Mapped[]> {
    const isSmall = this.#threads.length === 0 && chunks.length < WORTH;
    const tasks = queries.map(({ text }) => text);
    const texts =
      this.count === 0 || isSmall
        ? mapBatch(tasks, this.tables, chunks)
        : await this.#thread().ask({ queries: tasks, chunks });
    return queries.map((query, at) => ({ query, quads: readTriples(texts[at] ?? '') }));
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.end()));
  }

  /** Returns the thread with the least work; a new one rather than a busy one. */
  #thread(): AnsweringThread<BatchTask, string[]> {
    const [least] = [...this.#threads].sort((a, b) => a.tasks - b.tasks);
    if (least && (least.tasks === 0 || this.#threads.length >= this.count)) return least;
    const thread = new AnsweringThread<BatchTask, string[]>(
      new URL('./mapping-thread.js', import.meta.url),
      this.tables,
      'A thread that maps resources ended; load the files again.',
    );
    this.#threads.push(thread);
    return thread;
  }
}
