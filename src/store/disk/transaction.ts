import { asBinary, type Database, type RangeOptions, type Transaction } from 'lmdb';
import { Packr } from 'msgpackr';
import { MAX_KEY_BYTES, type Environment } from './environment.js';
import type { SealedValues } from './sealed-values.js';
import { holdsText, isSealed, type TableName } from './tables.js';

export type Key = string | number;

/** Keys that begin with `prefix`, or from `start` (inclusive) or `after` (exclusive) to `end` (exclusive). */
export interface Range {
  readonly prefix?: string | undefined;
  readonly after?: Key | undefined;
  readonly start?: Key;
  readonly end?: Key;
  readonly limit?: number | undefined;
  readonly reverse?: boolean;
  /** False omits the values, which is much cheaper. */
  readonly values?: boolean;
}

export interface Entry {
  readonly key: Key;
  readonly value: unknown;
}

/** A consistent snapshot, valid only inside the function that receives it. */
export interface ReadTx {
  get(table: TableName, key: Key): unknown;
  has(table: TableName, key: Key): boolean;
  /** Tells whether an entry with an empty value exists; opens no other value. */
  isEmpty(table: TableName, key: Key): boolean;
  bytes(table: TableName, key: Key): Uint8Array | undefined;
  /** Iterates entries in key order: strings by their UTF-8 bytes, numbers by value. */
  range(table: TableName, range?: Range): Iterable<Entry>;
  count(table: TableName): number;
  /** Compares a text with a graph's, mostly without opening it; undefined if the graph is missing. */
  lookAtGraph(path: string, text?: string): GraphLook | undefined;
}

export interface GraphLook {
  readonly lines: number;
  readonly isSame: boolean;
  readonly stored?: Buffer;
}

/** A snapshot that also writes; reads see its own writes. */
export interface WriteTx extends ReadTx {
  put(table: TableName, key: Key, value: unknown): void;
  putBytes(table: TableName, key: Key, value: Uint8Array): void;
  /**
   * Copies a graph's text into the history before it is replaced.
   * @param key from `historyKey`
   * @param look the current result of `lookAtGraph`
   * @returns the tag that the text needs to open, for the moment of the change; undefined if none
   * @throws Error when there is no such graph
   */
  putIntoHistory(path: string, key: string, look?: GraphLook): Uint8Array | undefined;
  remove(table: TableName, key: Key): void;
  clear(table: TableName): void;
}

const LAST = '\u{10ffff}';

interface HeldReads {
  getBinary(key: Key, options?: { transaction: Transaction }): Buffer | undefined;
}

/** @param held returns LMDB's transaction if one is held; default: the current one of this event loop turn */
export function readTx(
  { tables }: Environment,
  values: SealedValues,
  held: () => { transaction: Transaction } | undefined = () => undefined,
): ReadTx {
  // LMDB accepts these options, though its types omit them.
  const stored = (table: TableName, key: Key): Buffer | undefined =>
    fits(key) ? (tables[table] as HeldReads).getBinary(key, held()) : undefined;
  return {
    get: (table, key) => {
      if (!isSealed(table)) return fits(key) ? (tables[table].get(key, held()) as unknown) : undefined;
      const value = stored(table, key);
      if (!value || holdsText(table)) return value && values.openText(value, table, key);
      return decodeValue(values.open(value, table, key, true));
    },
    has: (table, key) => fits(key) && tables[table].doesExist(key, undefined, held()),
    isEmpty: (table, key) => stored(table, key)?.length === 0,
    bytes: (table, key) => {
      const value = stored(table, key);
      return value && isSealed(table) ? values.open(value, table, key, !holdsText(table)) : value;
    },
    range: (table, range = {}) => {
      const found = entries(tables[table], range, held());
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
    // A cursor must not walk pages that the transaction rewrites.
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

// The options of LMDB's package, so that old values can be read.
const packr = new Packr({ copyBuffers: true } as object);

export function encodeStored(table: TableName, value: unknown): Uint8Array {
  return holdsText(table) ? Buffer.from(String(value)) : packr.pack(value);
}

export function decodeStored(table: TableName, bytes: Buffer): unknown {
  return holdsText(table) ? bytes.toString() : decodeValue(bytes);
}

export function decodeValue(bytes: Buffer): unknown {
  return packr.unpack(bytes) as unknown;
}

function* opened(found: Iterable<Entry>, table: TableName, values: SealedValues): Generator<Entry> {
  const open = (value: Buffer, key: Key): unknown =>
    holdsText(table) ? values.openText(value, table, key) : decodeValue(values.open(value, table, key));
  for (const { key, value } of found) yield { key, value: open(value as Buffer, key) };
}

/** @throws RangeError for a key that no table can hold */
export function refuseKey(table: TableName, key: Key): void {
  if (!fits(key)) throw new RangeError(`a key of ${table} is empty or longer than ${MAX_KEY_BYTES} bytes`);
}

export function missingGraph(): Error {
  return new Error('a graph that is to be put into the history is not there');
}

/** LMDB throws for too long a key even on lookup. */
export function fits(key: Key): boolean {
  return typeof key === 'number' || (key !== '' && Buffer.byteLength(key) <= MAX_KEY_BYTES);
}

function* entries(
  table: Database,
  range: Range,
  held?: { readonly transaction: Transaction },
): Generator<Entry> {
  const { prefix, limit, reverse = false, values = true } = range;
  const low = prefix ?? range.after ?? range.start;
  const high = prefix === undefined ? range.end : prefix + LAST;
  // Backwards, LMDB walks from start down to end; it would include the upper bound and leave out the lower.
  const [start, end] = reverse ? [high, low] : [low, high];
  const options: RangeOptions = {
    ...held,
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
