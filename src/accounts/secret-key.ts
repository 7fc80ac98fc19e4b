import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AccountError } from './account-error.js';

/** Length of a secret key in bytes. */
export const KEY_BYTES = 32;

const IV_BYTES = 12;
const TAG_BYTES = 16;
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

/**
 * Makes a SecretKey (AES-256-GCM with random 96-bit IVs, HMAC-SHA256 for lookups) of 32 random bytes. The two
 * uses have keys of their own, derived by HKDF (RFC 5869).
 */
export function secretKey(bytes: Uint8Array): SecretKey {
  if (bytes.byteLength !== KEY_BYTES) throw new AccountError(`A secret key has ${KEY_BYTES} bytes.`);
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', bytes, '', `chartgraph ${use}`, KEY_BYTES));
  const sealing = derive('sealing');
  const diagnostic = derive('lookup');

  // Keyed by the sealed text itself: what another process changes is another sealed text, so nothing kept
  // here can be out of date.
  const unsealed = new LRUCache<string, string>({
    max: AT_HAND,
    memoMethod: (placed) => {
      const border = placed.indexOf(' ');
      return open(sealing, placed.slice(0, border), placed.slice(border + 1));
    },
  });
  const lookups = new LRUCache<string, string>({
    max: AT_HAND,
    memoMethod: (text) => createHmac('sha256', diagnostic).update(text).digest('hex').slice(0, 32),
  });
  return {
    seal(text, identity) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      cipher.setAAD(Buffer.from(identity));
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url');
    },
    unseal: (sealed, identity) => unsealed.memo(`${sealed} ${identity}`),
    lookup: (text) => lookups.memo(text),
  };
}

function open(key: Buffer, sealed: string, identity: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(identity));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch (cause) {
    throw new AccountError(
      'A stored secret cannot be opened: the secret key is not the one that sealed it, or the data is damaged.',
      { cause },
    );
  }
}
