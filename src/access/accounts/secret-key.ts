import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { accountKeyOf } from '../../store/disk/keyring.js';
import { KEY_BYTES, seal, unseal } from '../../store/disk/sealing.js';
import { AccountError } from './account-ids.js';
import { readSecretKey, type Variables } from '../../store/disk/key-file.js';
import type { DataDirectory, ReadTx, WriteTx } from '../../store/disk/data-directory.js';

export { KEY_BYTES } from '../../store/disk/sealing.js';

const MAX_CACHED = 4096;
/** Longer texts come from outside alone, and would fill the memory. */
const MAX_REMEMBERED = 200;

export type SecretKey = ReturnType<typeof accountKey>;

/** Makes the key from 32 random bytes, for a directory whose secret key was never changed. */
export function secretKey(bytes: Uint8Array): SecretKey {
  if (bytes.byteLength !== KEY_BYTES) throw new AccountError(`A secret key has ${KEY_BYTES} bytes.`);
  return accountKey(accountKeyOf(bytes));
}

/** Makes the key from the two account keys: AES-256-GCM with random 96-bit IVs, and HMAC-SHA256 for lookups. */
export function accountKey(bytes: Uint8Array) {
  if (bytes.byteLength !== 2 * KEY_BYTES)
    throw new AccountError(`The account key has ${2 * KEY_BYTES} bytes.`);
  const sealing = createSecretKey(bytes.subarray(0, KEY_BYTES));
  const lookup = createSecretKey(bytes.subarray(KEY_BYTES));

  // The sealed text is the cache key, so entries never go stale.
  const unsealed = new LRUCache<string, string>({
    max: MAX_CACHED,
    memoMethod: (placed) => {
      const border = placed.indexOf(' ');
      try {
        return unseal(
          sealing,
          Buffer.from(placed.slice(0, border), 'base64url'),
          placed.slice(border + 1),
        ).toString();
      } catch (cause) {
        throw new AccountError(
          'A stored secret cannot be opened: the secret key is not the one that sealed it, or the data is damaged.',
          { cause },
        );
      }
    },
  });
  const digest = (text: string): string =>
    createHmac('sha256', lookup).update(text).digest('hex').slice(0, 32);
  const lookups = new LRUCache<string, string>({ max: MAX_CACHED, memoMethod: digest });
  return {
    /** Seals a text under an identity, such as `apps/ID/secret`: a copy under another identity cannot be opened. */
    seal: (text: string, identity: string) =>
      seal(sealing, Buffer.from(text), identity).toString('base64url'),
    /** @throws AccountError for another key or identity */
    unseal: (sealed: string, identity: string) => unsealed.memo(`${sealed} ${identity}`),
    /** A keyed digest of 32 hexadecimal digits, which finds a token that is not stored. */
    lookup: (text: string) => (text.length > MAX_REMEMBERED ? digest(text) : lookups.memo(text)),
  };
}

export { KEY_FILE } from '../../store/disk/key-file.js';

/** Loads the key of a directory whose secret key was never changed; `keyOf` in accounts.ts handles every directory. */
export async function loadSecretKey(
  dir: string,
  env: Variables,
  options: { create?: boolean } = {},
): Promise<SecretKey> {
  return secretKey(await readSecretKey(dir, env, options));
}

export interface Vault {
  readonly directory: DataDirectory;
  readonly key: SecretKey;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

const KEY_CHECK = 'secret-key-check';

/**
 * Ties a data directory to its key: the first call stores a sealed mark, and later calls check it. Call it in every
 * transaction that seals.
 * @throws AccountError for another key
 */
export function holdToKey(tx: WriteTx, key: SecretKey): void {
  if (tx.get('meta', KEY_CHECK) === undefined) tx.put('meta', KEY_CHECK, key.seal(KEY_CHECK, KEY_CHECK));
  else checkKey(tx, key);
}

/** @throws AccountError when secrets of this data directory were sealed with another key */
export function checkKey(tx: ReadTx, key: SecretKey): void {
  const mark = tx.get('meta', KEY_CHECK);
  if (mark === undefined) return;
  try {
    key.unseal(String(mark), KEY_CHECK);
  } catch (cause) {
    throw new AccountError(
      'The secret key is not the one that sealed the secrets of this data directory; put back its secret.key file or CHARTGRAPH_SECRET_KEY.',
      { cause },
    );
  }
}
