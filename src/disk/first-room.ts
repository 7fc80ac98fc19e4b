import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More than the first pages of an environment, its tables, and the file of its locks take. */
const FIRST_BYTES = 256 * 1024;

/**
 * Looks whether there is room for a new LMDB environment in a folder; one that is there already needs none. LMDB makes
 * the file of its locks without blocks and writes to it as to memory: where the disk has none for it, the system ends
 * the process (SIGBUS), and a first page that cannot be written ends it as well (SIGSEGV). So that is found out before.
 * @throws what the file system says
 */
export function requireFirstRoom(folder: string): void {
  const isThere = (name: string): boolean =>
    (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (isThere('data.mdb') && isThere('lock.mdb')) return;
  const file = join(folder, `room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(FIRST_BYTES), { flush: true, mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}
