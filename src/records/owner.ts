import type { WriteTx } from '../store/disk/data-directory.js';
import { Problem } from '../model/problem.js';

/** Requires the record or user of a path to exist when a write commits. @throws Problem not-found */
export function requireOwner(tx: WriteTx, path: string): void {
  const owner = path.split('/').slice(0, 3).join('/');
  if (!tx.has('graphs', owner)) throw new Problem('not-found', 'There is no such record or user.');
}
