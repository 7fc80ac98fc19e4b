import type { WriteTx } from '../../disk/transaction.js';
import { putRowState, readLists, readRowState, type RowLists, type RowState } from './row-state.js';
import { placedKey, type RowKeys } from './search-lists.js';
import { SortedKeysWriter } from './sorted-keys.js';

const TABLE = 'searchRows';

/**
 * Writes the rows of graphs in the transaction that writes the graphs. Which ones, the directory itself says, so that
 * every program writes the same, whatever ontology it knows.
 */
export class RowWriter {
  readonly #tx: WriteTx;
  readonly #state: RowState | undefined;
  readonly #sorted: SortedKeysWriter;
  #lists: RowLists | undefined;
  #isChanged = false;

  /** @param before the number of the last change; rows that do not hold it are left alone, and made anew at the next start */
  constructor(tx: WriteTx, before: number) {
    this.#tx = tx;
    this.#sorted = new SortedKeysWriter(tx);
    const state = readRowState(tx);
    if (state?.through !== before) return;
    this.#state = state;
  }

  /** @param text what the graph at a path says now, as `writeRelative` gives it @param base that of its IRIs */
  says(path: string, text: string, base: string): void {
    if (this.#keysOf?.isPlace(path)) this.#put(path, this.#keysOf.of(path, text, base));
  }

  /** Takes in that there is no graph at a path any more. */
  ends(path: string): void {
    if (this.#keysOf?.isPlace(path)) this.#put(path, []);
  }

  /** Nothing is written after this. @param revision the number of the last change, of this transaction or before */
  finish(revision: number): void {
    if (!this.#state) return;
    if (this.#isChanged) this.#sorted.finish();
    const version = this.#state.version + Number(this.#isChanged);
    putRowState(this.#tx, { ...this.#state, version, through: revision });
  }

  get #keysOf(): RowKeys | undefined {
    return this.#state && (this.#lists ??= readLists(this.#tx)).keysOf;
  }

  #put(path: string, keys: readonly string[]): void {
    const text = keys.join('\n');
    const old = (this.#tx.get(TABLE, path) as string | undefined) ?? '';
    if (old === text) return;
    this.#isChanged = true;
    const before = old === '' ? [] : old.split('\n');
    for (const key of before) if (!keys.includes(key)) this.#sorted.remove(placedKey(key, path));
    for (const key of keys) if (!before.includes(key)) this.#sorted.add(placedKey(key, path));
    if (keys.length === 0) this.#tx.remove(TABLE, path);
    else this.#tx.put(TABLE, path, text);
  }
}
