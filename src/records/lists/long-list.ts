import { setImmediate as nextTurn } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { Ontology } from '../../ontology/model.js';
import { Problem } from '../../problem.js';
import { readList, type ListAnswer, type ListRequest, type ReadStore } from './list.js';
import { LARGEST_PAGE } from './page.js';
import { scopeOfList } from './read-known.js';
import { reachIn, storedText, thoseThere } from './stored-list.js';

/** Statements whose graphs are read in one turn of the event loop: some milliseconds. */
const IN_A_TURN = 100;
/** How often a list is read in turns of the event loop, while others write to it. */
const TRIES = 2;

/**
 * Bytes of N-Triples that are written together at most, some 50,000 statements: an answer takes up to ten times as much
 * of the heap of the thread that writes it, and one that took more would end the process.
 */
const MOST_BYTES = Math.min(256 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 12));

/** A list, and what its statements say as UTF-8 of absolute N-Triples in parts, some lines of them several times. */
export interface LongList extends Omit<ListAnswer, 'quads'> {
  readonly texts: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Reads a list that `readList` calls long, a part in each turn of the event loop, and anew when something was written
 * meanwhile; at last in one turn, without what was removed after it was chosen.
 * @param state changes with every write that can change the answer
 * @param first what `readList` gave, and the state before that
 * @param most bytes of its texts
 * @throws Problem invalid-parameter for a list that is more
 */
export async function readLongList(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  state: () => string,
  first: { readonly before: string; readonly list: ListAnswer },
  most = MOST_BYTES,
): Promise<LongList> {
  let { before, list } = first;
  for (let tried = 1; ; tried++) {
    if (state() !== before) {
      before = state();
      list = await readList(store, ontology, { ...request, isBrief: true });
    }
    const { order, total, next } = list;
    const isLast = tried > TRIES;
    const size = isLast ? order.length : IN_A_TURN;
    const { texts, there } = await textsOf(store, ontology, request, order, { size, most });
    if (isLast || state() === before)
      return { order: there, total: total - (order.length - there.length), next, texts };
  }
}

const encoder = new TextEncoder();

async function textsOf(
  store: ReadStore,
  ontology: Ontology,
  request: ListRequest,
  order: readonly string[],
  { size, most }: { readonly size: number; readonly most: number },
): Promise<Pick<LongList, 'texts'> & { readonly there: string[] }> {
  if (!store.stored) throw new Error('a store that reads no graphs as they are stored has no long lists');
  const { neighbours = [] } = request.query;
  const record = request.values['record']?.value ?? '';
  const reach = reachIn(store.base, record, scopeOfList(ontology, request));
  const read = new Set<string>();
  const texts: Uint8Array<ArrayBuffer>[] = [];
  const there: string[] = [];
  let left = most;
  for (let at = 0; at < order.length; at += size) {
    if (at > 0) await nextTurn();
    const some = order.slice(at, at + size);
    const text = await store.stored((graphs) => {
      there.push(...thoseThere(graphs, some));
      return storedText(graphs, some, neighbours, reach, read);
    });
    const bytes = encoder.encode(text);
    if ((left -= bytes.byteLength) < 0) throw tooLong();
    texts.push(bytes);
  }
  return { texts, there };
}

function tooLong(): Problem {
  return new Problem(
    'invalid-parameter',
    `The list is longer than what goes out as a whole: ask for pages of it, with a limit of at most ${LARGEST_PAGE}.`,
    { extra: { parameter: 'limit' } },
  );
}
