import { randomBytes, randomInt } from 'node:crypto';
import { DataDirectoryError } from './data-directory-error.js';
import { deriveKey, KEY_BYTES, seal, unseal } from './sealing.js';

/**
 * The stored keys of a data directory. Data keys seal values. The account key seals account secrets once more and
 * indexes tokens. The secret key wraps each of them; during a key change, two secret keys do.
 */
export interface WrappedKeys {
  readonly current: number;
  /** Whether values may exist that another data key sealed. */
  readonly pending: boolean;
  readonly wraps: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Which values are sealed: `all`; only `accounts`, with records in the clear; or `some`, for keys from before 0.9 until
 * all values have been checked.
 */
export type Sealing = 'all' | 'accounts' | 'some';

interface Keys {
  readonly data: ReadonlyMap<number, Buffer>;
  readonly account: Buffer;
  readonly sealing: Sealing;
}

const ACCOUNT = 'account';
/** Authenticated with the account key, so that only a holder of the secret key can set it. */
const accountPlaces: Readonly<Record<Sealing, string>> = {
  all: `key ${ACCOUNT}, all sealed`,
  accounts: `key ${ACCOUNT}, accounts sealed`,
  some: `key ${ACCOUNT}`,
};
const WRONG_KEY =
  'The secret key is not the one that sealed the secrets of this data directory; put back its secret.key file or CHARTGRAPH_SECRET_KEY.';

export function keyId(secret: Uint8Array): string {
  return deriveKey(secret, 'key id').export().toString('hex').slice(0, 16);
}

/** Derives the keys of accounts, for sealing and lookup, from a secret key: 64 bytes. */
export function accountKeyOf(secret: Uint8Array): Buffer {
  return Buffer.concat(['sealing', 'lookup'].map((use) => deriveKey(secret, use).export()));
}

export function firstKeys(secret: Uint8Array, sealing: Sealing): WrappedKeys {
  const current = newNumber();
  const data = new Map([[current, randomBytes(KEY_BYTES)]]);
  const keys = { data, account: accountKeyOf(secret), sealing };
  return { current, pending: false, wraps: { [keyId(secret)]: wrap(secret, keys) } };
}

/** Adds a secret key that can open all keys. @throws DataDirectoryError when `old` is wrong */
export function addSecret(wrapped: WrappedKeys, old: Uint8Array, fresh: Uint8Array): WrappedKeys {
  return {
    ...wrapped,
    wraps: { ...wrapped.wraps, [keyId(fresh)]: wrap(fresh, openKeys(wrapped, old)) },
  };
}

/** Drops all secret keys but one. */
export function keepSecret(wrapped: WrappedKeys, secret: Uint8Array): WrappedKeys {
  const id = keyId(secret);
  const kept = wrapped.wraps[id];
  if (!kept) throw new DataDirectoryError(WRONG_KEY);
  return { ...wrapped, wraps: { [id]: kept } };
}

/** Tells whether the keys were only wrapped again: this secret key no longer opens them, and all data keys are known. */
export function isOnlyRewrapped(
  { wraps }: WrappedKeys,
  secret: Uint8Array,
  known: ReadonlyMap<number, unknown>,
): boolean {
  const isKnown = (name: string): boolean => name === ACCOUNT || known.has(Number(name));
  return !wraps[keyId(secret)] && Object.values(wraps).every((keys) => Object.keys(keys).every(isKnown));
}

/** Adds a data key and makes it current. @throws DataDirectoryError for a wrong secret key */
export function addDataKey(wrapped: WrappedKeys, secret: Uint8Array): WrappedKeys {
  const known = openKeys(wrapped, secret);
  const current = newNumber();
  const keys = { ...known, data: new Map([...known.data, [current, randomBytes(KEY_BYTES)]]) };
  return { current, pending: true, wraps: { [keyId(secret)]: wrap(secret, keys) } };
}

/** Drops the other data keys and marks everything as sealed. @throws DataDirectoryError for a wrong secret key */
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

export function withAccountKey(wrapped: WrappedKeys, secret: Uint8Array, account: Buffer): WrappedKeys {
  const keys = { ...openKeys(wrapped, secret), account };
  return { ...wrapped, wraps: { [keyId(secret)]: wrap(secret, keys) } };
}

/** @throws DataDirectoryError for a wrong secret key */
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

function wrap(secret: Uint8Array, { data, account, sealing }: Keys): Record<string, string> {
  const wrapping = deriveKey(secret, 'wrapping');
  const wrapped = (key: Buffer, place: string): string => seal(wrapping, key, place).toString('base64url');
  return {
    [ACCOUNT]: wrapped(account, accountPlaces[sealing]),
    ...Object.fromEntries([...data].map(([number, key]) => [number, wrapped(key, `key ${number}`)])),
  };
}

/** Random, so that a restored directory never uses a number for two keys. */
function newNumber(): number {
  return randomInt(1, 2 ** 32);
}
