import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal digits. */
export function hexDigest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
