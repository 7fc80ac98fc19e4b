import { AnsweringThread } from '../answering-thread.js';
import type { Ontology } from '../../model/ontology/model.js';
import { Problem } from '../../model/problem.js';
import type { RdfFormat } from '../../rdf/formats.js';
import type { ListFacts } from '../../records/lists/page-limits.js';
import { QueryQueue } from '../respond/query-queue.js';
import { writeLongGraph, writingOf, type LongGraph } from './write-graph.js';
import type { WritingData, WritingTask, Written } from './writing-thread.js';

const IDLE_MS = 60_000;

export type LongGraphs = ReturnType<typeof longGraphs>;

/**
 * Makes a writer of long graphs in a thread, so that they do not block the event loop. The first list starts the thread.
 * @param onFault gets the reason when the thread fails; the list is then written in this thread
 */
export function longGraphs(
  ontology: Ontology,
  base: string,
  onFault: (reason: unknown) => void = () => undefined,
) {
  const queue = new QueryQueue();
  let thread: AnsweringThread<WritingTask, Written> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  const data = (): WritingData => {
    const codes = new Map(Array.from(ontology.codes, ([iri, { title }]) => [iri, { title }]));
    return { base, writing: { ...writingOf(ontology), codes } };
  };
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = thread;
    thread = undefined;
    await ended?.end();
  };
  const inThread = async (graph: LongGraph, format: RdfFormat): Promise<Written | undefined> => {
    clearTimeout(idle);
    if (thread?.isOver) thread = undefined;
    thread ??= new AnsweringThread(
      new URL('./writing-thread.js', import.meta.url),
      data(),
      'A thread that writes graphs ended.',
    );
    try {
      const given = [...graph.texts, ...(graph.contents ?? []).map(({ bytes }) => bytes)].map(
        ({ buffer }) => buffer,
      );
      return await thread.ask({ graph, format }, given);
    } catch (error) {
      if (isClosed) throw closing();
      onFault(error);
      return undefined;
    } finally {
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  };
  const written = async (
    format: RdfFormat,
    read: () => Promise<LongGraph>,
  ): Promise<{ body: Buffer; facts: ListFacts | undefined }> => {
    if (isClosed) throw closing();
    const graph = await read();
    const { facts } = graph;
    const answer = await inThread(graph, format);
    if (answer && 'fault' in answer) throw answer.fault;
    if (answer) return { body: Buffer.from(answer.bytes.buffer), facts };
    const again = await read();
    return { body: await writeLongGraph(again, format, base, writingOf(ontology)), facts: again.facts };
  };
  return {
    get waiting(): number {
      return queue.length;
    },
    /** Writes one graph at a time, to bound memory. @param app takes turns @throws Problem unavailable for too many */
    write: (app: string, format: RdfFormat, read: () => Promise<LongGraph>) =>
      queue.run(app, () => written(format, read)),
    async close(): Promise<void> {
      isClosed = true;
      await end();
    },
  };
}

const closing = (): Problem =>
  new Problem('unavailable', 'The container is closing; try again.', { retryAfter: 1 });
