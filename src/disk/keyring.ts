import { randomBytes, randomInt } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.js';
import { deriveKey, KEY_BYTES, seal, unseal } from './sealing.js';

/**
 * The keys of a data directory, as they stand in the store. Data keys seal values; the account key, which seals
 * secrets of accounts once more and finds tokens, is derived once. Each is wrapped by the secret key, and by two of
 * them while that is being changed.
 */
export interface WrappedKeys {
  /** The number of the data key that seals what is written. */
  readonly current: number;
  /** Values may be there that it did not seal: of another data key, or not sealed at all. */
  readonly pending: boolean;
  /** By the id of a secret key: wrapped keys by name. */
  readonly wraps: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Which values are sealed: `all`; all `accounts`, and what records say is in the clear; or some are not yet. One that
 * should be and is not was put there by somebody without the secret key.
 */
export type Sealing = 'all' | 'accounts' | 'some';

/** The keys themselves. */
interface Keys {
  readonly data: ReadonlyMap<number, Buffer>;
  readonly account: Buffer;
  readonly sealing: Sealing;
}

const ACCOUNT = 'account';
/** What the account key is wrapped with says it, so that nobody without the secret key can say something else. */
const accountPlaces: Readonly<Record<Sealing, string>> = {
  all: `key ${ACCOUNT}, all sealed`,
  accounts: `key ${ACCOUNT}, accounts sealed`,
  some: `key ${ACCOUNT}`,
};
const WRONG_KEY =
  'The secret key is not the one that sealed the secrets of this data directory; put back its secret.key file or CHARTGRAPH_SECRET_KEY.';

/** What of a secret key may be told, and tells it from others. */
export function keyId(secret: Uint8Array): string {
  return deriveKey(secret, 'key id').export().toString('hex').slice(0, 16);
}

/** The keys of accounts, sealing and lookup, that come of a secret key: 64 bytes. */
export function accountKeyOf(secret: Uint8Array): Buffer {
  return Buffer.concat(['sealing', 'lookup'].map((use) => deriveKey(secret, use).export()));
}

/** The keys of a new directory, or of one that has not been sealed so far and holds values: `some`. */
export function firstKeys(secret: Uint8Array, sealing: Sealing): WrappedKeys {
  const current = newNumber();
  const data = new Map([[current, randomBytes(KEY_BYTES)]]);
  const keys = { data, account: accountKeyOf(secret), sealing };
  return { current, pending: sealing === 'some', wraps: { [keyId(secret)]: wrap(secret, keys) } };
}

/** Adds a secret key that opens all keys, beside those that do already. @throws DataDirectoryError for a wrong `old` one */
export function addSecret(wrapped: WrappedKeys, old: Uint8Array, fresh: Uint8Array): WrappedKeys {
  return {
    ...wrapped,
    wraps: { ...wrapped.wraps, [keyId(fresh)]: wrap(fresh, openKeys(wrapped, old)) },
  };
}

/** Leaves one secret key alone able to open the others. */
export function keepSecret(wrapped: WrappedKeys, secret: Uint8Array): WrappedKeys {
  const id = keyId(secret);
  const kept = wrapped.wraps[id];
  if (!kept) throw new DataDirectoryError(WRONG_KEY);
  return { ...wrapped, wraps: { [id]: kept } };
}

/** Whether a secret key opens nothing any more, and all that is wrapped are data keys that are known by their numbers. */
export function isOnlyRewrapped(
  { wraps }: WrappedKeys,
  secret: Uint8Array,
  known: ReadonlyMap<number, unknown>,
): boolean {
  const isKnown = (name: string): boolean => name === ACCOUNT || known.has(Number(name));
  return !wraps[keyId(secret)] && Object.values(wraps).every((keys) => Object.keys(keys).every(isKnown));
}

/** Adds a data key, which seals from now on; the others are still needed. @throws DataDirectoryError for a wrong key */
export function addDataKey(wrapped: WrappedKeys, secret: Uint8Array): WrappedKeys {
  const known = openKeys(wrapped, secret);
  const current = newNumber();
  const keys = { ...known, data: new Map([...known.data, [current, randomBytes(KEY_BYTES)]]) };
  return { current, pending: true, wraps: { [keyId(secret)]: wrap(secret, keys) } };
}

/**
 * Drops the data keys that seal nothing any more, and says that everything is sealed.
 * @throws DataDirectoryError for a wrong key
 */
export function keepCurrentDataKey(wrapped: WrappedKeys, secret: Uint8Array): WrappedKeys {
  const { current } = wrapped;
  const keys = openKeys(wrapped, secret);
  const sealed = wrap(secret, { ...keys, sealing: keys.sealing === 'accounts' ? 'accounts' : 'all' });
  const wraps = { ...wrapped.wraps, [keyId(secret)]: sealed };
  const names = [ACCOUNT, String(current)];
  const kept = Object.entries(wraps).map(([id, own]) => [
    id,
    Object.fromEntries(Object.entries(own).filter(([name]) => names.includes(name))),
  ]);
  return { current, pending: false, wraps: Object.fromEntries(kept) as WrappedKeys['wraps'] };
}

/** Puts another account key in the place of the one that is there: that of a backup. */
export function withAccountKey(wrapped: WrappedKeys, secret: Uint8Array, account: Buffer): WrappedKeys {
  const keys = { ...openKeys(wrapped, secret), account };
  return { ...wrapped, wraps: { [keyId(secret)]: wrap(secret, keys) } };
}

/** @throws DataDirectoryError when it is another secret key */
export function openKeys({ wraps }: WrappedKeys, secret: Uint8Array): Keys {
  const wrapped = wraps[keyId(secret)];
  if (!wrapped) throw new DataDirectoryError(WRONG_KEY);
  const wrapping = deriveKey(secret, 'wrapping');
  const open = (place: string, sealed: string): Buffer =>
    unseal(wrapping, Buffer.from(sealed, 'base64url'), place);
  const opens = (place: string, sealed: string): boolean => {
    try {
      return open(place, sealed).byteLength > 0;
    } catch {
      return false;
    }
  };
  try {
    const { [ACCOUNT]: account = '', ...data } = wrapped;
    const sealing =
      (['all', 'accounts'] as const).find((each) => opens(accountPlaces[each], account)) ?? 'some';
    return {
      account: open(accountPlaces[sealing], account),
      data: new Map(
        Object.entries(data).map(([name, sealed]) => [Number(name), open(`key ${name}`, sealed)]),
      ),
      sealing,
    };
  } catch (cause) {
    throw new DataDirectoryError('The keys of this data directory are damaged; restore a backup.', { cause });
  }
}

/** @throws DataDirectoryError when secrets of before 0.3 were sealed with another key; @param mark what says so */
export function checkOldMark(mark: unknown, secret: Uint8Array): void {
  if (mark === undefined) return;
  try {
    unseal(deriveKey(secret, 'sealing'), Buffer.from(String(mark), 'base64url'), 'secret-key-check');
  } catch (cause) {
    throw new DataDirectoryError(WRONG_KEY, { cause });
  }
}

function wrap(secret: Uint8Array, { data, account, sealing }: Keys): Record<string, string> {
  const wrapping = deriveKey(secret, 'wrapping');
  const wrapped = (key: Buffer, place: string): string => seal(wrapping, key, place).toString('base64url');
  return {
    [ACCOUNT]: wrapped(account, accountPlaces[sealing]),
    ...Object.fromEntries([...data].map(([number, key]) => [number, wrapped(key, `key ${number}`)])),
  };
}

/** Numbers are drawn, so that two histories of a directory do not give one to two keys. */
function newNumber(): number {
  return randomInt(1, 2 ** 32);
}
