import { createSecretKey, type KeyObject } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.js';
import { openKeys, type WrappedKeys } from './keyring.js';
import { compress, uncompress } from './compression.js';
import { seal, unseal } from './sealing.js';
import { holdsText, type TableName } from './tables.js';

// A sealed value is a mark, the number of its data key (four bytes), and what `seal` gives. MessagePack has nothing that
// begins with the first mark, and UTF-8 nothing with either, so values of before 0.3, which are not sealed, can be told.
const MARK = 0xc1;
/** The mark of a text, which was compressed before it was sealed: what is sealed looks random. */
const COMPRESSED = 0xc0;
const HEADER = 5;
const EMPTY = Buffer.alloc(0);
/** How many values that are read over and over, those of accounts, are kept open. */
const KEPT = 4096;

/** Where the keys of an environment come from. */
export interface KeySource {
  /** The secret key as it is now. */
  readonly secret: () => Uint8Array;
  /** The wrapped keys as they are stored now; undefined when there are none. */
  readonly stored: () => Buffer | undefined;
  readonly decode: (stored: Buffer) => WrappedKeys;
}

/** The data keys, for what is sealed beside the values. */
export interface DataKeys {
  /** The number of the key that seals now. */
  readonly current: number;
  /** A key by its number. @throws Error when there is none of this number, or no more */
  keyOf(number: number): KeyObject;
}

/** Seals and opens the values of one environment. */
export class SealedValues implements DataKeys {
  readonly #source: KeySource;
  #keys = new Map<number, KeyObject>();
  #current = 0;
  #account: Buffer = Buffer.alloc(0);
  #stored: Buffer | undefined;
  readonly #kept = new Map<string, { readonly sealed: Buffer; readonly content: Buffer }>();

  constructor(source: KeySource) {
    this.#source = source;
  }

  get current(): number {
    return this.#current;
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
    const { secret, stored, decode } = this.#source;
    const now = stored();
    if (!now || this.#stored?.equals(now)) return;
    const wrapped = decode(now);
    const { data, account } = openKeys(wrapped, secret());
    this.#keys = new Map([...data].map(([number, key]) => [number, createSecretKey(key)]));
    this.#current = wrapped.current;
    this.#account = account;
    this.#stored = Buffer.from(now);
  }

  /** Whether a stored value is as it would be written now. */
  isCurrent(value: Buffer, table: TableName): boolean {
    if (value.length === 0) return true;
    return value[0] === markOf(table) && value.readUInt32BE(1) === this.#current;
  }

  /**
   * The stored form of a content; of one that is empty, which says nothing, an empty one.
   * @param table and @param key the place, where alone it opens
   */
  seal(content: Uint8Array, table: TableName, key: string | number): Buffer {
    if (content.length === 0) return EMPTY;
    const packed = markOf(table) === COMPRESSED ? compress(content) : content;
    return this.#sealPacked(packed, table, key);
  }

  /**
   * A stored value as it is stored in another place, of a table of the same kind: a text is not compressed again.
   * @throws DataDirectoryError when a bit of it is not as it was written
   */
  move(
    value: Buffer,
    [table, key]: readonly [TableName, string | number],
    [to, toKey]: readonly [TableName, string | number],
  ): Buffer {
    if (value[0] !== COMPRESSED || markOf(to) !== COMPRESSED)
      return this.seal(this.open(value, table, key), to, toKey);
    return this.#sealPacked(this.#unseal(value, table, placeOf(COMPRESSED, table, key)), to, toKey);
  }

  /**
   * The content of a stored value.
   * @param keep for values that are read over and over
   * @throws DataDirectoryError when a bit of it is not as it was written
   */
  open(value: Buffer, table: TableName, key: string | number, keep = false): Buffer {
    const mark = value[0];
    if (mark !== MARK && (mark !== COMPRESSED || !holdsText(table))) return value;
    const place = placeOf(mark, table, key);
    const known = keep ? this.#kept.get(place) : undefined;
    if (known?.sealed.equals(value)) return known.content;
    const content = this.#unseal(value, table, place);
    if (mark === COMPRESSED) return uncompress(content);
    if (keep) this.#keep(place, value, content);
    return content;
  }

  keyOf(number: number): KeyObject {
    if (!this.#keys.has(number)) this.refresh();
    const key = this.#keys.get(number);
    if (!key) throw new Error('its key is not there');
    return key;
  }

  #sealPacked(packed: Uint8Array, table: TableName, key: string | number): Buffer {
    const mark = markOf(table);
    const header = Buffer.alloc(HEADER, mark);
    header.writeUInt32BE(this.#current, 1);
    return seal(this.keyOf(this.#current), packed, placeOf(mark, table, key), header);
  }

  #unseal(value: Buffer, table: TableName, place: string): Buffer {
    try {
      return unseal(this.keyOf(value.readUInt32BE(1)), value.subarray(HEADER), place);
    } catch (cause) {
      throw new DataDirectoryError(`A value of ${table} is damaged; restore a backup.`, { cause });
    }
  }

  #keep(place: string, sealed: Buffer, content: Buffer): void {
    // A Map iterates in order of insertion: its first key has been there for longest.
    if (this.#kept.size >= KEPT)
      for (const oldest of [...this.#kept.keys()].slice(0, KEPT / 2)) this.#kept.delete(oldest);
    this.#kept.set(place, { sealed, content });
  }
}

function markOf(table: TableName): number {
  return holdsText(table) ? COMPRESSED : MARK;
}

/** What is authenticated with a value: where it stands, and how. No table is called `compressed`. */
function placeOf(mark: number, table: TableName, key: string | number): string {
  return mark === COMPRESSED ? `compressed ${table} ${key}` : `${table} ${key}`;
}
