import type { ReadTx, WriteTx } from './transaction.js';

/** What `store/history.ts` keeps of where a history begins, as far as it matters here. */
interface StoredHistory {
  readonly keep: unknown;
  readonly since: number;
  readonly at: number;
  readonly lost?: readonly object[];
  /** When the backup was made, in milliseconds since 1970; nowhere else, and not in those of before it was told. */
  readonly taken?: number;
}

/** The history of a directory over a restore. */
export interface RestoredHistory {
  /**
   * Goes on with the history of the backup. To be called when everything of it is there, before the new epoch is.
   * @param next what restores it
   */
  goOn(next: number): void;
}

const stored = (tx: ReadTx): StoredHistory | undefined =>
  tx.get('meta', 'history') as StoredHistory | undefined;

/** The history as a backup holds it: with the time until which it is known to be true. */
export function historyForBackup(tx: ReadTx): object {
  return { ...stored(tx), taken: Date.now() };
}

/**
 * The history of a backup goes on with the change that restores it, which has a moment, since one without would end it.
 * Changes after the backup are lost: who has read up to one of them has to read everything anew, and what the backup
 * holds was not true any more from the first of them on. Where the backup is of another directory, or of before another
 * restore, nobody knows when that was: it is known to have been true until it was made. To be called in the transaction
 * of the restore before it changes anything.
 * @param last change of the backup
 */
export function restoredHistory(tx: WriteTx, last: number): RestoredHistory {
  const epoch = tx.get('meta', 'epoch');
  const first = firstAfter(tx, last);
  return {
    goOn(next) {
      const history = stored(tx);
      if (history === undefined) return;
      const isOfHere = tx.get('meta', 'epoch') === epoch;
      const { taken = 0, lost = [], ...state } = history;
      const lastAt = timeOf(tx.get('moments', last)) ?? history.at;
      const from = Math.max((isOfHere ? first : undefined) ?? taken, lastAt + 1);
      const isWhole = isOfHere && next === last + 1;
      // Where the clock was set back since, it is not before what the backup holds.
      tx.put('moments', next, { at: Math.max(Date.now(), lastAt), changes: [] });
      const all = isWhole ? lost : [...lost, { after: last, before: next, from }];
      tx.put('meta', 'history', { ...state, ...(all.length > 0 && { lost: all }) });
    },
  };
}

/** When the first change after one was made; undefined where that is not known, or there was none. */
function firstAfter(tx: ReadTx, last: number): number | undefined {
  const history = stored(tx);
  if (!history || history.keep === 'off' || history.since > last) return undefined;
  for (const { value } of tx.range('moments', { after: last, limit: 1 })) return timeOf(value);
  return undefined;
}

const timeOf = (moment: unknown): number | undefined => (moment as { readonly at: number } | undefined)?.at;
