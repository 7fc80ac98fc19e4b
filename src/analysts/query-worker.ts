import { parentPort, workerData } from 'node:worker_threads';
import { openDataDirectory } from '../store/disk/data-directory.js';
import type { Quad } from '../rdf/terms.js';
import { readTriples } from '../rdf/ntriples.js';
import { mentionsGraphs } from '../store/query-form.js';
import { inGraph, resolveText } from '../store/relative-text.js';
import { WorkingSet, WorkingSetPanic } from '../store/working-set.js';
import { dateTriples } from './date-nodes.js';

export interface QueryTask {
  readonly data: string;
  readonly store?: string | undefined;
  /** No trailing slash; relative IRIs resolve below it. */
  readonly base: string;
  readonly sparql: string;
  /** Date properties that get instants, if wanted. */
  readonly dates?: readonly string[] | undefined;
  readonly answer: 'rows' | 'text';
}

export type QueryMessage = { readonly text: string } | { readonly reason: string; readonly broke: boolean };

const PIECE = 1 << 20;
const RECORDS = '/records/';
const ONTOLOGY = '/ontology';

/** Fills a working set with the current state: records and ontology as the default graph, and all named graphs. */
async function fill({ data, store, base, sparql, dates }: QueryTask): Promise<WorkingSet> {
  const directory = await openDataDirectory(data, { store });
  const workingSet = new WorkingSet();
  // Named graphs are loaded only if the query mentions graphs: otherwise they would double work and memory.
  const named = mentionsGraphs(sparql);
  const dated = dates && new Set(dates);
  let piece = '';
  const load = (): void => {
    workingSet.load(resolveText(piece, base));
    piece = '';
  };
  directory.read((tx) => {
    for (const { key, value } of tx.range('graphs')) {
      const path = String(key);
      const text = String(value);
      if (path.startsWith(RECORDS) || path === ONTOLOGY) {
        piece += text;
        if (dated) for (const quad of readTriples(text)) piece += instantsText(quad, dated);
      }
      if (named) piece += inGraph(text, path);
      if (piece.length >= PIECE) load();
    }
  });
  load();
  await directory.close();
  return workingSet;
}

function instantsText({ predicate, object }: Quad, dates: ReadonlySet<string>): string {
  if (!dates.has(predicate.value)) return '';
  return dateTriples(object)
    .map((triple) => `${triple} .\n`)
    .join('');
}

async function run(task: QueryTask): Promise<QueryMessage> {
  try {
    const workingSet = await fill(task);
    return { text: workingSet.run(task.sparql, task.answer, `${task.base}/`) };
  } catch (error) {
    return {
      reason: error instanceof Error ? error.message : String(error),
      broke: error instanceof WorkingSetPanic,
    };
  }
}

parentPort?.postMessage(await run(workerData as QueryTask));
