import { createSecretKey, type KeyObject } from 'node:crypto';
import { countLines } from '../../rdf/count-lines.js';
import { DataDirectoryError } from './data-directory-error.js';
import { readHistoryKey } from './history-tags.js';
import { isOnlyRewrapped, keepCurrentDataKey, openKeys, type Sealing, type WrappedKeys } from './keyring.js';
import { compress, ownBytes, uncompress, uncompressText } from './bytes.js';
import { putTag, seal, SEAL_BYTES, takeTag, unseal } from './sealing.js';
import { holdsRecords, holdsText, type TableName } from './tables.js';
import { decodeValue, type GraphLook } from './transaction.js';

// A sealed value is a mark, the number of its data key (four bytes), and the output of `seal`. No MessagePack begins
// with the first mark and no UTF-8 with any of them, so unsealed values can be recognized.
const MARK = 0xc1;
/** Mark of a compressed and sealed text. */
const COMPRESSED = 0xc0;
/** The same with its line count (four bytes) after the key number, so that a change need not open it. */
const COUNTED = 0xbe;
/** Such a text in the history, still sealed as the graph it was; its tag is stored elsewhere. */
const MOVED = 0xbf;
/** Mark of a compressed, unsealed text with its line count, when only accounts are sealed. */
const CLEAR = 0xbd;
const HEADER = 5;
const COUNTED_HEADER = 9;
const EMPTY = Buffer.alloc(0);
const MAX_CACHED = 4096;
/** In bytes. Keeps out large values, such as the moment of a big load, which names every graph. */
const MAX_CACHED_BYTES = 4096;

interface KeySource {
  readonly secret: () => Uint8Array;
  readonly stored: () => Buffer | undefined;
  readonly tagOf: (key: string) => Uint8Array | undefined;
}

export interface DataKeys {
  readonly current: number;
  readonly stored: Uint8Array;
  keyOf(number: number): KeyObject;
}

interface Packed {
  readonly text: string;
  readonly packed: Buffer;
  readonly lines: number;
}

export class SealedValues implements DataKeys {
  #keys = new Map<number, KeyObject>();
  #current = 0;
  #account: Buffer = Buffer.alloc(0);
  #sealing: Sealing = 'some';
  #stored: Buffer | undefined;
  readonly #cache = new Map<string, { readonly sealed: Buffer; readonly content: Buffer }>();
  #packed: Packed | undefined;

  constructor(private readonly source: KeySource) {}

  get current(): number {
    return this.#current;
  }

  get stored(): Uint8Array {
    if (!this.#stored) throw new Error('the keys are not there');
    return this.#stored;
  }

  /** Which values are sealed. Reading rejects unsealed ones where they should be. */
  get sealing(): Sealing {
    return this.#sealing;
  }

  keepCurrent(wrapped: WrappedKeys): WrappedKeys {
    return keepCurrentDataKey(wrapped, this.source.secret());
  }

  get accountKey(): Uint8Array {
    return this.#account;
  }

  /**
   * Loads the stored keys if they have changed. Each write starts with this: nothing may be sealed with a key that
   * another process drops.
   * @throws DataDirectoryError when the secret key does not open them
   */
  refresh(): void {
    const now = this.source.stored();
    if (!now || this.#stored?.equals(now)) return;
    const wrapped = decodeValue(now) as WrappedKeys;
    const secret = this.source.secret();
    // With the former secret key in the environment, a process continues until its restart.
    if (isOnlyRewrapped(wrapped, secret, this.#keys)) return void (this.#stored = Buffer.from(now));
    const { data, account, sealing } = openKeys(wrapped, secret);
    this.#keys = new Map([...data].map(([number, key]) => [number, createSecretKey(key)]));
    this.#current = wrapped.current;
    this.#account = account;
    this.#sealing = sealing;
    this.#stored = Buffer.from(now);
  }

  isCurrent(value: Buffer, table: TableName): boolean {
    if (value.length === 0 || this.#isClear(table)) return true;
    const isMarked = holdsText(table) ? isPackedText(value[0], table) : value[0] === MARK;
    return isMarked && value.readUInt32BE(1) === this.#current;
  }

  /**
   * Returns the stored form of a content; empty content stays empty.
   * @param content a string only in tables of text
   * @param key together with the table, the only place where it opens
   * @param keep caches values that are read again soon
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
    if (keep) this.#addToCache(place, sealed, content);
    return sealed;
  }

  /** Compares a text with a graph's stored text, which is opened only if the lengths agree. */
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
   * Converts a graph's stored text for the history by taking off its tag: it need not be sealed again, and does not
   * open as a graph if it is put back.
   * @returns no tag for a text that opens without one
   */
  move(value: Buffer, path: string, key: string): { readonly moved: Buffer; readonly tag?: Uint8Array } {
    if (value[0] === CLEAR && this.#isClear('graphs')) return { moved: value };
    if (value[0] !== COUNTED || value.readUInt32BE(1) !== this.#current)
      return { moved: this.seal(this.open(value, 'graphs', path), 'history', key) };
    const { tag, rest } = takeTag(value, COUNTED_HEADER);
    rest[0] = MOVED;
    return { moved: rest, tag };
  }

  /** Opens a stored value. @param keep caches it for later reads @throws DataDirectoryError when it was altered */
  open(value: Buffer, table: TableName, key: string | number, keep = false): Buffer {
    const mark = value[0];
    const isPacked = isPackedText(mark, table);
    if (mark !== MARK && !isPacked) {
      if (value.length === 0) return value;
      if (this.#isClear(table)) return holdsText(table) ? uncompress(clearContent(value, table)) : value;
      throw this.#sealing === 'some' ? leftUnsealed(table) : damaged(table);
    }
    if (isPacked) return uncompress(this.#compressed(value, table, key));
    const place = `${table} ${key}`;
    const known = keep ? this.#cache.get(place) : undefined;
    if (known?.sealed.equals(value)) return known.content;
    const content = this.#unseal(value, table, place);
    if (keep) this.#addToCache(place, value, content);
    return content;
  }

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

  /** A change compares a text before storing it, so the last one is cached. */
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

  #compressed(value: Buffer, table: TableName, key: string | number): Buffer {
    if (value[0] === COMPRESSED) return this.#unseal(value, table, compressedPlace(table, key));
    if (value.length < COUNTED_HEADER) throw damaged(table);
    const lines = value.readUInt32BE(HEADER);
    if (value[0] === COUNTED) return this.#unseal(value, table, countedPlace(table, key, lines));
    const tag = this.source.tagOf(String(key));
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

  #addToCache(place: string, sealed: Buffer, content: Uint8Array): void {
    if (content.length > MAX_CACHED_BYTES) return;
    if (this.#cache.size >= MAX_CACHED)
      for (const oldest of [...this.#cache.keys()].slice(0, MAX_CACHED / 2)) this.#cache.delete(oldest);
    this.#cache.set(place, { sealed: ownBytes(sealed), content: ownBytes(content) });
  }
}

const leftUnsealed = (table: TableName): DataDirectoryError =>
  new DataDirectoryError(
    `A value of ${table} is not sealed, as version 0.2 left it: start version 0.26 on this directory once, which seals it.`,
  );

const damaged = (table: TableName, options?: ErrorOptions): DataDirectoryError =>
  new DataDirectoryError(`A value of ${table} is damaged; restore a backup.`, options);

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

// Authenticated with a text: its place and form. No table is called `compressed` or `counted`.
const compressedPlace = (table: TableName, key: string | number): string => `compressed ${table} ${key}`;
const countedPlace = (table: TableName, key: string | number, lines: number): string =>
  `counted ${lines} ${table} ${key}`;
