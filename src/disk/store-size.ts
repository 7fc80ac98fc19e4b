import { statSync } from 'node:fs';
import { join } from 'node:path';

/** How large the primary store of a data directory is on disk, in bytes. */
export function storeSize(dir: string): number {
  return statSync(join(dir, 'store', 'data.mdb')).size;
}
