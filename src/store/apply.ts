import type { GraphLook, ReadTx, WriteTx } from '../disk/transaction.js';
import { countLines } from '../rdf/count-lines.js';
import { LogWriter } from './change-log.js';
import { StaleRevision } from './graph-store.js';
import type { PreparedChange } from './prepare.js';

/** The text of the graph at a path; undefined when there is none. */
export function graphText(tx: ReadTx, path: string): string | undefined {
  return tx.get('graphs', path) as string | undefined;
}

/** The paths of graphs that begin so, in order. */
export function pathsUnder(tx: ReadTx, prefix: string): string[] {
  const range = prefix === '' ? {} : { prefix };
  return Array.from(tx.range('graphs', { ...range, values: false }), ({ key }) => String(key));
}

/** Writes the one change of a transaction, as `applyChange` does. */
export function applyAlone(tx: WriteTx, change: PreparedChange): number {
  const log = new LogWriter(tx);
  const revision = applyChange(tx, log, change);
  log.finish();
  return revision;
}

/**
 * Writes what differs from what is there, and logs it as one change. Returns the revision of everything.
 * @throws StaleRevision before anything is written
 */
export function applyChange(tx: WriteTx, log: LogWriter, change: PreparedChange): number {
  const { expect, replace } = change;
  for (const { path, revision } of expect) {
    const actual = log.revisionOf(path);
    if (actual !== revision) throw new StaleRevision(path, revision, actual);
  }
  const changed: string[] = [];
  let dropped = 0;
  let added = 0;
  const drop = (path: string, old: GraphLook | undefined): void => {
    changed.push(path);
    dropped += old?.lines ?? 0;
    if (!change.isUnkept(path)) log.history.ends(path, log.last + 1, old);
  };
  for (const path of pathsToRemove(tx, change)) {
    const old = replace.has(path) ? undefined : tx.lookAtGraph(path);
    if (!old) continue;
    drop(path, old);
    tx.remove('graphs', path);
    log.rows.ends(path);
  }
  for (const [path, text] of replace) {
    const old = tx.lookAtGraph(path, text);
    if (old?.isSame) continue;
    drop(path, old);
    tx.put('graphs', path, text);
    log.rows.says(path, text, change.base);
    added += countLines(text);
  }
  return changed.length === 0 ? log.last : log.add(changed, dropped, added, change.by);
}

function pathsToRemove(tx: ReadTx, { remove, removeUnder }: PreparedChange): Set<string> {
  const gone = new Set(remove);
  for (const path of removeUnder) {
    gone.add(path);
    for (const below of pathsUnder(tx, path + '/')) gone.add(below);
  }
  return gone;
}
