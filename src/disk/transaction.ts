import { asBinary, type Database, type RangeOptions } from 'lmdb';
import { MAX_KEY_BYTES, type Environment } from './environment.js';
import type { TableName } from './tables.js';

/** Paths and names are strings, changes are numbered. */
export type Key = string | number;

/**
 * Which entries of a table: those whose key begins with `prefix`, or from `start` (included; `after`: not included) to
 * `end` (not included).
 */
export interface Range {
  readonly prefix?: string;
  readonly after?: Key;
  readonly start?: Key;
  readonly end?: Key;
  readonly limit?: number;
  readonly reverse?: boolean;
  /** False leaves the values out, which is much cheaper. */
  readonly values?: boolean;
}

export interface Entry {
  readonly key: Key;
  readonly value: unknown;
}

/** One consistent snapshot, valid only inside the function it is given to. */
export interface ReadTx {
  get(table: TableName, key: Key): unknown;
  /** The encoded value, as `putBytes` takes it back. */
  bytes(table: TableName, key: Key): Uint8Array | undefined;
  /** Entries in key order (strings by their UTF-8 bytes, numbers by value). */
  range(table: TableName, range?: Range): Iterable<Entry>;
  /** How many entries a table has. */
  count(table: TableName): number;
}

/** A snapshot that also writes; reads see what was written before in the same transaction. */
export interface WriteTx extends ReadTx {
  put(table: TableName, key: Key, value: unknown): void;
  putBytes(table: TableName, key: Key, value: Uint8Array): void;
  remove(table: TableName, key: Key): void;
  /** Removes every entry of a table. */
  clear(table: TableName): void;
}

/** The highest character: no key that begins with a prefix sorts after prefix + this. */
const LAST = '\u{10ffff}';

export function readTx({ tables }: Environment): ReadTx {
  return {
    get: (table, key) => (fits(key) ? (tables[table].get(key) as unknown) : undefined),
    bytes: (table, key) => (fits(key) ? tables[table].getBinary(key) : undefined),
    range: (table, range = {}) => entries(tables[table], range),
    count: (table) => Number((tables[table].getStats() as { entryCount: number }).entryCount),
  };
}

export function writeTx(environment: Environment): WriteTx {
  const { tables } = environment;
  const put = (table: TableName, key: Key, value: unknown): void => {
    if (!fits(key)) throw new RangeError(`a key of ${table} is empty or longer than ${MAX_KEY_BYTES} bytes`);
    tables[table].putSync(key, value);
  };
  const reader = readTx(environment);
  return {
    get: reader.get,
    bytes: reader.bytes,
    // A cursor must not walk through pages that the same transaction rewrites, so the walk ends before it is used.
    range: (table, range) => [...reader.range(table, range)],
    count: reader.count,
    put,
    putBytes: (table, key, value) => put(table, key, asBinary(Buffer.from(value))),
    remove: (table, key) => void tables[table].removeSync(key),
    clear: (table) => void tables[table].clearSync(),
  };
}

/** LMDB throws for a key that is too long even when it is only looked up. */
function fits(key: Key): boolean {
  return typeof key === 'number' || (key !== '' && Buffer.byteLength(key) <= MAX_KEY_BYTES);
}

function* entries(table: Database, range: Range): Generator<Entry> {
  const { prefix, limit, reverse = false, values = true } = range;
  const low = prefix ?? range.after ?? range.start;
  const high = prefix === undefined ? range.end : prefix + LAST;
  // LMDB walks backwards from start down to end and would include the upper and leave out the lower bound.
  const [start, end] = reverse ? [high, low] : [low, high];
  const options: RangeOptions = {
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(limit === undefined ? {} : { limit }),
    ...(reverse
      ? { reverse, exclusiveStart: start !== undefined, inclusiveEnd: range.after === undefined }
      : { exclusiveStart: range.after !== undefined }),
  };
  if (values) {
    for (const { key, value } of table.getRange(options)) yield { key: key as Key, value: value as unknown };
  } else {
    for (const key of table.getKeys(options)) yield { key: key as Key, value: undefined };
  }
}
