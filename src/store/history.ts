import { historyKey, type TaggedChange } from './disk/history-tags.js';
import type { GraphLook, ReadTx, WriteTx } from './disk/transaction.js';

/** The author of a change: ids, or the command of the command line. */
export interface Author {
  readonly app?: string | undefined;
  readonly user?: string | undefined;
  readonly command?: string | undefined;
}

export type HistoryLength = number | 'all' | 'off';

/** Default days of history; few questions about earlier states reach further back. */
export const HISTORY_DAYS = 365;

/** Where a store's history begins: the state after change `since`, and every later one, is known. */
interface HistoryState {
  readonly keep: HistoryLength;
  readonly since: number;
  readonly at: number;
  /**
   * Changes lost by restoring a backup: those after `after` and before `before`, the number of the restore. From `from`
   * (ms since 1970) until the restore, the recorded state was not the real one. Written by
   * `store/backup/restored-history.ts`; up to version 0.23 without `from`.
   */
  readonly lost?: readonly { readonly after: number; readonly before: number; readonly from?: number }[];
}

/** A change with its author, and the paths of graphs whose earlier text it moved into the history. */
export interface DatedChange extends TaggedChange {
  readonly by: Author;
}

/** The time of a transaction's changes, stored under the number of the last. */
export interface Moment {
  /** Milliseconds since 1970, never before an earlier moment. */
  readonly at: number;
  readonly changes: readonly DatedChange[];
}

const NAME = 'history';
const NOTHING = new Uint8Array();

export function storedHistory(tx: ReadTx): HistoryState | undefined {
  return tx.get('meta', NAME) as HistoryState | undefined;
}

export function storeHistory(tx: WriteTx, state: HistoryState): void {
  tx.put('meta', NAME, state);
}

export function* momentsFrom(
  tx: ReadTx,
  revision: number,
  limit?: number,
): Generator<Moment & { readonly last: number }> {
  for (const { key, value } of tx.range('moments', { start: revision, limit }))
    yield { ...(value as Moment), last: Number(key) };
}

/** Sets how long history is kept. Existing history stays until it is swept; new history begins `now` (ms since 1970). */
export function keepHistory(tx: WriteTx, keep: HistoryLength, now: number): void {
  const stored = storedHistory(tx);
  if (stored?.keep === keep) return;
  const goesOn = stored !== undefined && stored.keep !== 'off';
  storeHistory(tx, { ...(goesOn ? stored : { since: tx.get('meta', 'sequence') as number, at: now }), keep });
}

/** Records the old texts of graphs (empty if new) and the moment of a transaction's changes. */
export class HistoryWriter {
  #keep: HistoryLength | undefined;
  #at = 0;
  #paths: string[] = [];
  #tags: (Uint8Array | null)[] = [];
  readonly #changes: DatedChange[] = [];

  constructor(
    private readonly tx: WriteTx,
    private readonly last: number,
  ) {}

  /** Call before a change replaces, removes or adds a graph's text. @param old the current result of `lookAtGraph` */
  ends(path: string, revision: number, old: GraphLook | undefined): void {
    if (this.#begin() === 'off') return;
    const key = historyKey(path, revision);
    const tag = old && this.tx.putIntoHistory(path, key, old);
    if (!old) this.tx.putBytes(NAME, key, NOTHING);
    this.#paths.push(path);
    this.#tags.push(tag ?? null);
  }

  made(revision: number, by: Author): void {
    if (this.#begin() === 'off') return;
    const tags = this.#tags.some((tag) => tag !== null) ? { tags: this.#tags } : {};
    this.#changes.push({ revision, by, paths: this.#paths, ...tags });
    [this.#paths, this.#tags] = [[], []];
  }

  finish(): void {
    const last = this.#changes.at(-1);
    if (last)
      this.tx.put('moments', last.revision, { at: this.#at, changes: this.#changes } satisfies Moment);
  }

  #begin(): HistoryLength {
    if (this.#keep !== undefined) return this.#keep;
    const stored = storedHistory(this.tx);
    const previous =
      this.last > (stored?.since ?? 0)
        ? (this.tx.get('moments', this.last) as Moment | undefined)
        : undefined;
    // Clocks get set back; a later change must never seem earlier.
    this.#at = Math.max(Date.now(), previous?.at ?? stored?.at ?? 0);
    this.#keep = stored?.keep ?? HISTORY_DAYS;
    // There was no history, or an older program without one changed the store meanwhile.
    if (this.#keep !== 'off' && !(stored && (stored.since >= this.last || previous)))
      storeHistory(this.tx, { keep: this.#keep, since: this.last, at: this.#at });
    return this.#keep;
  }
}
