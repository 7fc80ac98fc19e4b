import type { GraphLook, ReadTx, WriteTx } from './disk/transaction.js';
import { countLines } from '../rdf/count-lines.js';
import { LogWriter } from './change-log.js';
import { type Change, InvalidGraph, type NamedGraph, StaleRevision } from './graph-store.js';
import type { Author } from './history.js';
import { pathOf } from './paths.js';
import { writeRelative } from './relative-text.js';
import { pathsUnder } from './stored-graphs.js';

export type PreparedChange = ReturnType<typeof prepare>;

/** Checks a change and names its blank nodes, before any transaction. @throws InvalidGraph */
export function prepare(change: Change, base: string, by: Author = {}) {
  const replace = new Map<string, string>();
  for (const graph of change.replace ?? []) {
    const path = pathOf(graph.name, base);
    if (replace.has(path)) throw new InvalidGraph(`${graph.name} occurs twice in one change`);
    replace.set(path, textOf(graph, base));
  }
  const { isUnkept = false } = change;
  return {
    base,
    replace,
    remove: (change.remove ?? []).map((name) => pathOf(name, base)),
    removeUnder: (change.removeUnder ?? []).map((name) => pathOf(name.replace(/\/$/, ''), base)),
    expect: change.expect ?? [],
    by: change.by ?? by,
    isUnkept: typeof isUnkept === 'function' ? isUnkept : () => isUnkept,
  };
}

function textOf({ name, quads }: NamedGraph, base: string): string {
  try {
    return writeRelative(name, quads, base);
  } catch (cause) {
    if (cause instanceof TypeError) throw new InvalidGraph(`${name}: ${cause.message}`, { cause });
    throw cause;
  }
}

export function applyAlone(tx: WriteTx, change: PreparedChange): number {
  const log = new LogWriter(tx);
  const revision = applyChange(tx, log, change);
  log.finish();
  return revision;
}

/** Writes the graphs that differ as one change. @returns the new revision @throws StaleRevision before any write */
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
