import { Worker } from 'node:worker_threads';
import { readTriples } from '../rdf/ntriples.js';
import type { Quad } from '../rdf/terms.js';
import type { AnswerRow, JsonTerm } from '../rdf/json-term.js';
import { queryForm } from '../store/query-form.js';
import { innerLabelUnder } from '../store/relative-text.js';
import type { QueryMessage, QueryTask } from './query-worker.js';

interface CallersQuery extends Omit<QueryTask, 'answer'> {
  readonly timeout?: number | undefined;
}

export type QueryAnswer =
  | { readonly kind: 'solutions'; readonly variables: readonly string[]; readonly rows: readonly AnswerRow[] }
  | { readonly kind: 'ask'; readonly answer: boolean }
  | { readonly kind: 'graph'; readonly quads: readonly Quad[] };

/** A query that was not answered, with the reason. */
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
 * Runs a caller's query on its own working set and thread: a crash ends only that thread. The default graph is the
 * union of all records and the ontology; every graph can be named. Blank nodes stay blank in the answer. @throws
 * QueryRefused
 */
export async function queryInThread({ timeout, ...query }: CallersQuery): Promise<QueryAnswer> {
  const { base, sparql } = query;
  const form = queryForm(sparql);
  if (form === 'update') throw new QueryRefused('update', 'This is an update; a query only reads.');
  const answer = form ?? 'rows';
  const text = await runTask({ ...query, answer }, timeout);
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
