import { historyKey, type TaggedChange } from '../disk/history-tags.js';
import type { GraphLook, ReadTx, WriteTx } from '../disk/transaction.js';

/** Who made a change, as far as that is known: ids, and the command of the command line. */
export interface Author {
  readonly app?: string | undefined;
  readonly user?: string | undefined;
  readonly command?: string | undefined;
}

/** How long history is kept: so many days, for ever, or not at all. */
export type HistoryLength = number | 'all' | 'off';

/**
 * Days that history is kept where nobody says otherwise: as far back as most questions about an earlier state reach,
 * and what was removed is gone after a year.
 */
export const HISTORY_DAYS = 365;

/** Where the history of a store begins: the state after the change `since`, and every later one, can be had again. */
export interface HistoryState {
  readonly keep: HistoryLength;
  readonly since: number;
  /** When that was, in milliseconds since 1970. */
  readonly at: number;
  /**
   * Changes that were lost when a backup was restored: those after one number and before another, which the restore
   * itself has. What history tells of the times since `from`, in milliseconds since 1970, until the restore was not true
   * then. `disk/restored-history.ts` writes it; up to version 0.23 without `from`.
   */
  readonly lost?: readonly { readonly after: number; readonly before: number; readonly from?: number }[];
}

/** By whom a change was made, and the paths of graphs whose earlier text it put into the history. */
export interface DatedChange extends TaggedChange {
  readonly by: Author;
}

/** When the changes of a transaction were made. It is stored under the number of the last of them. */
export interface Moment {
  /** Milliseconds since 1970; never before that of an earlier moment. */
  readonly at: number;
  readonly changes: readonly DatedChange[];
}

const NAME = 'history';
const NOTHING = new Uint8Array();

/** The history of a store as it is stored; undefined before the first change. */
export function storedHistory(tx: ReadTx): HistoryState | undefined {
  return tx.get('meta', NAME) as HistoryState | undefined;
}

export function storeHistory(tx: WriteTx, state: HistoryState): void {
  tx.put('meta', NAME, state);
}

/** Moments in their order, from the one of a change on. */
export function* momentsFrom(
  tx: ReadTx,
  revision: number,
  limit?: number,
): Generator<Moment & { readonly last: number }> {
  const range = { start: revision, ...(limit === undefined ? {} : { limit }) };
  for (const { key, value } of tx.range('moments', range)) yield { ...(value as Moment), last: Number(key) };
}

/**
 * Sets how long history is kept. What is kept already stays until it is swept; where none was kept, it begins now.
 * @param now milliseconds since 1970
 */
export function keepHistory(tx: WriteTx, keep: HistoryLength, now: number): void {
  const stored = storedHistory(tx);
  if (stored?.keep === keep) return;
  const goesOn = stored !== undefined && stored.keep !== 'off';
  storeHistory(tx, { ...(goesOn ? stored : { since: tx.get('meta', 'sequence') as number, at: now }), keep });
}

/**
 * Keeps what graphs said before the changes of one transaction, in that transaction: the stored text as it is, under
 * the number of the change that ended it, and an empty one where a graph began. With the changes goes their moment.
 */
export class HistoryWriter {
  readonly #tx: WriteTx;
  /** The change before this transaction. */
  readonly #last: number;
  #keep: HistoryLength | undefined;
  #at = 0;
  #paths: string[] = [];
  #tags: (Uint8Array | null)[] = [];
  readonly #changes: DatedChange[] = [];

  /** @param last the number of the last change before this transaction */
  constructor(tx: WriteTx, last: number) {
    this.#tx = tx;
    this.#last = last;
  }

  /**
   * Says that a change is about to end the text of a graph, or, where there is none, to begin one.
   * @param old what was just seen of the text
   */
  ends(path: string, revision: number, old: GraphLook | undefined): void {
    if (this.#begin() === 'off') return;
    const key = historyKey(path, revision);
    const tag = old && this.#tx.putIntoHistory(path, key, old);
    if (!old) this.#tx.putBytes(NAME, key, NOTHING);
    this.#paths.push(path);
    this.#tags.push(tag ?? null);
  }

  /** Says that a change is complete. */
  made(revision: number, by: Author): void {
    if (this.#begin() === 'off') return;
    const tags = this.#tags.some((tag) => tag !== null) ? { tags: this.#tags } : {};
    this.#changes.push({ revision, by, paths: this.#paths, ...tags });
    [this.#paths, this.#tags] = [[], []];
  }

  /** Nothing is kept after this. */
  finish(): void {
    const last = this.#changes.at(-1);
    if (last)
      this.#tx.put('moments', last.revision, { at: this.#at, changes: this.#changes } satisfies Moment);
  }

  #begin(): HistoryLength {
    if (this.#keep !== undefined) return this.#keep;
    const stored = storedHistory(this.#tx);
    const before =
      this.#last > (stored?.since ?? 0)
        ? (this.#tx.get('moments', this.#last) as Moment | undefined)
        : undefined;
    // Clocks are set back now and then; a later change is never shown before an earlier one.
    this.#at = Math.max(Date.now(), before?.at ?? stored?.at ?? 0);
    this.#keep = stored?.keep ?? HISTORY_DAYS;
    // Nothing was kept until now, or not by a program that changed the store meanwhile.
    if (this.#keep !== 'off' && !(stored && (stored.since >= this.#last || before)))
      storeHistory(this.#tx, { keep: this.#keep, since: this.#last, at: this.#at });
    return this.#keep;
  }
}
