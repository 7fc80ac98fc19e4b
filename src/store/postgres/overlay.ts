import { countLines } from '../../rdf/count-lines.js';
import type { TableName } from '../disk/tables.js';
import {
  decodeStored,
  encodeStored,
  missingGraph,
  refuseKey,
  type Entry,
  type GraphLook,
  type Key,
  type Range,
  type ReadTx,
  type WriteTx,
} from '../disk/transaction.js';

type Written = Map<Key, Uint8Array | undefined>;

/** A transaction that writes into memory, over a snapshot or another overlay. */
export class Overlay implements WriteTx {
  readonly #written = new Map<TableName, Written>();

  constructor(private readonly base: ReadTx) {}

  get(table: TableName, key: Key): unknown {
    const written = this.#written.get(table);
    if (!written?.has(key)) return this.base.get(table, key);
    const content = written.get(key);
    return content && decodeStored(table, Buffer.from(content));
  }

  has(table: TableName, key: Key): boolean {
    const written = this.#written.get(table);
    return written?.has(key) ? written.get(key) !== undefined : this.base.has(table, key);
  }

  isEmpty(table: TableName, key: Key): boolean {
    const written = this.#written.get(table);
    return written?.has(key) ? written.get(key)?.length === 0 : this.base.isEmpty(table, key);
  }

  bytes(table: TableName, key: Key): Uint8Array | undefined {
    const written = this.#written.get(table);
    return written?.has(key) ? written.get(key) : this.base.bytes(table, key);
  }

  range(table: TableName, range: Range = {}): Iterable<Entry> {
    const written = this.#written.get(table);
    if (!written || written.size === 0) return [...this.base.range(table, range)];
    const { limit = Infinity, ...unlimited } = range;
    const below = { ...unlimited, ...(limit === Infinity ? {} : { limit: limit + written.size }) };
    const found = [...this.base.range(table, below)].filter(({ key }) => !written.has(key));
    for (const [key, content] of written) {
      if (content && isWithin(key, range))
        found.push({ key, value: range.values === false ? undefined : this.get(table, key) });
    }
    found.sort((a, b) => order(a.key, b.key) * (range.reverse ? -1 : 1));
    return found.slice(0, limit);
  }

  count(table: TableName): number {
    let count = this.base.count(table);
    for (const [key, content] of this.#written.get(table) ?? []) {
      count += Number(content !== undefined) - Number(this.base.bytes(table, key) !== undefined);
    }
    return count;
  }

  put(table: TableName, key: Key, value: unknown): void {
    this.putBytes(table, key, encodeStored(table, value));
  }

  putBytes(table: TableName, key: Key, value: Uint8Array): void {
    refuseKey(table, key);
    this.#tableOf(table).set(key, value);
  }

  lookAtGraph(path: string, text?: string): GraphLook | undefined {
    const old = this.get('graphs', path) as string | undefined;
    return old === undefined ? undefined : { lines: countLines(old), isSame: old === text };
  }

  putIntoHistory(path: string, key: string): undefined {
    const content = this.bytes('graphs', path);
    if (!content) throw missingGraph();
    this.putBytes('history', key, content);
  }

  remove(table: TableName, key: Key): void {
    this.#tableOf(table).set(key, undefined);
  }

  clear(table: TableName): void {
    for (const { key } of this.range(table, { values: false })) this.remove(table, key);
  }

  copyTo(tx: WriteTx): void {
    for (const [table, key, content] of this.written()) {
      if (content) tx.putBytes(table, key, content);
      else tx.remove(table, key);
    }
  }

  *written(): Generator<readonly [TableName, Key, Uint8Array | undefined]> {
    for (const [table, written] of this.#written)
      for (const [key, content] of written) yield [table, key, content];
  }

  #tableOf(table: TableName): Written {
    const known = this.#written.get(table);
    if (known) return known;
    const written: Written = new Map();
    this.#written.set(table, written);
    return written;
  }
}

function isWithin(key: Key, { prefix, after, start, end }: Range): boolean {
  if (prefix !== undefined) return String(key).startsWith(prefix);
  if (after !== undefined && order(key, after) <= 0) return false;
  if (start !== undefined && order(key, start) < 0) return false;
  return end === undefined || order(key, end) < 0;
}

/** Orders keys like tables do: numbers by value, then strings by their UTF-8 bytes. */
function order(a: Key, b: Key): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
