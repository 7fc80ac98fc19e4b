import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDirectory } from '../disk/data-directory.js';
import type { ReadTx } from '../disk/transaction.js';
import { lastRevision } from '../change-log.js';
import { compareKeys, SortedKeys } from './sorted-keys.js';
import { readLists, readRowState } from './row-writer.js';
import { isWithin, keysOf, keysWith, pathOfKey, type KeyRange, type SearchList } from './search-lists.js';

/** Selects the rows of a target that match every term, in order. */
export interface RowSearch {
  readonly order: SearchList;
  readonly terms: readonly { readonly list: SearchList; readonly value: string }[];
  readonly among?: readonly string[] | undefined;
  readonly offset: number;
  readonly most: number;
  readonly counted: boolean;
}

export interface FoundRows {
  readonly paths: readonly string[];
  /** The number of matches if `counted`; otherwise a lower bound. */
  readonly total: number;
}

/** Up to this many rows, or this share of all, are read and sorted; beyond that, the order is scanned. */
const MAX_SORTED = 100;
const MAX_SORTED_DIVISOR = 100;
const ROWS_PER_STEP = 50;
const TURN_MS = 2;
/** After this many changes during a search, it runs in one turn. */
const MAX_RESTARTS = 3;

type Steps = Generator<undefined, FoundRows>;

/** @returns undefined when the directory has no usable rows */
export async function findRows(directory: DataDirectory, search: RowSearch): Promise<FoundRows | undefined> {
  for (let tries = 0; ; tries++) {
    let tx: ReadTx | undefined;
    let version = -1;
    let steps: Steps | undefined;
    for (let isOver = false; !isOver;) {
      const result = directory.read((now): FoundRows | 'none' | undefined => {
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
        const end = tries < MAX_RESTARTS ? performance.now() + TURN_MS : Infinity;
        for (;;) {
          const step = steps.next();
          if (step.done) return step.value;
          if (performance.now() > end) return undefined;
        }
      });
      if (result === 'none') return undefined;
      if (result) return result;
      await nextTurn();
    }
  }
}

type Reader = Pick<ReadTx, 'get' | 'count'>;

interface Ranges extends Pick<RowSearch, 'among' | 'offset' | 'most' | 'counted'> {
  readonly order: KeyRange;
  readonly terms: readonly KeyRange[];
}

function stepsOf(tx: Reader, lists: readonly SearchList[], search: RowSearch): Steps | undefined {
  const numbers = new Map(lists.map((list, number) => [JSON.stringify(list), number]));
  const numberOf = (list: SearchList): number | undefined => numbers.get(JSON.stringify(list));
  const order = numberOf(search.order);
  const terms = search.terms.flatMap(({ list, value }) => {
    const number = numberOf(list);
    return number === undefined || list.kind === 'order' ? [] : [keysWith(number, list.kind, value)];
  });
  if (order === undefined || terms.length < search.terms.length) return undefined;
  return searchSteps(tx, { ...search, order: keysOf(order), terms });
}

function* searchSteps(tx: Reader, search: Ranges): Steps {
  const { among, terms } = search;
  const sorted = new SortedKeys(tx);
  if (among) return yield* fromRows(tx, new Set(among), search);
  if (terms.length === 0) return yield* inOrder(sorted, undefined, search);
  const [candidates, others] = yield* smallest(sorted, terms);
  if (candidates.size <= Math.max(MAX_SORTED, tx.count('searchRows') / MAX_SORTED_DIVISOR))
    return yield* fromRows(tx, candidates, search);
  for (const range of others) {
    const own = yield* pathsIn(sorted, range);
    for (const path of candidates) if (!own.has(path)) candidates.delete(path);
  }
  return yield* inOrder(sorted, candidates, search);
}

/** Returns the graphs of the rarest term, reading the others in step with it, and the other terms. */
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

function* fromRows(tx: Reader, paths: Iterable<string>, { order, terms, offset, most }: Ranges): Steps {
  const rows: { readonly path: string; readonly at: string }[] = [];
  let read = 0;
  for (const path of paths) {
    if (++read % ROWS_PER_STEP === 0) yield;
    const keys = ((tx.get('searchRows', path) as string | undefined) ?? '').split('\n');
    const at = keys.find((key) => key.startsWith(order.start));
    if (at !== undefined && terms.every((range) => keys.some((key) => isWithin(key, range))))
      rows.push({ path, at });
  }
  rows.sort((a, b) => compareKeys(a.at, b.at) || compareKeys(a.path, b.path));
  return { paths: rows.slice(offset, offset + most).map(({ path }) => path), total: rows.length };
}

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
