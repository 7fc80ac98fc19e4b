import { statfsSync } from 'node:fs';
import { freemem } from 'node:os';

const FOLDER = '/dev/shm';
/** What a whole run writes, several times over. */
const ROOM = 6 * 2 ** 30;

/**
 * Where tests write faster than to a disk, which each commit waits for; no test needs what it wrote after the machine
 * has stopped. Undefined where the system has no such folder, or too little memory for it.
 */
export function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(FOLDER);
    return Math.min(bavail * bsize, process.constrainedMemory() || Infinity, freemem()) > ROOM
      ? FOLDER
      : undefined;
  } catch {
    return undefined;
  }
}
