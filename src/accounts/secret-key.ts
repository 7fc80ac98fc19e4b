import { createHmac, createSecretKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { accountKeyOf } from '../disk/keyring.js';
import { KEY_BYTES, seal, unseal } from '../disk/sealing.js';
import { AccountError } from './account-error.js';

export { KEY_BYTES } from '../disk/sealing.js';

/** How many unsealed texts, and how many lookups, one key keeps at hand. */
const AT_HAND = 4096;

/** What protects the secrets of a data directory. */
export interface SecretKey {
  /**
   * Encrypts a text so that it opens only under the same identity: a sealed text that is copied to another
   * account, or to another field of the same one, is worthless there.
   * @param identity the place of the text, as `apps/ID/secret`
   */
  seal(text: string, identity: string): string;
  /** Gives back a sealed text. @throws AccountError when the key or the identity is another one */
  unseal(sealed: string, identity: string): string;
  /** A keyed digest of a text, 32 hexadecimal digits: finds a token without storing it. */
  lookup(text: string): string;
}

/** Makes a SecretKey of 32 random bytes, as that of a directory whose secret key was never changed. */
export function secretKey(bytes: Uint8Array): SecretKey {
  if (bytes.byteLength !== KEY_BYTES) throw new AccountError(`A secret key has ${KEY_BYTES} bytes.`);
  return accountKey(accountKeyOf(bytes));
}

/**
 * Makes a SecretKey of the two keys of accounts: AES-256-GCM with random 96-bit IVs, and HMAC-SHA256 for lookups.
 * @param bytes the two, one after the other
 */
export function accountKey(bytes: Uint8Array): SecretKey {
  if (bytes.byteLength !== 2 * KEY_BYTES)
    throw new AccountError(`The account key has ${2 * KEY_BYTES} bytes.`);
  const sealing = createSecretKey(bytes.subarray(0, KEY_BYTES));
  const lookup = createSecretKey(bytes.subarray(KEY_BYTES));

  // Keyed by the sealed text itself: what another process changes is another sealed text, so nothing kept
  // here can be out of date.
  const unsealed = new LRUCache<string, string>({
    max: AT_HAND,
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
  const lookups = new LRUCache<string, string>({
    max: AT_HAND,
    memoMethod: (text) => createHmac('sha256', lookup).update(text).digest('hex').slice(0, 32),
  });
  return {
    seal: (text, identity) => seal(sealing, Buffer.from(text), identity).toString('base64url'),
    unseal: (sealed, identity) => unsealed.memo(`${sealed} ${identity}`),
    lookup: (text) => lookups.memo(text),
  };
}
