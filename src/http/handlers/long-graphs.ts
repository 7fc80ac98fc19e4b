import { AnsweringThread } from '../../answering-thread.js';
import type { Ontology } from '../../ontology/model.js';
import { Problem } from '../../problem.js';
import type { RdfFormat } from '../../rdf/formats.js';
import type { ListFacts } from '../../records/lists/response-summary.js';
import { QueryQueue } from '../respond/query-queue.js';
import { writeLongGraph, writingOf, type LongGraph } from './write-graph.js';
import type { WritingData, WritingTask, Written } from './writing-thread.js';

/** After so many milliseconds without a task the thread ends: what it has taken of memory is of use to nobody. */
const IDLE = 60_000;

/** Writes lists that would keep the event loop busy for long. */
export interface LongGraphs {
  /** How many wait. */
  readonly waiting: number;
  /**
   * Reads and writes one list after the other, so that many at a time take no more memory than one.
   * @param app whose turn it takes
   * @param read its parts, a few in each turn of the event loop
   * @throws Problem unavailable when too many wait already
   */
  write(
    app: string,
    format: RdfFormat,
    read: () => Promise<LongGraph>,
  ): Promise<{ readonly body: Buffer; readonly facts: ListFacts }>;
  close(): Promise<void>;
}

/**
 * Makes what writes long lists in a thread, which begins with the first of them.
 * @param base of the container
 * @param onFault called with the reason when there can be no thread; then they are written here
 */
export function longGraphs(
  ontology: Ontology,
  base: string,
  onFault: (reason: unknown) => void = () => undefined,
): LongGraphs {
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
  const inThread = async ({ texts, facts }: LongGraph, format: RdfFormat): Promise<Written | undefined> => {
    clearTimeout(idle);
    if (thread?.isOver) thread = undefined;
    thread ??= new AnsweringThread(
      new URL('./writing-thread.js', import.meta.url),
      data(),
      'A thread that writes graphs ended.',
    );
    try {
      const given = texts.map(({ buffer }) => buffer);
      return await thread.ask({ graph: { texts, facts }, format }, given);
    } catch (error) {
      if (isClosed) throw closing();
      onFault(error);
      return undefined;
    } finally {
      idle = setTimeout(() => void end(), IDLE).unref();
    }
  };
  const written = async (
    format: RdfFormat,
    read: () => Promise<LongGraph>,
  ): Promise<{ body: Buffer; facts: ListFacts }> => {
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
    get waiting() {
      return queue.length;
    },
    write: (app, format, read) => queue.run(app, () => written(format, read)),
    async close() {
      isClosed = true;
      await end();
    },
  };
}

const closing = (): Problem =>
  new Problem('unavailable', 'The container is closing; try again.', { headers: { 'Retry-After': '1' } });
