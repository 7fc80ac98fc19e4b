import { createSecretKey, type KeyObject } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.js';
import { openKeys, type WrappedKeys } from './keyring.js';
import { seal, unseal } from './sealing.js';

// A sealed value is a mark, the number of its data key (four bytes), and what `seal` gives. Neither MessagePack nor
// UTF-8 has anything that begins with this byte, so values of before 0.3, which are not sealed, can be told.
const MARK = 0xc1;
const HEADER = 5;
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

/** Seals and opens the values of one environment. */
export class SealedValues {
  readonly #source: KeySource;
  #keys = new Map<number, KeyObject>();
  #current = 0;
  #header = Buffer.alloc(HEADER);
  #account: Buffer = Buffer.alloc(0);
  #stored: Buffer | undefined;
  readonly #kept = new Map<string, { readonly sealed: Buffer; readonly content: Buffer }>();

  constructor(source: KeySource) {
    this.#source = source;
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
    this.#header = Buffer.alloc(HEADER, MARK);
    this.#header.writeUInt32BE(wrapped.current, 1);
    this.#stored = Buffer.from(now);
  }

  /** Whether a stored value is sealed with the key that seals now. */
  isCurrent(value: Uint8Array): boolean {
    return value[0] === MARK && this.#header.equals(value.subarray(0, HEADER));
  }

  /** @param table and @param key the place, where alone it opens */
  seal(content: Uint8Array, table: string, key: string | number): Buffer {
    const sealing = this.#keys.get(this.#current);
    if (!sealing) throw new Error('There is no key to seal with.');
    return Buffer.concat([this.#header, seal(sealing, content, `${table} ${key}`)]);
  }

  /**
   * The content of a stored value.
   * @param keep for values that are read over and over
   * @throws DataDirectoryError when a bit of it is not as it was written
   */
  open(value: Buffer, table: string, key: string | number, keep = false): Buffer {
    if (value[0] !== MARK) return value;
    const place = `${table} ${key}`;
    const known = keep ? this.#kept.get(place) : undefined;
    if (known?.sealed.equals(value)) return known.content;
    const number = value.readUInt32BE(1);
    if (!this.#keys.has(number)) this.refresh();
    const sealing = this.#keys.get(number);
    let content: Buffer;
    try {
      if (!sealing) throw new Error('its key is not there');
      content = unseal(sealing, value.subarray(HEADER), place);
    } catch (cause) {
      throw new DataDirectoryError(`A value of ${table} is damaged; restore a backup.`, { cause });
    }
    if (keep) this.#keep(place, value, content);
    return content;
  }

  #keep(place: string, sealed: Buffer, content: Buffer): void {
    // A Map iterates in order of insertion: its first key has been there for longest.
    if (this.#kept.size >= KEPT)
      for (const oldest of [...this.#kept.keys()].slice(0, KEPT / 2)) this.#kept.delete(oldest);
    this.#kept.set(place, { sealed, content });
  }
}
