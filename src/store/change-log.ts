import type { ReadTx, WriteTx } from './disk/transaction.js';
import { HistoryWriter, type Author } from './history.js';
import { pathAndAncestors } from './paths.js';
import { RowWriter } from './search/row-writer.js';

const LOG_LENGTH = 100_000;
/** Entries removed per transaction; later transactions remove the rest. */
const MAX_FORGOTTEN = 1000;

interface LoggedChange {
  readonly paths: readonly string[];
  readonly dropped: number;
  /** Missing in old logs: then equal to `dropped`. */
  readonly added?: number;
}

type LoggedGroup = LoggedChange | { readonly changes: readonly LoggedChange[] };

export function epochOf(tx: ReadTx): string {
  return String(tx.get('meta', 'epoch'));
}

export function lastRevision(tx: ReadTx): number {
  return tx.get('meta', 'sequence') as number;
}

export function revisionOf(tx: ReadTx, path: string): number {
  return (tx.get('revisions', key(path)) as number | undefined) ?? 0;
}

/** Logs the changes of one transaction; `finish` writes the revisions of shared paths once. */
export class LogWriter {
  readonly history: HistoryWriter;
  readonly rows: RowWriter;
  readonly #before: number;
  #revision: number;
  readonly #changes: LoggedChange[] = [];
  readonly #revisions = new Map<string, number>();

  constructor(private readonly tx: WriteTx) {
    this.#before = this.#revision = lastRevision(tx);
    this.history = new HistoryWriter(tx, this.#before);
    this.rows = new RowWriter(tx, this.#before);
  }

  get last(): number {
    return this.#revision;
  }

  revisionOf(path: string): number {
    return this.#revisions.get(path) ?? revisionOf(this.tx, path);
  }

  /** Logs one change and advances the revision of its paths and their ancestors. @returns the revision */
  add(paths: readonly string[], dropped: number, added: number, by: Author): number {
    const revision = ++this.#revision;
    this.history.made(revision, by);
    this.#changes.push({ paths, dropped, added });
    for (const path of paths) for (const each of pathAndAncestors(path)) this.#revisions.set(each, revision);
    return revision;
  }

  /** Logs paths that what follows the store must read again, though nothing was written to them. */
  reread(paths: readonly string[]): void {
    this.history.made(++this.#revision, {});
    this.#changes.push({ paths, dropped: 0, added: 0 });
  }

  finish(): void {
    if (this.#revision === this.#before) return;
    this.history.finish();
    this.rows.finish(this.#revision);
    const [first, ...others] = this.#changes;
    const group = others.length === 0 ? first : { changes: this.#changes };
    this.tx.put('changes', this.#revision, group satisfies LoggedGroup | undefined);
    this.#forget();
    this.tx.put('meta', 'sequence', this.#revision);
    for (const [path, revision] of this.#revisions) this.tx.put('revisions', key(path), revision);
  }

  #forget(): void {
    const end = this.#revision - LOG_LENGTH + 1;
    if (end <= 0) return;
    for (const { key: old } of this.tx.range('changes', { end, limit: MAX_FORGOTTEN, values: false }))
      this.tx.remove('changes', old);
  }
}

/** Deletes the revisions below a deleted path, since they name what was there. */
export function forgetRevisions(tx: WriteTx, path: string): void {
  const own = key(path);
  for (const { key: each } of tx.range('revisions', { prefix: own, values: false }))
    if (each !== own) tx.remove('revisions', each);
}

/**
 * Returns the changes after revision `since`; `complete` is false when the log does not reach back that far.
 * @param isCounted selects, by paths, the changes that count in `dropped` and `added`
 */
export function changesSince(
  tx: ReadTx,
  since: number,
  isCounted: (paths: readonly string[]) => boolean = () => true,
) {
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
  return { epoch: epochOf(tx), revision, complete: next === revision + 1, paths, dropped, added };
}

/** LMDB has no empty keys, and the path '' stands for everything. */
function key(path: string): string {
  return path + '/';
}
