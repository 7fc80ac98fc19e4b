import { createSecretKey, type KeyObject } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.js';
import { keepCurrentDataKey, openKeys, type WrappedKeys } from './keyring.js';
import { compress, uncompress, uncompressText } from './compression.js';
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
/** The longest of them, in bytes: the moment of a large load names every graph. */
const LONGEST_KEPT = 4096;

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
  /** All keys, wrapped, as they are stored: whoever finds these bytes in the store finds these keys. */
  readonly stored: Uint8Array;
  /** A key by its number. @throws Error when there is none of this number, or no more */
  keyOf(number: number): KeyObject;
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
  #allSealed = false;
  #stored: Buffer | undefined;
  readonly #kept = new Map<string, Opened>();
  /** The text that was opened last, still compressed: a change reads what it is about to move. */
  #last: { readonly place: string; readonly opened: Opened } | undefined;

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

  /** Whether values that are not sealed are refused: those of a directory that version 0.2 made are there at first. */
  get allSealed(): boolean {
    return this.#allSealed;
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
    const { secret, stored, decode } = this.#source;
    const now = stored();
    if (!now || this.#stored?.equals(now)) return;
    const wrapped = decode(now);
    const { data, account, allSealed } = openKeys(wrapped, secret());
    this.#keys = new Map([...data].map(([number, key]) => [number, createSecretKey(key)]));
    this.#current = wrapped.current;
    this.#account = account;
    this.#allSealed = allSealed;
    this.#stored = Buffer.from(now);
  }

  /** Whether a stored value is as it would be written now. */
  isCurrent(value: Buffer, table: TableName): boolean {
    if (value.length === 0) return true;
    return value[0] === markOf(table) && value.readUInt32BE(1) === this.#current;
  }

  /**
   * The stored form of a content; of one that is empty, which says nothing, an empty one.
   * @param content may be a string in tables of text
   * @param table and @param key the place, where alone it opens
   * @param keep for values that are soon read again, such as the last moment and what an app has posted today
   */
  seal(content: Uint8Array | string, table: TableName, key: string | number, keep = false): Buffer {
    if (content.length === 0) return EMPTY;
    if (markOf(table) === COMPRESSED) return this.#sealPacked(compress(content), table, key);
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const sealed = this.#sealPacked(bytes, table, key);
    // A copy: what comes may be a view of a large buffer.
    if (keep) this.#keep(placeOf(MARK, table, key), sealed, Buffer.from(bytes));
    return sealed;
  }

  /**
   * A stored value as it is stored in another place, of a table of the same kind: a text is not compressed again, nor
   * opened when it was the last that was.
   * @throws DataDirectoryError when a bit of it is not as it was written
   */
  move(
    value: Buffer,
    [table, key]: readonly [TableName, string | number],
    [to, toKey]: readonly [TableName, string | number],
  ): Buffer {
    if (value[0] !== COMPRESSED || markOf(to) !== COMPRESSED)
      return this.seal(this.open(value, table, key), to, toKey);
    const place = placeOf(COMPRESSED, table, key);
    const { place: lastPlace, opened } = this.#last ?? {};
    const packed =
      lastPlace === place && opened?.sealed.equals(value)
        ? opened.content
        : this.#unseal(value, table, place);
    return this.#sealPacked(packed, to, toKey);
  }

  /**
   * The content of a stored value.
   * @param keep for values that are read over and over
   * @throws DataDirectoryError when a bit of it is not as it was written, or when it should be sealed and is not
   */
  open(value: Buffer, table: TableName, key: string | number, keep = false): Buffer {
    const mark = value[0];
    if (mark !== MARK && (mark !== COMPRESSED || !holdsText(table))) {
      if (this.#allSealed && value.length > 0) throw damaged(table);
      return value;
    }
    const place = placeOf(mark, table, key);
    const known = keep ? this.#kept.get(place) : undefined;
    if (known?.sealed.equals(value)) return known.content;
    if (mark === COMPRESSED) return uncompress(this.#compressed(value, table, place));
    const content = this.#unseal(value, table, place);
    if (keep) this.#keep(place, value, content);
    return content;
  }

  /** The content of a stored text. @throws DataDirectoryError as `open` does */
  openText(value: Buffer, table: TableName, key: string | number): string {
    if (value[0] !== COMPRESSED) return this.open(value, table, key).toString();
    return uncompressText(this.#compressed(value, table, placeOf(COMPRESSED, table, key)));
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

  /** A text that is still compressed. */
  #compressed(value: Buffer, table: TableName, place: string): Buffer {
    const content = this.#unseal(value, table, place);
    this.#last = { place, opened: { sealed: value, content } };
    return content;
  }

  #unseal(value: Buffer, table: TableName, place: string): Buffer {
    try {
      return unseal(this.keyOf(value.readUInt32BE(1)), value.subarray(HEADER), place);
    } catch (cause) {
      throw damaged(table, { cause });
    }
  }

  #keep(place: string, sealed: Buffer, content: Buffer): void {
    if (content.length > LONGEST_KEPT) return;
    // A Map iterates in order of insertion: its first key has been there for longest.
    if (this.#kept.size >= KEPT)
      for (const oldest of [...this.#kept.keys()].slice(0, KEPT / 2)) this.#kept.delete(oldest);
    this.#kept.set(place, { sealed, content });
  }
}

const damaged = (table: TableName, options?: ErrorOptions): DataDirectoryError =>
  new DataDirectoryError(`A value of ${table} is damaged; restore a backup.`, options);

function markOf(table: TableName): number {
  return holdsText(table) ? COMPRESSED : MARK;
}

/** What is authenticated with a value: where it stands, and how. No table is called `compressed`. */
function placeOf(mark: number, table: TableName, key: string | number): string {
  return mark === COMPRESSED ? `compressed ${table} ${key}` : `${table} ${key}`;
}
