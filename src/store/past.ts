import { historyKey, readHistoryKey } from './disk/history-tags.js';
import { fits, type ReadTx } from './disk/transaction.js';
import { isAtOrBelow } from '../model/ontology/path-template.js';
import { lastRevision } from './change-log.js';
import { momentsFrom, storedHistory, type Author } from './history.js';
import { pathsIn } from './stored-graphs.js';
import { addTo } from '../rdf/by-key.js';
import type { Stepwise } from './steps.js';

/** Sorts after every number in a history key, and before all characters of a path. */
const AFTER_NUMBERS = '!';
/** Sorts after every character of a path. */
const AFTER_PATHS = '\u{10ffff}';

export function historyBegins(tx: ReadTx): { readonly revision: number; readonly at: number } | undefined {
  const stored = storedHistory(tx);
  if (!stored || stored.keep === 'off') return undefined;
  return { revision: stored.since, at: stored.at };
}

/** Tells why the changes after a change are unknown, and from which change on they are known; undefined if known. */
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

/** Returns until when a restore undid the state of a time; undefined if that state is valid. */
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

/** Returns the number of the last change at a time (ms since 1970); undefined before the history began. */
export function revisionAt(tx: ReadTx, time: number): number | undefined {
  const begins = historyBegins(tx);
  if (!begins || time < begins.at) return undefined;
  let last = begins.revision;
  let low = begins.revision + 1;
  let high = lastRevision(tx);
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const [moment] = momentsFrom(tx, middle, 1);
    if (!moment || moment.at > time) high = middle - 1;
    else {
      last = moment.last;
      low = moment.last + 1;
    }
  }
  return last;
}

/** Returns a graph's relative text after a change; undefined if it did not exist. */
export function textAt(tx: ReadTx, path: string, revision: number): string | undefined {
  const start = historyKey(path, revision + 1);
  // Links may lead to any path; one too long for a key has no history.
  if (!fits(start)) return tx.get('graphs', path) as string | undefined;
  const range = { start, end: path + AFTER_NUMBERS, limit: 1 };
  for (const { value } of tx.range('history', range)) return (value as string) || undefined;
  return tx.get('graphs', path) as string | undefined;
}

/** Finds where a removed graph's path was reused; earlier history is not the present graph's. */
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

/** Returns the changes that ended a text of a graph, in order. */
export function endsOf(tx: ReadTx, path: string): number[] {
  const range = { prefix: `${path} `, values: false };
  return Array.from(tx.range('history', range), ({ key }) => readHistoryKey(String(key)).revision);
}

/** Keys of the history that are read at once. */
const BATCH = 500;

/** Returns the paths with history at or below a path, each with the changes that ended a text, in order. */
export function* historyUnder(tx: ReadTx, path: string): Stepwise<Map<string, number[]>> {
  const own = endsOf(tx, path);
  const endsByPath = new Map<string, number[]>(own.length === 0 ? [] : [[path, own]]);
  const end = `${path}/${AFTER_PATHS}`;
  let after = `${path}/`;
  for (let count = BATCH; count === BATCH;) {
    count = 0;
    for (const { key } of tx.range('history', { after, end, limit: BATCH, values: false })) {
      count++;
      after = String(key);
      const entry = readHistoryKey(after);
      addTo(endsByPath, entry.path, entry.revision);
    }
    yield;
  }
  return endsByPath;
}

/** Returns the paths at and below a path that existed after a change. */
export function* pathsAt(tx: ReadTx, path: string, revision: number): Stepwise<string[]> {
  const ended = new Map<string, string>();
  for (const [each, ends] of yield* historyUnder(tx, path)) {
    const end = ends.find((number) => number > revision);
    if (end !== undefined) ended.set(each, historyKey(each, end));
  }
  const paths: string[] = [];
  for (const [each, key] of ended) {
    if (!tx.isEmpty('history', key)) paths.push(each);
    yield;
  }
  for (const each of pathsIn(tx, path)) if (!ended.has(each)) paths.push(each);
  return paths;
}

/** Returns who added a graph, if the history reaches back to that. */
export function addedBy(tx: ReadTx, path: string): Author | undefined {
  const [revision] = endsOf(tx, path);
  if (revision === undefined || !tx.isEmpty('history', historyKey(path, revision))) return undefined;
  const [moment] = momentsFrom(tx, revision, 1);
  return moment?.changes.find((change) => change.revision === revision)?.by;
}

export interface GraphChange {
  readonly path: string;
  readonly did: 'added' | 'replaced' | 'removed';
}

export interface PastChange {
  readonly revision: number;
  readonly at: number;
  readonly by: Author;
  readonly graphs: readonly GraphChange[];
}

/** Changes of the whole container to search for those of a path, before its own history is read. */
const MAX_RECENT = 1000;
/** The same for the next changes in a long history: a large page, if half of all changes concern the path. */
const MAX_AHEAD = 2 * MAX_RECENT;

const isNear = (tx: ReadTx, since: number): boolean => lastRevision(tx) - since <= MAX_RECENT;

/** Returns the changes at and below a path after `since`, in order; recent ones are cheap. */
export function* changesUnder(
  tx: ReadTx,
  path: string,
  since: number,
  most = Infinity,
): Stepwise<PastChange[]> {
  const isAhead = isNear(tx, since) || isLong(tx, path);
  const next = isAhead ? yield* amongNext(tx, path, since, most) : undefined;
  const byRevision = next ?? (yield* inHistory(tx, path, since, most));
  const revisions = [...byRevision.keys()].sort((a, b) => a - b).slice(0, most);
  const changes: PastChange[] = [];
  for (const revision of revisions) {
    const [moment] = momentsFrom(tx, revision, 1);
    const change = moment?.changes.find((each) => each.revision === revision);
    if (moment && change)
      changes.push({ revision, at: moment.at, by: change.by, graphs: byRevision.get(revision) ?? [] });
    yield;
  }
  return changes;
}

type ByRevision = Map<number, GraphChange[]>;

function* amongNext(tx: ReadTx, path: string, since: number, most: number): Stepwise<ByRevision | undefined> {
  const found: ByRevision = new Map();
  const isUnder = (each: string): boolean => isAtOrBelow(each, path);
  let last = since;
  for (let looked = 0; found.size < most; looked++) {
    const [moment] = momentsFrom(tx, last + 1, 1);
    if (!moment) break;
    if (looked === MAX_AHEAD) return undefined;
    last = moment.last;
    for (const { revision, paths } of moment.changes) {
      for (const each of revision > since ? paths.filter(isUnder) : []) {
        addTo(found, revision, { path: each, did: didTo(tx, each, revision, nextEnd(tx, each, revision)) });
        yield;
      }
    }
    yield;
  }
  return found;
}

function isLong(tx: ReadTx, path: string): boolean {
  return (
    [...tx.range('history', { prefix: `${path}/`, limit: MAX_RECENT, values: false })].length === MAX_RECENT
  );
}

function* inHistory(tx: ReadTx, path: string, since: number, most: number): Stepwise<ByRevision> {
  const ended: { readonly revision: number; readonly path: string; readonly next: number | undefined }[] = [];
  for (const [each, ends] of yield* historyUnder(tx, path)) {
    for (const [index, revision] of ends.entries())
      if (revision > since) ended.push({ revision, path: each, next: ends[index + 1] });
  }
  ended.sort((a, b) => a.revision - b.revision);
  const found: ByRevision = new Map();
  for (const { revision, path: each, next } of ended) {
    if (found.size >= most && !found.has(revision)) break;
    addTo(found, revision, { path: each, did: didTo(tx, each, revision, next) });
    yield;
  }
  return found;
}

/** Returns the number of the last change after `since` to a graph at or below a path. */
export function* lastChangeUnder(
  tx: ReadTx,
  path: string,
  since: number,
  isRelevant: (path: string) => boolean,
): Stepwise<number | undefined> {
  const last = new Map<string, number>();
  if (isNear(tx, since)) {
    for (const { changes } of momentsFrom(tx, since + 1))
      for (const { revision, paths } of changes)
        for (const each of paths) if (revision > since && isAtOrBelow(each, path)) last.set(each, revision);
  } else {
    for (const [each, ends] of yield* historyUnder(tx, path)) last.set(each, ends.at(-1) ?? 0);
  }
  const newest = [...last]
    .sort(([, a], [, b]) => b - a)
    .find(([each, end]) => end > since && isRelevant(each));
  return newest?.[1];
}

function nextEnd(tx: ReadTx, path: string, revision: number): number | undefined {
  const range = { start: historyKey(path, revision + 1), end: path + AFTER_NUMBERS, limit: 1, values: false };
  for (const { key } of tx.range('history', range)) return readHistoryKey(String(key)).revision;
  return undefined;
}

function didTo(tx: ReadTx, path: string, revision: number, next: number | undefined): GraphChange['did'] {
  const isEmpty = (number: number): boolean => tx.isEmpty('history', historyKey(path, number));
  if (isEmpty(revision)) return 'added';
  const isThere = next === undefined ? tx.has('graphs', path) : !isEmpty(next);
  return isThere ? 'replaced' : 'removed';
}

/** Returns milliseconds since 1970; undefined when unknown. */
export function timeOf(tx: ReadTx, revision: number): number | undefined {
  const [moment] = momentsFrom(tx, revision, 1);
  return moment?.at;
}

/** Returns a check of whether a graph existed after a change, for many changes. */
export function presenceOf(tx: ReadTx, path: string): (revision: number) => boolean {
  const ends = endsOf(tx, path);
  const wasThere = ends.map((end) => !tx.isEmpty('history', historyKey(path, end)));
  const isThere = tx.has('graphs', path);
  return (revision) => {
    const next = ends.findIndex((end) => end > revision);
    return next < 0 ? isThere : (wasThere[next] ?? false);
  };
}
