import type { ReadTx, WriteTx } from '../disk/transaction.js';
import { pathAndAncestors } from './paths.js';

/** How many changes are remembered. A replica that has missed more starts over. */
const LOG_LENGTH = 100_000;

/** What one change touched: the paths of the graphs it replaced or removed, and how many quads it took away. */
interface LoggedChange {
  readonly paths: readonly string[];
  readonly dropped: number;
}

/** Everything that changed since some revision. */
export interface Changes {
  readonly epoch: string;
  readonly revision: number;
  /** False when the log does not reach back that far: the list is incomplete. */
  readonly complete: boolean;
  readonly paths: Set<string>;
  readonly dropped: number;
}

/** The number of the last change; 0 in a new store. */
export function lastRevision(tx: ReadTx): number {
  return tx.get('meta', 'sequence') as number;
}

/** The number of the last change at or below a path. */
export function revisionOf(tx: ReadTx, path: string): number {
  return (tx.get('revisions', key(path)) as number | undefined) ?? 0;
}

/** Writes a change into the log and advances the revision of each path and of all above it. Returns its number. */
export function logChange(tx: WriteTx, paths: readonly string[], dropped: number): number {
  const revision = lastRevision(tx) + 1;
  tx.put('meta', 'sequence', revision);
  tx.put('changes', revision, { paths, dropped } satisfies LoggedChange);
  tx.remove('changes', revision - LOG_LENGTH);
  for (const path of new Set(paths.flatMap(pathAndAncestors))) tx.put('revisions', key(path), revision);
  return revision;
}

/** What changed after the change with the number `since`. */
export function changesSince(tx: ReadTx, since: number): Changes {
  const revision = lastRevision(tx);
  const paths = new Set<string>();
  let dropped = 0;
  let next = since + 1;
  for (const { key: number, value } of tx.range('changes', { start: next })) {
    if (number !== next) break;
    const change = value as LoggedChange;
    for (const path of change.paths) paths.add(path);
    dropped += change.dropped;
    next++;
  }
  return {
    epoch: String(tx.get('meta', 'epoch')),
    revision,
    complete: next === revision + 1,
    paths,
    dropped,
  };
}

/** LMDB has no empty key, and everything has the path ''. */
function key(path: string): string {
  return path + '/';
}
