import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putFile } from './disk/put-file.js';

/** Which ontologies and queries passed every check before. */
export interface CheckedModels {
  /** Whether the model with this digest did. */
  has(digest: string): Promise<boolean>;
  /** Keeps that it did. */
  add(digest: string): Promise<void>;
}

/**
 * What a data directory keeps of the last model that it was served with, in a file of its own. Checking takes longer
 * than all else at a start, and the same bytes give the same result. Only who has the account key can write it.
 * @param version of the program: another one may check more
 */
export function checkedModels(data: string, accountKey: Uint8Array, version: string): CheckedModels {
  const file = join(data, 'checked-model');
  const sign = (digest: string): Buffer =>
    createHmac('sha256', accountKey).update(`checked model\0${version}\0${digest}`).digest();
  return {
    has: async (digest) => {
      const kept = await readFile(file, 'utf8').catch(() => '');
      const found = Buffer.from(kept.trim(), 'base64url');
      const wanted = sign(digest);
      return found.length === wanted.length && timingSafeEqual(found, wanted);
    },
    add: (digest) => putFile(file, `${sign(digest).toString('base64url')}\n`),
  };
}
