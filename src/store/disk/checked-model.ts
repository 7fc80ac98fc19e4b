import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedModels, Plans } from '../../model/read-model.js';
import { putFile } from './small-files.js';

/**
 * Opens the file in which a data directory caches the check of the last model it was served with: checking dominates
 * start-up time, and the same bytes give the same result. Signed with the account key, so nobody else can forge it.
 * @param version of the program: another version may check more
 */
export function checkedModels(data: string, accountKey: Uint8Array, version: string): CheckedModels {
  const file = join(data, 'checked-model');
  const sign = (digest: string, plans: string): Buffer =>
    createHmac('sha256', accountKey).update(`checked model\0${version}\0${digest}\0${plans}`).digest();
  return {
    last: async () => {
      const [signature = '', text = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
      const storedSignature = Buffer.from(signature, 'base64url');
      const plans = plansIn(text);
      const isOf = (digest: string): boolean => {
        const wanted = sign(digest, text);
        return storedSignature.length === wanted.length && timingSafeEqual(storedSignature, wanted);
      };
      return plans && { plans, isOf };
    },
    add: ({ digest, plans }) => {
      const text = JSON.stringify(plans);
      return putFile(file, `${sign(digest, text).toString('base64url')}\n${text}\n`);
    },
  };
}

function plansIn(text: string): Plans | undefined {
  try {
    return JSON.parse(text) as Plans;
  } catch {
    return undefined;
  }
}
