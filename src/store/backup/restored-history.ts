import type { ReadTx, WriteTx } from '../disk/transaction.js';

/** The part of the state of `store/history.ts` that a restore needs. */
interface StoredHistory {
  readonly keep: unknown;
  readonly since: number;
  readonly at: number;
  readonly lost?: readonly object[];
  /** When the backup was made (ms since 1970); missing in older backups. */
  readonly taken?: number;
}

const stored = (tx: ReadTx): StoredHistory | undefined =>
  tx.get('meta', 'history') as StoredHistory | undefined;

export function historyForBackup(tx: ReadTx): object {
  return { ...stored(tx), taken: Date.now() };
}

/**
 * Continues the history of a backup with the change that restores it. Changes after the backup are lost, so the backup
 * was valid until the first of them. If the backup comes from elsewhere, or from before another restore, that time is
 * unknown, and the time of the backup is used. Call in the transaction of the restore, before it changes anything.
 * @param last the last change in the backup
 */
export function restoredHistory(tx: WriteTx, last: number) {
  const epoch = tx.get('meta', 'epoch');
  const firstLost = timeOfFirstAfter(tx, last);
  return {
    /** Call after the contents are restored, before the epoch changes. @param next the restoring change */
    goOn(next: number): void {
      const history = stored(tx);
      if (history === undefined) return;
      const isOfHere = tx.get('meta', 'epoch') === epoch;
      const { taken = 0, lost = [], ...state } = history;
      const lastAt = timeOf(tx.get('moments', last)) ?? history.at;
      const from = Math.max((isOfHere ? firstLost : undefined) ?? taken, lastAt + 1);
      const isWhole = isOfHere && next === last + 1;
      // The clock may have been set back since.
      tx.put('moments', next, { at: Math.max(Date.now(), lastAt), changes: [] });
      const all = isWhole ? lost : [...lost, { after: last, before: next, from }];
      tx.put('meta', 'history', { ...state, ...(all.length > 0 && { lost: all }) });
    },
  };
}

function timeOfFirstAfter(tx: ReadTx, last: number): number | undefined {
  const history = stored(tx);
  if (!history || history.keep === 'off' || history.since > last) return undefined;
  for (const { value } of tx.range('moments', { after: last, limit: 1 })) return timeOf(value);
  return undefined;
}

const timeOf = (moment: unknown): number | undefined => (moment as { readonly at: number } | undefined)?.at;
