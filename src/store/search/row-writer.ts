import type { ReadTx, WriteTx } from '../disk/transaction.js';
import { placedKey, type RowKeys, rowKeys, type SearchList } from './search-lists.js';
import { SortedKeysWriter } from './sorted-keys.js';

interface RowState {
  /** The last change covered by the rows; programs without rows do not advance it. */
  readonly through: number;
  readonly version: number;
  readonly maker?: string | undefined;
}

const STATE = 'search';
/** JSON, stored apart from the state, which each change writes. */
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

interface RowLists {
  readonly text: string;
  readonly lists: readonly SearchList[];
  readonly keysOf: RowKeys;
}

let last: RowLists | undefined;

/** Reads the lists; caches the last ones, which rarely change. */
export function readLists(tx: Pick<ReadTx, 'get'>): RowLists {
  const text = (tx.get('meta', LISTS) as string | undefined) ?? '[]';
  if (last?.text !== text) {
    const lists = JSON.parse(text) as SearchList[];
    last = { text, lists, keysOf: rowKeys(lists) };
  }
  return last;
}

const TABLE = 'searchRows';

/** Writes search rows together with their graphs, for the lists stored in the directory. */
export class RowWriter {
  readonly #state: RowState | undefined;
  readonly #sorted: SortedKeysWriter;
  #lists: RowLists | undefined;
  #isChanged = false;

  /** @param before the number of the last change; rows that do not include it are made again at the next start */
  constructor(
    private readonly tx: WriteTx,
    before: number,
  ) {
    this.#sorted = new SortedKeysWriter(tx);
    const state = readRowState(tx);
    if (state?.through === before) this.#state = state;
  }

  says(path: string, text: string, base: string): void {
    if (this.#keysOf?.isPlace(path)) this.#put(path, this.#keysOf.of(path, text, base));
  }

  ends(path: string): void {
    if (this.#keysOf?.isPlace(path)) this.#put(path, []);
  }

  /** Call last. @param revision the number of the last change, in this transaction or before */
  finish(revision: number): void {
    if (!this.#state) return;
    if (this.#isChanged) this.#sorted.finish();
    const version = this.#state.version + Number(this.#isChanged);
    putRowState(this.tx, { ...this.#state, version, through: revision });
  }

  get #keysOf(): RowKeys | undefined {
    return this.#state && (this.#lists ??= readLists(this.tx)).keysOf;
  }

  #put(path: string, keys: readonly string[]): void {
    const text = keys.join('\n');
    const old = (this.tx.get(TABLE, path) as string | undefined) ?? '';
    if (old === text) return;
    this.#isChanged = true;
    const before = old === '' ? [] : old.split('\n');
    for (const key of before) if (!keys.includes(key)) this.#sorted.remove(placedKey(key, path));
    for (const key of keys) if (!before.includes(key)) this.#sorted.add(placedKey(key, path));
    if (keys.length === 0) this.tx.remove(TABLE, path);
    else this.tx.put(TABLE, path, text);
  }
}
