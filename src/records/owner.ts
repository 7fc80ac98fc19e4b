import type { WriteTx } from '../disk/data-directory.js';
import { Problem } from '../problem.js';

/**
 * Makes sure, inside the transaction of a write, that what the written path lies in (the record, the user) is still
 * there: nothing may be stored beneath something that was removed a moment ago.
 * @param path a path below the base URL, as `/records/1/apps/a/scratchpad`
 * @throws Problem not-found
 */
export function requireOwner(tx: WriteTx, path: string): void {
  const owner = path.split('/').slice(0, 3).join('/');
  if (!tx.has('graphs', owner)) throw new Problem('not-found', 'There is no such record or user.');
}
