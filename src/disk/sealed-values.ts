import { createSecretKey, type KeyObject } from 'node:crypto';
import { countLines } from '../rdf/count-lines.js';
import { DataDirectoryError } from './data-directory-error.js';
import { readHistoryKey } from './history-tags.js';
import { isOnlyRewrapped, keepCurrentDataKey, openKeys, type Sealing, type WrappedKeys } from './keyring.js';
import { compress, uncompress, uncompressText } from './compression.js';
import { ownBytes } from './own-bytes.js';
import { putTag, seal, SEAL_BYTES, takeTag, unseal } from './sealing.js';
import { holdsRecords, holdsText, type TableName } from './tables.js';
import { decodeValue, type GraphLook } from './transaction.js';

// A sealed value is a mark, the number of its data key (four bytes), and what `seal` gives. MessagePack has nothing that
// begins with the first mark, and UTF-8 nothing with either, so values of before 0.3, which are not sealed, can be told.
const MARK = 0xc1;
/** The mark of a text, which was compressed before it was sealed: what is sealed looks random. */
const COMPRESSED = 0xc0;
/** The mark of the same with the number of its lines (four bytes) after that of its key, so that a change need not open it. */
const COUNTED = 0xbe;
/** The mark of such a text in the history that is still sealed as the graph that it was, and whose tag stands elsewhere. */
const MOVED = 0xbf;
/** The mark of a text that was compressed and not sealed, with the number of its lines: where accounts alone are sealed. */
const CLEAR = 0xbd;
const HEADER = 5;
const COUNTED_HEADER = 9;
const EMPTY = Buffer.alloc(0);
/** How many values that are read over and over, those of accounts, are kept open. */
const KEPT = 4096;
/** The longest of them, in bytes: the moment of a large load names every graph. */
const LONGEST_KEPT = 4096;

/** Where the keys of an environment come from. */
export interface KeySource {
  /** The secret key as it is now. */
  readonly secret: () => Uint8Array;
  /** The wrapped keys as they are stored now; undefined when there are none. */
  readonly stored: () => Buffer | undefined;
  /** The tag of a text that was moved into the history, by its key there. */
  readonly tagOf: (key: string) => Uint8Array | undefined;
}

/** The data keys, for what is sealed beside the values. */
export interface DataKeys {
  /** The number of the key that seals now. */
  readonly current: number;
  /** All keys, wrapped, as they are stored: whoever finds these bytes in the store finds these keys. */
  readonly stored: Uint8Array;
  /** A key by its number. @throws Error when there is none of this number, or no more */
  keyOf(number: number): KeyObject;
}

/** A text, compressed, and how many lines it has. */
interface Packed {
  readonly text: string;
  readonly packed: Buffer;
  readonly lines: number;
}

/** A stored value and what it holds. */
interface Opened {
  readonly sealed: Buffer;
  readonly content: Buffer;
}

/** Seals and opens the values of one environment. */
export class SealedValues implements DataKeys {
  readonly #source: KeySource;
  #keys = new Map<number, KeyObject>();
  #current = 0;
  #account: Buffer = Buffer.alloc(0);
  #sealing: Sealing = 'some';
  #stored: Buffer | undefined;
  readonly #kept = new Map<string, Opened>();
  #packed: Packed | undefined;

  constructor(source: KeySource) {
    this.#source = source;
  }

  get current(): number {
    return this.#current;
  }

  get stored(): Uint8Array {
    if (!this.#stored) throw new Error('the keys are not there');
    return this.#stored;
  }

  /** Which values are sealed; others are refused but for those that version 0.2 left. */
  get sealing(): Sealing {
    return this.#sealing;
  }

  /** The wrapped keys without those that seal nothing any more, once everything is sealed with the current one. */
  keepCurrent(wrapped: WrappedKeys): WrappedKeys {
    return keepCurrentDataKey(wrapped, this.#source.secret());
  }

  /** The keys of accounts. */
  get accountKey(): Uint8Array {
    return this.#account;
  }

  /**
   * Takes over the keys that are stored when they are others than those that are known: each write begins so, since
   * nothing may be sealed with a key that another process drops.
   * @throws DataDirectoryError when the secret key does not open them
   */
  refresh(): void {
    const now = this.#source.stored();
    if (!now || this.#stored?.equals(now)) return;
    const wrapped = decodeValue(now) as WrappedKeys;
    const secret = this.#source.secret();
    // Whoever has the secret key of before from the environment goes on until it is started with the new one.
    if (isOnlyRewrapped(wrapped, secret, this.#keys)) return void (this.#stored = Buffer.from(now));
    const { data, account, sealing } = openKeys(wrapped, secret);
    this.#keys = new Map([...data].map(([number, key]) => [number, createSecretKey(key)]));
    this.#current = wrapped.current;
    this.#account = account;
    this.#sealing = sealing;
    this.#stored = Buffer.from(now);
  }

  /** Whether a stored value is as it would be written now. */
  isCurrent(value: Buffer, table: TableName): boolean {
    if (value.length === 0 || this.#isClear(table)) return true;
    const isMarked = holdsText(table) ? isPackedText(value[0], table) : value[0] === MARK;
    return isMarked && value.readUInt32BE(1) === this.#current;
  }

  /**
   * The stored form of a content; of one that is empty, which says nothing, an empty one.
   * @param content a string in tables of text alone
   * @param table and @param key the place, where alone it opens
   * @param keep for values that are soon read again, such as the last moment and what an app has posted today
   */
  seal(content: Uint8Array | string, table: TableName, key: string | number, keep = false): Buffer {
    if (content.length === 0) return EMPTY;
    if (this.#isClear(table)) return this.#clear(content, table);
    if (typeof content === 'string') {
      const { packed, lines } = this.#pack(content);
      return this.#sealAs(header(COUNTED, this.#current, lines), packed, countedPlace(table, key, lines));
    }
    if (holdsText(table))
      return this.#sealAs(header(COMPRESSED, this.#current), compress(content), compressedPlace(table, key));
    const place = `${table} ${key}`;
    const sealed = this.#sealAs(header(MARK, this.#current), content, place);
    if (keep) this.#keep(place, sealed, content);
    return sealed;
  }

  /**
   * What can be told of the stored text of a graph; it is opened only where its length does not tell it from the other.
   * @param text compared with it
   * @throws DataDirectoryError when a text that has to be opened is not as it was written
   */
  lookAt(value: Buffer, path: string, text?: string): GraphLook {
    if (value[0] === COUNTED && value.length > COUNTED_HEADER) {
      const length = value.length - COUNTED_HEADER - SEAL_BYTES;
      const lines = value.readUInt32BE(HEADER);
      if (text === undefined || this.#pack(text).packed.length !== length)
        return { lines, isSame: false, stored: value };
    }
    if (value[0] === CLEAR && this.#isClear('graphs')) {
      if (text === undefined || !this.#pack(text).packed.equals(value.subarray(HEADER)))
        return { lines: value.readUInt32BE(1), isSame: false, stored: value };
    }
    const old = this.openText(value, 'graphs', path);
    return { lines: countLines(old), isSame: old === text, stored: value };
  }

  /**
   * The stored text of a graph as it is stored in the history: as it is, but for its tag, so that it neither has to be
   * sealed once more nor opens as a graph again for whoever puts it back.
   * @returns no tag for a text that opens alone
   * @throws DataDirectoryError when a text that has to be sealed anew is not as it was written
   */
  move(value: Buffer, path: string, key: string): { readonly moved: Buffer; readonly tag?: Uint8Array } {
    if (value[0] === CLEAR && this.#isClear('graphs')) return { moved: value };
    if (value[0] !== COUNTED || value.readUInt32BE(1) !== this.#current)
      return { moved: this.seal(this.open(value, 'graphs', path), 'history', key) };
    const { tag, rest } = takeTag(value, COUNTED_HEADER);
    rest[0] = MOVED;
    return { moved: rest, tag };
  }

  /**
   * The content of a stored value.
   * @param keep for values that are read over and over
   * @throws DataDirectoryError when a bit of it is not as it was written, or when it should be sealed and is not
   */
  open(value: Buffer, table: TableName, key: string | number, keep = false): Buffer {
    const mark = value[0];
    const isPacked = isPackedText(mark, table);
    if (mark !== MARK && !isPacked) {
      if (value.length === 0) return value;
      if (this.#isClear(table)) return holdsText(table) ? uncompress(clearContent(value, table)) : value;
      if (this.#sealing !== 'some') throw damaged(table);
      return value;
    }
    if (isPacked) return uncompress(this.#compressed(value, table, key));
    const place = `${table} ${key}`;
    const known = keep ? this.#kept.get(place) : undefined;
    if (known?.sealed.equals(value)) return known.content;
    const content = this.#unseal(value, table, place);
    if (keep) this.#keep(place, value, content);
    return content;
  }

  /** The content of a stored text. @throws DataDirectoryError as `open` does */
  openText(value: Buffer, table: TableName, key: string | number): string {
    if (value[0] === CLEAR && this.#isClear(table)) return uncompressText(clearContent(value, table));
    if (!isPackedText(value[0], table)) return this.open(value, table, key).toString();
    return uncompressText(this.#compressed(value, table, key));
  }

  keyOf(number: number): KeyObject {
    if (!this.#keys.has(number)) this.refresh();
    const key = this.#keys.get(number);
    if (!key) throw new Error('its key is not there');
    return key;
  }

  /** A change compares a text before it puts it: it is compressed and counted once. */
  #pack(text: string): Packed {
    if (this.#packed?.text !== text) this.#packed = { text, packed: compress(text), lines: countLines(text) };
    return this.#packed;
  }

  #isClear(table: TableName): boolean {
    return this.#sealing === 'accounts' && holdsRecords(table);
  }

  #clear(content: Uint8Array | string, table: TableName): Buffer {
    if (!holdsText(table)) return Buffer.from(content as Uint8Array);
    const { packed, lines } = this.#pack(
      typeof content === 'string' ? content : Buffer.from(content).toString(),
    );
    return Buffer.concat([header(CLEAR, lines), packed]);
  }

  #sealAs(start: Buffer, content: Uint8Array, place: string): Buffer {
    return seal(this.keyOf(this.#current), content, place, start);
  }

  /** A text that is still compressed. */
  #compressed(value: Buffer, table: TableName, key: string | number): Buffer {
    if (value[0] === COMPRESSED) return this.#unseal(value, table, compressedPlace(table, key));
    if (value.length < COUNTED_HEADER) throw damaged(table);
    const lines = value.readUInt32BE(HEADER);
    if (value[0] === COUNTED) return this.#unseal(value, table, countedPlace(table, key, lines));
    const tag = this.#source.tagOf(String(key));
    if (!tag) throw damaged(table);
    const place = countedPlace('graphs', readHistoryKey(String(key)).path, lines);
    return this.#unseal(putTag(value, COUNTED_HEADER, tag), table, place);
  }

  #unseal(value: Buffer, table: TableName, place: string): Buffer {
    try {
      const start = value[0] === COUNTED || value[0] === MOVED ? COUNTED_HEADER : HEADER;
      return unseal(this.keyOf(value.readUInt32BE(1)), value.subarray(start), place);
    } catch (cause) {
      throw damaged(table, { cause });
    }
  }

  #keep(place: string, sealed: Buffer, content: Uint8Array): void {
    if (content.length > LONGEST_KEPT) return;
    // A Map iterates in order of insertion: its first key has been there for longest.
    if (this.#kept.size >= KEPT)
      for (const oldest of [...this.#kept.keys()].slice(0, KEPT / 2)) this.#kept.delete(oldest);
    this.#kept.set(place, { sealed: ownBytes(sealed), content: ownBytes(content) });
  }
}

const damaged = (table: TableName, options?: ErrorOptions): DataDirectoryError =>
  new DataDirectoryError(`A value of ${table} is damaged; restore a backup.`, options);

/** Whether a mark says that a text of this table was compressed and sealed. */
function isPackedText(mark: number | undefined, table: TableName): boolean {
  if (mark === MOVED) return table === 'history';
  return (mark === COMPRESSED || mark === COUNTED) && holdsText(table);
}

function clearContent(value: Buffer, table: TableName): Buffer {
  if (value[0] !== CLEAR) throw damaged(table);
  return value.subarray(HEADER);
}

function header(mark: number, number: number, lines?: number): Buffer {
  const start = Buffer.allocUnsafe(lines === undefined ? HEADER : COUNTED_HEADER);
  start[0] = mark;
  start.writeUInt32BE(number, 1);
  if (lines !== undefined) start.writeUInt32BE(lines, HEADER);
  return start;
}

// What is authenticated with a text: where it stands, and how. No table is called `compressed` or `counted`.
const compressedPlace = (table: TableName, key: string | number): string => `compressed ${table} ${key}`;
const countedPlace = (table: TableName, key: string | number, lines: number): string =>
  `counted ${lines} ${table} ${key}`;
