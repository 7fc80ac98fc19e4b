import { Worker } from 'node:worker_threads';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { queryForm } from '../store/query-form.js';
import { innerLabelUnder } from '../store/skolem-label.js';
import type { QueryMessage, QueryTask } from './query-worker.js';

export interface CallersQuery {
  /** The data directory; it must exist. */
  readonly data: string;
  /** The shared store of which `data` holds a copy. */
  readonly store?: string | undefined;
  /** Absolute URL without a slash at its end; relative IRIs of the query stand under it too. */
  readonly base: string;
  readonly sparql: string;
  /** The properties whose dates have their instants beside them, if the query asks for instants. */
  readonly dates?: readonly string[] | undefined;
  /** Milliseconds after which the query is stopped; default: never. */
  readonly timeout?: number | undefined;
}

export type QueryAnswer =
  | { readonly kind: 'solutions'; readonly variables: readonly string[]; readonly rows: readonly AnswerRow[] }
  | { readonly kind: 'ask'; readonly answer: boolean }
  | { readonly kind: 'graph'; readonly quads: readonly Quad[] };

/** A caller's query that was not answered; the message says why. */
export class QueryRefused extends Error {
  constructor(
    readonly kind: 'update' | 'invalid' | 'stopped' | 'broke',
    message: string,
  ) {
    super(message);
    this.name = 'QueryRefused';
  }
}

/**
 * Runs a caller's query on a working set of its own, in a thread of its own: whatever it does to the engine, and however
 * long it would take, only that thread ends. The data cannot be changed. The default graph is the union of the
 * graphs of all records and the ontology; every graph can be named. blank nodes are blank in the answer.
 * @throws QueryRefused
 */
export async function queryInThread({
  data,
  store,
  base,
  sparql,
  dates,
  timeout,
}: CallersQuery): Promise<QueryAnswer> {
  const form = queryForm(sparql);
  if (form === 'update') throw new QueryRefused('update', 'This is an update; a query only reads.');
  const answer = form ?? 'rows';
  const text = await runTask({ data, store, base, sparql, dates, answer }, timeout);
  return answer === 'text'
    ? { kind: 'graph', quads: readTriples(text, innerLabelUnder(base)) }
    : readResults(text, base);
}

async function runTask(task: QueryTask, timeout: number | undefined): Promise<string> {
  const worker = new Worker(new URL('./query-worker.js', import.meta.url), { workerData: task });
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<QueryMessage>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () =>
        reject(new QueryRefused('broke', 'The thread of the query ended without an answer.')),
      );
      if (timeout === undefined) return;
      const stopped = new QueryRefused('stopped', `The query was stopped after ${timeout / 1000} s.`);
      timer = setTimeout(() => reject(stopped), timeout);
    });
    if ('text' in message) return message.text;
    if (message.broke)
      throw new QueryRefused('broke', 'The query is too large or too deeply nested for the engine.');
    throw new QueryRefused('invalid', `The query cannot be answered: ${message.reason}`);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

interface JsonDocument {
  readonly head: { readonly vars?: readonly string[] };
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly AnswerRow[] };
}

function readResults(text: string, base: string): QueryAnswer {
  const { head, boolean, results } = JSON.parse(text) as JsonDocument;
  if (boolean !== undefined) return { kind: 'ask', answer: boolean };
  const innerLabel = innerLabelUnder(base);
  const outer = (term: JsonTerm): JsonTerm => {
    const label = term.type === 'uri' ? innerLabel(term.value) : undefined;
    return label === undefined ? term : { type: 'bnode', value: label };
  };
  const rows = (results?.bindings ?? []).map((row) =>
    Object.fromEntries(Object.entries(row).map(([variable, term]) => [variable, outer(term)])),
  );
  return { kind: 'solutions', variables: head.vars ?? [], rows };
}
