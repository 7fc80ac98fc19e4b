import type { ReadTx, WriteTx } from '../disk/transaction.js';
import { HistoryWriter, type Author } from './history.js';
import { pathAndAncestors } from './paths.js';
import { RowWriter } from './search/row-writer.js';

/** How many changes are remembered. A working set that has missed more starts over. */
const LOG_LENGTH = 100_000;
/** Entries that a transaction removes at most; others follow with the next. */
const MOST_FORGOTTEN = 1000;

/** What one change touched: the paths of the graphs it replaced or removed, and how many quads it took away and put in. */
interface LoggedChange {
  readonly paths: readonly string[];
  readonly dropped: number;
  /** Missing in logs of before it was kept: as many as were dropped. */
  readonly added?: number;
}

/** The changes of one transaction, stored under the number of the last of them; one alone stands for itself. */
type LoggedGroup = LoggedChange | { readonly changes: readonly LoggedChange[] };

/** Everything that changed since some revision. */
export interface Changes {
  readonly epoch: string;
  readonly revision: number;
  /** False when the log does not reach back that far: the list is incomplete. */
  readonly complete: boolean;
  readonly paths: Set<string>;
  readonly dropped: number;
  readonly added: number;
}

/** Names the history of a data directory: revisions of another one are others. */
export function epochOf(tx: ReadTx): string {
  return String(tx.get('meta', 'epoch'));
}

/** The number of the last change; 0 in a new store. */
export function lastRevision(tx: ReadTx): number {
  return tx.get('meta', 'sequence') as number;
}

/** The number of the last change at or below a path. */
export function revisionOf(tx: ReadTx, path: string): number {
  return (tx.get('revisions', key(path)) as number | undefined) ?? 0;
}

/**
 * Writes the changes of one transaction into the log. Revisions are written once for all of them, by `finish`: most
 * changes have most of the paths above them in common.
 */
export class LogWriter {
  /** Keeps what the changes end. */
  readonly history: HistoryWriter;
  /** Keeps what searches find. */
  readonly rows: RowWriter;
  readonly #tx: WriteTx;
  readonly #before: number;
  #revision: number;
  readonly #changes: LoggedChange[] = [];
  readonly #revisions = new Map<string, number>();

  constructor(tx: WriteTx) {
    this.#tx = tx;
    this.#before = this.#revision = lastRevision(tx);
    this.history = new HistoryWriter(tx, this.#before);
    this.rows = new RowWriter(tx, this.#before);
  }

  /** The number of the last change, those that were just logged included. */
  get last(): number {
    return this.#revision;
  }

  /** The number of the last change at or below a path, those that were just logged included. */
  revisionOf(path: string): number {
    return this.#revisions.get(path) ?? revisionOf(this.#tx, path);
  }

  /** Logs one change and advances the revision of each path and of all above it. Returns its number. */
  add(paths: readonly string[], dropped: number, added: number, by: Author): number {
    const revision = ++this.#revision;
    this.history.made(revision, by);
    this.#changes.push({ paths, dropped, added });
    for (const path of paths) for (const each of pathAndAncestors(path)) this.#revisions.set(each, revision);
    return revision;
  }

  /** Nothing is logged after this. */
  finish(): void {
    if (this.#revision === this.#before) return;
    this.history.finish();
    this.rows.finish(this.#revision);
    const [first, ...others] = this.#changes;
    const group = others.length === 0 ? first : { changes: this.#changes };
    this.#tx.put('changes', this.#revision, group satisfies LoggedGroup | undefined);
    this.#forget();
    this.#tx.put('meta', 'sequence', this.#revision);
    for (const [path, revision] of this.#revisions) this.#tx.put('revisions', key(path), revision);
  }

  #forget(): void {
    const end = this.#revision - LOG_LENGTH + 1;
    if (end <= 0) return;
    for (const { key: old } of this.#tx.range('changes', { end, limit: MOST_FORGOTTEN, values: false }))
      this.#tx.remove('changes', old);
  }
}

/**
 * Forgets the numbers of the last changes below a path where nothing stands any more, whose names these are. What stands
 * there next has higher ones.
 */
export function forgetRevisions(tx: WriteTx, path: string): void {
  const own = key(path);
  for (const { key: each } of tx.range('revisions', { prefix: own, values: false }))
    if (each !== own) tx.remove('revisions', each);
}

/**
 * What changed after the change with the number `since`.
 * @param isCounted which changes, by the paths they touched, count in `dropped` and `added`
 */
export function changesSince(
  tx: ReadTx,
  since: number,
  isCounted: (paths: readonly string[]) => boolean = () => true,
): Changes {
  const revision = lastRevision(tx);
  const paths = new Set<string>();
  let dropped = 0;
  let added = 0;
  let next = since + 1;
  for (const { key: number, value } of tx.range('changes', { start: next })) {
    const logged = value as LoggedGroup;
    const group = 'changes' in logged ? logged.changes : [logged];
    const last = Number(number);
    const known = next - 1 - (last - group.length);
    if (known < 0) break;
    for (const change of group.slice(known)) {
      for (const path of change.paths) paths.add(path);
      if (!isCounted(change.paths)) continue;
      dropped += change.dropped;
      added += change.added ?? change.dropped;
    }
    next = last + 1;
  }
  return {
    epoch: String(tx.get('meta', 'epoch')),
    revision,
    complete: next === revision + 1,
    paths,
    dropped,
    added,
  };
}

/** LMDB has no empty key, and everything has the path ''. */
function key(path: string): string {
  return path + '/';
}
