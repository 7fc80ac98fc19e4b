import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  type KeyObject,
} from 'node:crypto';

export const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
export const SEAL_BYTES = IV_BYTES + TAG_BYTES;
const NOTHING = Buffer.alloc(0);
const OPTIONS = { authTagLength: TAG_BYTES };

/** Derives a key for one use from a secret (RFC 5869, SHA-256). */
export function deriveKey(secret: Uint8Array, use: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `chartgraph ${use}`, KEY_BYTES)));
}

/** Seals with AES-256-GCM (NIST SP 800-38D) and a random IV: header, IV, tag, content. Opens only in its place. */
export function seal(
  key: KeyObject,
  content: Uint8Array,
  place: string,
  header: Uint8Array = NOTHING,
): Buffer {
  const iv = freshIv();
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
  const sealed = cipher.update(content);
  cipher.final();
  return Buffer.concat([header, iv, cipher.getAuthTag(), sealed]);
}

/** Splits a seal into its tag and the rest; neither opens alone. @param start offset of the seal */
export function takeTag(sealed: Uint8Array, start: number): { readonly tag: Buffer; readonly rest: Buffer } {
  const tagStart = start + IV_BYTES;
  const rest = Buffer.allocUnsafe(sealed.length - TAG_BYTES);
  rest.set(sealed.subarray(0, tagStart));
  rest.set(sealed.subarray(tagStart + TAG_BYTES), tagStart);
  return { tag: Buffer.from(sealed.subarray(tagStart, tagStart + TAG_BYTES)), rest };
}

export function putTag(rest: Uint8Array, start: number, tag: Uint8Array): Buffer {
  const tagStart = start + IV_BYTES;
  return Buffer.concat([rest.subarray(0, tagStart), tag, rest.subarray(tagStart)]);
}

/** @throws Error when the key, the place or a bit differs */
export function unseal(key: KeyObject, sealed: Uint8Array, place: string): Buffer {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(CIPHER, key, iv, OPTIONS);
  decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(IV_BYTES, SEAL_BYTES));
  const content = decipher.update(sealed.subarray(SEAL_BYTES));
  decipher.final();
  return content;
}

// One call for many IVs: a call costs more than twelve bytes do.
const pool = Buffer.alloc(IV_BYTES * 512);
let next = pool.length;

function freshIv(): Buffer {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  return pool.subarray(next, (next += IV_BYTES));
}
