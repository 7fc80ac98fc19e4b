import { revisionOf } from '../../store/change-log.js';
import type { ReadTx } from '../../store/disk/data-directory.js';
import { endsOf, historyBegins, presenceOf, successionOf } from '../../store/past.js';
import { changedAt } from './statement-sources.js';

export interface Version {
  /** The change that made it, which is its id. */
  readonly revision: number;
  readonly at: number | undefined;
  /** Whether the statement was removed then. */
  readonly isRemoved: boolean;
}

/**
 * Returns the versions of a statement that the history knows, the newest first. What was there before the record was
 * removed is of an earlier record.
 * @param path of the statement @param record its path
 */
export function versionsOf(tx: ReadTx, path: string, record: string): Version[] {
  const ends = endsOf(tx, path);
  const isThere = presenceOf(tx, path);
  const { began = 0 } = successionOf(tx, record) ?? {};
  const begins = historyBegins(tx)?.revision ?? 0;
  const first = ends.length === 0 ? revisionOf(tx, path) : begins;
  return [...new Set([first, ...ends])]
    .filter((revision, index) => revision >= began && (index > 0 || isThere(revision)))
    .map((revision) => ({ revision, at: changedAt(tx, revision), isRemoved: !isThere(revision) }))
    .reverse();
}
