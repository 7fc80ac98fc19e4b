import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDirectory } from '../../disk/data-directory.js';
import type { ReadTx } from '../../disk/transaction.js';
import { lastRevision } from '../change-log.js';
import { compareKeys } from './key-order.js';
import { readLists, readRowState } from './row-state.js';
import { isWithin, keysOf, keysWith, pathOfKey, type KeyRange, type SearchList } from './search-lists.js';
import { SortedKeys } from './sorted-keys.js';

/** What a search asks for; of the rows of its target those that hold every term, in order. */
export interface RowSearch {
  readonly order: SearchList;
  readonly terms: readonly { readonly list: SearchList; readonly value: string }[];
  /** The paths of the only graphs that may be found; undefined for all. */
  readonly among?: readonly string[] | undefined;
  readonly offset: number;
  /** How many are named at most. */
  readonly most: number;
  /** Whether the total is asked for. */
  readonly counted: boolean;
}

/** What rows hold what a search asks for. */
export interface FoundRows {
  /** The paths of the graphs, in order: those behind the offset, as many as are named. */
  readonly paths: readonly string[];
  /** How many hold it, where that is asked for; else at least so many. */
  readonly total: number;
}

/** So many rows, or this share of all, are read and put in order; of more the order is looked through. */
const FEW = 100;
const FEW_OF = 100;
/** Rows read at a time. */
const READ = 50;
/** Milliseconds that others wait at most. */
const TURN = 2;
/** After so many changes under its hands a search goes through in one turn. */
const TRIES = 3;

/** A search at work: gives way now and then. */
type Steps = Generator<undefined, FoundRows>;

/** Finds rows. @returns undefined where the directory has none that tell */
export async function findRows(directory: DataDirectory, search: RowSearch): Promise<FoundRows | undefined> {
  for (let tries = 0; ; tries++) {
    let tx: ReadTx | undefined;
    let version = -1;
    let steps: Steps | undefined;
    for (let isOver = false; !isOver;) {
      const found = directory.read((now): FoundRows | 'none' | undefined => {
        const state = readRowState(now);
        if (!state || state.maker !== undefined || state.through !== lastRevision(now)) return 'none';
        if (steps && state.version !== version) {
          isOver = true;
          return undefined;
        }
        tx = now;
        version = state.version;
        const reader: Reader = {
          get: (table, key) => tx?.get(table, key),
          count: (table) => tx?.count(table) ?? 0,
        };
        steps ??= stepsOf(reader, readLists(now).lists, search);
        if (!steps) return 'none';
        const end = tries < TRIES ? performance.now() + TURN : Infinity;
        for (;;) {
          const step = steps.next();
          if (step.done) return step.value;
          if (performance.now() > end) return undefined;
        }
      });
      if (found === 'none') return undefined;
      if (found) return found;
      await nextTurn();
    }
  }
}

type Reader = Pick<ReadTx, 'get' | 'count'>;

/** A search with the keys that it looks for. */
interface Ranges extends Pick<RowSearch, 'among' | 'offset' | 'most' | 'counted'> {
  readonly order: KeyRange;
  readonly terms: readonly KeyRange[];
}

/** @returns undefined when a list is not among those that rows are made for */
function stepsOf(tx: Reader, lists: readonly SearchList[], search: RowSearch): Steps | undefined {
  const numbers = new Map(lists.map((list, number) => [JSON.stringify(list), number]));
  const numberOf = (list: SearchList): number | undefined => numbers.get(JSON.stringify(list));
  const order = numberOf(search.order);
  const terms = search.terms.flatMap(({ list, value }) => {
    const number = numberOf(list);
    return number === undefined || list.kind === 'order' ? [] : [keysWith(number, list.kind, value)];
  });
  if (order === undefined || terms.length < search.terms.length) return undefined;
  return found(tx, { ...search, order: keysOf(order), terms });
}

function* found(tx: Reader, search: Ranges): Steps {
  const { among, terms } = search;
  const sorted = new SortedKeys(tx);
  if (among) return yield* fromRows(tx, new Set(among), search);
  if (terms.length === 0) return yield* inOrder(sorted, undefined, search);
  const [candidates, others] = yield* smallest(sorted, terms);
  if (candidates.size <= Math.max(FEW, tx.count('searchRows') / FEW_OF))
    return yield* fromRows(tx, candidates, search);
  for (const range of others) {
    const own = yield* pathsIn(sorted, range);
    for (const path of candidates) if (!own.has(path)) candidates.delete(path);
  }
  return yield* inOrder(sorted, candidates, search);
}

/** The graphs of the term that fewest have, without looking much further into those of others; and the other terms. */
function* smallest(
  sorted: SortedKeys,
  terms: readonly KeyRange[],
): Generator<undefined, [paths: Set<string>, others: readonly KeyRange[]]> {
  const all = terms.map((range) => ({
    range,
    keys: sorted.range(range.start, range.end),
    paths: new Set<string>(),
  }));
  for (;;) {
    for (const { range, keys, paths } of all) {
      const next = keys.next();
      if (next.done) return [paths, terms.filter((other) => other !== range)];
      for (const key of next.value) paths.add(pathOfKey(key));
      yield;
    }
  }
}

function* pathsIn(sorted: SortedKeys, { start, end }: KeyRange): Generator<undefined, Set<string>> {
  const paths = new Set<string>();
  for (const keys of sorted.range(start, end)) {
    for (const key of keys) paths.add(pathOfKey(key));
    yield;
  }
  return paths;
}

/** Reads the rows of some graphs, and puts those that hold all terms in order. */
function* fromRows(tx: Reader, paths: Iterable<string>, { order, terms, offset, most }: Ranges): Steps {
  const rows: { readonly path: string; readonly at: string }[] = [];
  let read = 0;
  for (const path of paths) {
    if (++read % READ === 0) yield;
    const keys = ((tx.get('searchRows', path) as string | undefined) ?? '').split('\n');
    const at = keys.find((key) => key.startsWith(order.start));
    if (at !== undefined && terms.every((range) => keys.some((key) => isWithin(key, range))))
      rows.push({ path, at });
  }
  rows.sort((a, b) => compareKeys(a.at, b.at) || compareKeys(a.path, b.path));
  return { paths: rows.slice(offset, offset + most).map(({ path }) => path), total: rows.length };
}

/** Looks through the order for some graphs, or for all. */
function* inOrder(
  sorted: SortedKeys,
  wanted: ReadonlySet<string> | undefined,
  { order, offset, most, counted }: Ranges,
): Steps {
  const paths: string[] = [];
  let seen = 0;
  for (const keys of sorted.range(order.start, order.end)) {
    for (const key of keys) {
      const path = pathOfKey(key);
      if (wanted && !wanted.has(path)) continue;
      if (seen++ >= offset && paths.length < most) paths.push(path);
    }
    if (paths.length === most && (wanted || !counted)) break;
    yield;
  }
  return { paths, total: wanted?.size ?? seen };
}
