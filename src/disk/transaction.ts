import { asBinary, type Database, type RangeOptions } from 'lmdb';
import { Packr } from 'msgpackr';
import { MAX_KEY_BYTES, type Environment } from './environment.js';
import type { SealedValues } from './sealed-values.js';
import { holdsText, isSealed, type TableName } from './tables.js';

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
  /** Whether there is an entry; what it holds is not opened. */
  has(table: TableName, key: Key): boolean;
  /** Whether there is an entry that says nothing; no other one is opened for it. */
  isEmpty(table: TableName, key: Key): boolean;
  /** The encoded value, not sealed, as `putBytes` takes it back. */
  bytes(table: TableName, key: Key): Uint8Array | undefined;
  /** Entries in key order (strings by their UTF-8 bytes, numbers by value). */
  range(table: TableName, range?: Range): Iterable<Entry>;
  /** How many entries a table has. */
  count(table: TableName): number;
  /**
   * What can be told of the text of a graph, mostly without opening it; undefined where there is no such graph.
   * @param text compared with it
   */
  lookAtGraph(path: string, text?: string): GraphLook | undefined;
}

/** The text of a graph as it stands. */
export interface GraphLook {
  readonly lines: number;
  /** Whether it is the text that it was compared with. */
  readonly isSame: boolean;
  /** As it is stored, where that is at hand. */
  readonly stored?: Buffer;
}

/** A snapshot that also writes; reads see what was written before in the same transaction. */
export interface WriteTx extends ReadTx {
  put(table: TableName, key: Key, value: unknown): void;
  putBytes(table: TableName, key: Key, value: Uint8Array): void;
  /**
   * Puts the text of a graph into the history, before another one takes its place.
   * @param key as `historyKey` gives it
   * @param look what `lookAtGraph` has just told of it, if it was asked
   * @returns the tag without which it does not open, for the moment of the change; undefined where it opens alone
   * @throws Error where there is no such graph
   */
  putIntoHistory(path: string, key: string, look?: GraphLook): Uint8Array | undefined;
  remove(table: TableName, key: Key): void;
  /** Removes every entry of a table. */
  clear(table: TableName): void;
}

/** The highest character: no key that begins with a prefix sorts after prefix + this. */
const LAST = '\u{10ffff}';

export function readTx({ tables }: Environment, values: SealedValues): ReadTx {
  const stored = (table: TableName, key: Key): Buffer | undefined =>
    fits(key) ? tables[table].getBinary(key) : undefined;
  return {
    get: (table, key) => {
      if (!isSealed(table)) return fits(key) ? (tables[table].get(key) as unknown) : undefined;
      const value = stored(table, key);
      if (!value || holdsText(table)) return value && values.openText(value, table, key);
      return decodeValue(values.open(value, table, key, true));
    },
    has: (table, key) => fits(key) && tables[table].doesExist(key),
    isEmpty: (table, key) => stored(table, key)?.length === 0,
    bytes: (table, key) => {
      const value = stored(table, key);
      return value && isSealed(table) ? values.open(value, table, key, !holdsText(table)) : value;
    },
    range: (table, range = {}) => {
      const found = entries(tables[table], range);
      return isSealed(table) && range.values !== false ? opened(found, table, values) : found;
    },
    count: (table) => Number((tables[table].getStats() as { entryCount: number }).entryCount),
    lookAtGraph: (path, text) => {
      const found = stored('graphs', path);
      return found && values.lookAt(found, path, text);
    },
  };
}

export function writeTx(environment: Environment, values: SealedValues): WriteTx {
  const { tables } = environment;
  const putBytes = (table: TableName, key: Key, value: Uint8Array): void => {
    refuseKey(table, key);
    const stored = isSealed(table) ? values.seal(value, table, key) : Buffer.from(value);
    tables[table].putSync(key, asBinary(stored));
  };
  const put = (table: TableName, key: Key, value: unknown): void => {
    refuseKey(table, key);
    if (!isSealed(table)) return void tables[table].putSync(key, value);
    const content = holdsText(table) ? String(value) : encodeStored(table, value);
    tables[table].putSync(key, asBinary(values.seal(content, table, key, true)));
  };
  const reader = readTx(environment, values);
  return {
    ...reader,
    // A cursor must not walk through pages that the same transaction rewrites, so the walk ends before it is used.
    range: (table, range) => [...reader.range(table, range)],
    put,
    putBytes,
    putIntoHistory: (path, key, look) => {
      refuseKey('history', key);
      const stored = look?.stored ?? tables.graphs.getBinary(path);
      if (!stored) throw missingGraph();
      const { moved, tag } = values.move(stored, path, key);
      tables.history.putSync(key, asBinary(moved));
      return tag;
    },
    remove: (table, key) => void tables[table].removeSync(key),
    clear: (table) => void tables[table].clearSync(),
  };
}

// As LMDB's package writes what it is not told to write otherwise: old values are read with it, too.
const packr = new Packr({ copyBuffers: true } as object);

/** The bytes of a value, not sealed. */
export function encodeStored(table: TableName, value: unknown): Uint8Array {
  return holdsText(table) ? Buffer.from(String(value)) : packr.pack(value);
}

/** The value of such bytes. */
export function decodeStored(table: TableName, bytes: Buffer): unknown {
  return holdsText(table) ? bytes.toString() : decodeValue(bytes);
}

/** Reads a structured value as it is stored, not sealed. */
export function decodeValue(bytes: Buffer): unknown {
  return packr.unpack(bytes) as unknown;
}

function* opened(found: Iterable<Entry>, table: TableName, values: SealedValues): Generator<Entry> {
  const open = (value: Buffer, key: Key): unknown =>
    holdsText(table) ? values.openText(value, table, key) : decodeValue(values.open(value, table, key));
  for (const { key, value } of found) yield { key, value: open(value as Buffer, key) };
}

/** @throws RangeError for a key that a table cannot hold */
export function refuseKey(table: TableName, key: Key): void {
  if (!fits(key)) throw new RangeError(`a key of ${table} is empty or longer than ${MAX_KEY_BYTES} bytes`);
}

/** Somebody ends what is not there. */
export function missingGraph(): Error {
  return new Error('a graph that is to be put into the history is not there');
}

/** Whether a key can be in a table: LMDB throws for one that is too long even when it is only looked up. */
export function fits(key: Key): boolean {
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
