import { historyKey, readHistoryKey } from '../disk/history-tags.js';
import { fits, type ReadTx } from '../disk/transaction.js';
import { isAtOrBelow } from '../ontology/path-template.js';
import { lastRevision } from './change-log.js';
import { momentsFrom, storedHistory, type Author } from './history.js';
import { graphsIn, pathsIn } from './parts.js';
import { addTo } from '../rdf/by-key.js';

/** Sorts behind every number in a key of the history, and before all that may stand in a path. */
const BEHIND = '!';

/** Since when states of a store can be had again; undefined where none is kept. */
export function historyBegins(tx: ReadTx): { readonly revision: number; readonly at: number } | undefined {
  const stored = storedHistory(tx);
  if (!stored || stored.keep === 'off') return undefined;
  return { revision: stored.since, at: stored.at };
}

/**
 * Why it cannot be told what has changed after a change, and from which one on it can: history begins later, or a backup
 * was restored that knows nothing of that change. Undefined where it can be told.
 */
export function untold(
  tx: ReadTx,
  since: number,
): { readonly why: 'later' | 'lost'; readonly from: number } | undefined {
  const stored = storedHistory(tx);
  if (!stored || stored.keep === 'off') return { why: 'later', from: lastRevision(tx) };
  if (since < stored.since) return { why: 'later', from: stored.since };
  const lost = stored.lost?.find(({ after, before }) => since > after && since < before);
  return lost && { why: 'lost', from: lost.before };
}

/**
 * Until when a restore has undone the states at a time, in milliseconds since 1970: of that time, and later ones, it can
 * be told again what was true. Undefined where it can be told of the time itself.
 */
export function undoneUntil(tx: ReadTx, time: number): number | undefined {
  const stored = storedHistory(tx);
  for (const { after, before, from } of stored?.lost ?? []) {
    if (!stored || before <= stored.since) continue;
    const last = (after > stored.since ? timeOf(tx, after) : undefined) ?? stored.at;
    const until = timeOf(tx, before);
    if (until !== undefined && time >= (from ?? last + 1) && time < until) return until;
  }
  return undefined;
}

/**
 * The number of the last change at a time; undefined before the history began.
 * @param time milliseconds since 1970
 */
export function revisionAt(tx: ReadTx, time: number): number | undefined {
  const begins = historyBegins(tx);
  if (!begins || time < begins.at) return undefined;
  let found = begins.revision;
  let low = begins.revision + 1;
  let high = lastRevision(tx);
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const [moment] = momentsFrom(tx, middle, 1);
    if (!moment || moment.at > time) high = middle - 1;
    else {
      found = moment.last;
      low = moment.last + 1;
    }
  }
  return found;
}

/** What a graph said after a change: its relative text; undefined when it was not there. */
export function textAt(tx: ReadTx, path: string, revision: number): string | undefined {
  const start = historyKey(path, revision + 1);
  // Links may lead to any path, and no history can begin behind such a key.
  if (!fits(start)) return tx.get('graphs', path) as string | undefined;
  const range = { start, end: path + BEHIND, limit: 1 };
  for (const { value } of tx.range('history', range)) return (value as string) || undefined;
  return tx.get('graphs', path) as string | undefined;
}

/**
 * Where a graph was removed and another one has its path now, as a record whose id was given anew: the number of the
 * change that removed the one, and of that with which the other began. What lies before is not of the present one.
 */
export function successionOf(
  tx: ReadTx,
  path: string,
): { readonly gone: number; readonly began: number } | undefined {
  let began: number | undefined;
  for (const { key } of tx.range('history', { prefix: `${path} `, reverse: true, values: false })) {
    const { revision } = readHistoryKey(String(key));
    if (began !== undefined) return { gone: revision, began };
    if (tx.isEmpty('history', key)) began = revision;
  }
  return undefined;
}

/** The paths that have a history at or below a path, each with the numbers of the changes that ended a text, in order. */
export function historyUnder(tx: ReadTx, path: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const prefix of [`${path} `, `${path}/`]) {
    for (const { key } of tx.range('history', { prefix, values: false })) {
      const entry = readHistoryKey(String(key));
      addTo(found, entry.path, entry.revision);
    }
  }
  return found;
}

/** The graphs at and below a path after a change, with their relative texts. */
export function* graphsAt(
  tx: ReadTx,
  path: string,
  revision: number,
): Generator<{ readonly path: string; readonly text: string }> {
  const ended = endedAfter(tx, path, revision);
  for (const [each, key] of ended) {
    const text = tx.get('history', key) as string;
    if (text !== '') yield { path: each, text };
  }
  for (const graph of graphsIn(tx, path, '')) if (!ended.has(graph.path)) yield graph;
}

/** Their paths alone, in no order; none of the graphs is opened. */
export function* pathsAt(tx: ReadTx, path: string, revision: number): Generator<string> {
  const ended = endedAfter(tx, path, revision);
  for (const [each, key] of ended) if (!tx.isEmpty('history', key)) yield each;
  for (const each of pathsIn(tx, path)) if (!ended.has(each)) yield each;
}

/** The paths at and below a path that have changed after a change, with the keys of what they said then in the history. */
function endedAfter(tx: ReadTx, path: string, revision: number): Map<string, string> {
  const found = new Map<string, string>();
  for (const [each, ends] of historyUnder(tx, path)) {
    const end = ends.find((number) => number > revision);
    if (end !== undefined) found.set(each, historyKey(each, end));
  }
  return found;
}

/** What one change did to one graph. */
export interface GraphChange {
  readonly path: string;
  readonly did: 'added' | 'replaced' | 'removed';
}

/** A change as the history tells of it. */
export interface PastChange {
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: Author;
  readonly graphs: readonly GraphChange[];
}

/** So many changes of all are looked through for those of a path, before the history of the path itself is. */
const NEAR = 1000;
/** And so many for the next ones of a long history: a page of the largest size, where half of all changes are of the path. */
const AHEAD = 2 * NEAR;

const isNear = (tx: ReadTx, since: number): boolean => lastRevision(tx) - since <= NEAR;

/**
 * The changes at and below a path after the change `since`, in their order. Of what was changed lately, and of the next
 * ones of a long history, it costs no more than those changes, however long the history of the path is.
 * @param most how many are told at most
 */
export function changesUnder(tx: ReadTx, path: string, since: number, most = Infinity): PastChange[] {
  const next = isNear(tx, since) || isLong(tx, path) ? amongNext(tx, path, since, most) : undefined;
  const byRevision = next ?? inHistory(tx, path, since, most);
  const revisions = [...byRevision.keys()].sort((a, b) => a - b).slice(0, most);
  return revisions.flatMap((revision) => {
    const [moment] = momentsFrom(tx, revision, 1);
    const change = moment?.changes.find((each) => each.revision === revision);
    if (!moment || !change) return [];
    return [{ revision, at: moment.at, by: change.by, graphs: byRevision.get(revision) ?? [] }];
  });
}

type ByRevision = Map<number, GraphChange[]>;

/**
 * What changes did to graphs at and below a path, by their numbers, out of the next of all changes after one; undefined
 * where so many are not the last ones, and have not as many of the path as are asked for.
 */
function amongNext(tx: ReadTx, path: string, since: number, most: number): ByRevision | undefined {
  const found: ByRevision = new Map();
  const isUnder = (each: string): boolean => isAtOrBelow(each, path);
  let looked = 0;
  for (const { changes } of momentsFrom(tx, since + 1, AHEAD + 1)) {
    if (found.size >= most) break;
    if (looked++ === AHEAD) return undefined;
    for (const { revision, paths } of changes) {
      const under = revision > since ? paths.filter(isUnder) : [];
      if (under.length === 0) continue;
      found.set(
        revision,
        under.map((each) => ({ path: each, did: didTo(tx, each, revision, nextEnd(tx, each, revision)) })),
      );
    }
  }
  return found;
}

/** Whether the history of a path is as long as that. */
function isLong(tx: ReadTx, path: string): boolean {
  const [below] = [...tx.range('history', { prefix: `${path}/`, limit: NEAR, values: false })].slice(
    NEAR - 1,
  );
  return below !== undefined;
}

/** The same out of the history of the path, the first ones alone. */
function inHistory(tx: ReadTx, path: string, since: number, most: number): ByRevision {
  const ended: { readonly revision: number; readonly path: string; readonly next: number | undefined }[] = [];
  for (const [each, ends] of historyUnder(tx, path)) {
    for (const [index, revision] of ends.entries())
      if (revision > since) ended.push({ revision, path: each, next: ends[index + 1] });
  }
  ended.sort((a, b) => a.revision - b.revision);
  const found: ByRevision = new Map();
  for (const { revision, path: each, next } of ended) {
    if (found.size >= most && !found.has(revision)) break;
    addTo(found, revision, { path: each, did: didTo(tx, each, revision, next) });
  }
  return found;
}

/** The number of the last change after one of a graph at or below a path that is asked for. */
export function lastChangeUnder(
  tx: ReadTx,
  path: string,
  since: number,
  isAsked: (path: string) => boolean,
): number | undefined {
  const last = new Map<string, number>();
  if (isNear(tx, since)) {
    for (const { changes } of momentsFrom(tx, since + 1))
      for (const { revision, paths } of changes)
        for (const each of paths) if (revision > since && isAtOrBelow(each, path)) last.set(each, revision);
  } else {
    for (const [each, ends] of historyUnder(tx, path)) last.set(each, ends.at(-1) ?? 0);
  }
  const newest = [...last].sort(([, a], [, b]) => b - a).find(([each, end]) => end > since && isAsked(each));
  return newest?.[1];
}

/** The number of the next change that ended a text of a graph. */
function nextEnd(tx: ReadTx, path: string, revision: number): number | undefined {
  const range = { start: historyKey(path, revision + 1), end: path + BEHIND, limit: 1, values: false };
  for (const { key } of tx.range('history', range)) return readHistoryKey(String(key)).revision;
  return undefined;
}

/** @param next the number of the next change that ended a text of the graph; undefined when its text is the present one */
function didTo(tx: ReadTx, path: string, revision: number, next: number | undefined): GraphChange['did'] {
  const isEmpty = (number: number): boolean => tx.isEmpty('history', historyKey(path, number));
  if (isEmpty(revision)) return 'added';
  const isThere = next === undefined ? tx.has('graphs', path) : !isEmpty(next);
  return isThere ? 'replaced' : 'removed';
}

/** When a change was made, in milliseconds since 1970; undefined when that is not kept. */
export function timeOf(tx: ReadTx, revision: number): number | undefined {
  const [moment] = momentsFrom(tx, revision, 1);
  return moment?.at;
}

/** Tells whether a graph was there after a change, for many changes. */
export function presenceOf(tx: ReadTx, path: string): (revision: number) => boolean {
  const ends = historyUnder(tx, path).get(path) ?? [];
  const wasThere = ends.map((end) => !tx.isEmpty('history', historyKey(path, end)));
  const isThere = tx.has('graphs', path);
  return (revision) => {
    const next = ends.findIndex((end) => end > revision);
    return next < 0 ? isThere : (wasThere[next] ?? false);
  };
}
