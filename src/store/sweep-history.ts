import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDirectory, WriteTx } from './disk/data-directory.js';
import { historyKey } from './disk/history-tags.js';
import { isAtOrBelow } from '../model/ontology/path-template.js';
import { momentsFrom, storedHistory, storeHistory, type DatedChange, type Moment } from './history.js';
import { historyUnder } from './past.js';
import { atOnce } from './steps.js';

const DAY = 24 * 60 * 60 * 1000;
/** Maximum moments and texts removed per transaction, so that other writers hardly wait. */
const MAX_REMOVED = 200;

/**
 * Removes expired history, in short transactions. The history then begins with the last expired change.
 * @param now milliseconds since 1970
 * @returns the number of removed texts
 */
export async function sweepHistory(directory: DataDirectory, now: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const isOver = directory.read((tx) => {
      const [first] = momentsFrom(tx, 0, 1);
      const end = endOf(storedHistory(tx)?.keep, now);
      return end === undefined || first === undefined || first.at > end;
    });
    if (isOver) return removed;
    removed += await directory.transact((tx) => sweepSome(tx, now));
    await nextTurn();
  }
}

function endOf(keep: number | 'all' | 'off' | undefined, now: number): number | undefined {
  if (keep === 'off') return Infinity;
  return typeof keep === 'number' ? now - keep * DAY : undefined;
}

function sweepSome(tx: WriteTx, now: number): number {
  const stored = storedHistory(tx);
  const end = endOf(stored?.keep, now);
  if (!stored || end === undefined) return 0;
  let removed = 0;
  let counted = 0;
  let { since, at } = stored;
  for (const moment of momentsFrom(tx, 0, MAX_REMOVED)) {
    if (moment.at > end || counted >= MAX_REMOVED) break;
    for (const { revision, paths } of moment.changes) {
      for (const path of paths) tx.remove('history', historyKey(path, revision));
      removed += paths.length;
      counted += 1 + paths.length;
    }
    tx.remove('moments', moment.last);
    // History from before an older program changed the store does not lead to the present state.
    if (moment.last > since) ({ last: since, at } = moment);
  }
  if (since !== stored.since) storeHistory(tx, { ...stored, since, at });
  return removed;
}

/** Removes the history at and below a path, names included. @returns the number of removed texts */
export function purgeHistory(tx: WriteTx, path: string): number {
  const isBelow = (each: string): boolean => isAtOrBelow(each, path);
  const revisions = new Set<number>();
  let removed = 0;
  for (const [each, ends] of atOnce(historyUnder(tx, path))) {
    for (const revision of ends) {
      tx.remove('history', historyKey(each, revision));
      revisions.add(revision);
      removed++;
    }
  }
  const moments = new Map<number, Moment>();
  for (const revision of revisions) {
    const [moment] = momentsFrom(tx, revision, 1);
    if (moment) moments.set(moment.last, moment);
  }
  for (const [last, { at, changes }] of moments) {
    const left = changes.map((change) => without(change, isBelow));
    tx.put('moments', last, { at, changes: left } satisfies Moment);
  }
  return removed;
}

function without({ paths, tags, ...change }: DatedChange, isGone: (path: string) => boolean): DatedChange {
  const isLeft = (_: unknown, index: number): boolean => !isGone(paths[index] ?? '');
  return { ...change, paths: paths.filter(isLeft), ...(tags ? { tags: tags.filter(isLeft) } : {}) };
}
