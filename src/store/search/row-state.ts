import type { ReadTx, WriteTx } from '../../disk/transaction.js';
import { rowKeys, type RowKeys, type SearchList } from './search-lists.js';

/** What a directory knows of its rows. */
export interface RowState {
  /** The last change that they hold: a program that does not know of rows leaves it behind. */
  readonly through: number;
  /** Counts the changes of rows. */
  readonly version: number;
  /** Names whoever makes the rows, as long as some are missing. */
  readonly maker?: string | undefined;
}

const STATE = 'search';
/** The lists that rows are made for, as JSON; each change writes the state, and these hardly ever change. */
const LISTS = 'searchLists';

export function readRowState(tx: ReadTx): RowState | undefined {
  return tx.get('meta', STATE) as RowState | undefined;
}

export function putRowState(tx: WriteTx, state: RowState): void {
  tx.put('meta', STATE, state);
}

export function putLists(tx: WriteTx, lists: readonly SearchList[]): void {
  tx.put('meta', LISTS, JSON.stringify(lists));
}

/** What rows are made for. */
export interface RowLists {
  /** As JSON. */
  readonly text: string;
  readonly lists: readonly SearchList[];
  readonly keysOf: RowKeys;
}

let last: RowLists | undefined;

/** Reads what rows are made for, each time the same as a rule. */
export function readLists(tx: Pick<ReadTx, 'get'>): RowLists {
  const text = (tx.get('meta', LISTS) as string | undefined) ?? '[]';
  if (last?.text !== text) {
    const lists = JSON.parse(text) as SearchList[];
    last = { text, lists, keysOf: rowKeys(lists) };
  }
  return last;
}
