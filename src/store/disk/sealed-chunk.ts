import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

// The STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár (2015) with AES-256-GCM. Nonces count the chunks of
// a file and mark the last, so chunks cannot be changed, dropped, reordered or added. Each file has its own key, so no
// nonce repeats.
const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const OPTIONS = { authTagLength: 16 };
export const CHUNK_TAG = 16;

/** Seals a chunk: content, then tag. @param place.header authenticated with each chunk */
export function sealChunk(
  key: KeyObject,
  content: Uint8Array,
  place: { readonly number: number; readonly isLast: boolean; readonly header: Uint8Array },
): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce(place.number, place.isLast)).setAAD(place.header);
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

/** Opens a chunk; undefined if it was not sealed for this place. */
export function openChunk(
  key: KeyObject,
  sealed: Buffer,
  place: { readonly number: number; readonly isLast: boolean; readonly header: Uint8Array },
): Buffer | undefined {
  if (sealed.length < CHUNK_TAG) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce(place.number, place.isLast), OPTIONS);
  decipher.setAAD(place.header).setAuthTag(sealed.subarray(sealed.length - CHUNK_TAG));
  const content = decipher.update(sealed.subarray(0, -CHUNK_TAG));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return content;
}

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(NONCE);
  bytes.writeUIntBE(number, NONCE - 7, 6);
  bytes[NONCE - 1] = isLast ? 1 : 0;
  return bytes;
}
