import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Room for some ten thousand entries. */
const BYTES = 4 * 1024 * 1024;

/** A file that keeps room on the disk: when that is full, reads can still be recorded, and so be answered, for a while. */
export interface Reserve {
  /** Runs `work`; where it fails for want of room, gives the room free and runs it once more. */
  orElse(work: () => void): void;
}

/** The reserve of a folder, made again as soon as there is room when the log is next opened. */
export function openReserve(folder: string): Reserve {
  const file = join(folder, 'reserve');
  if (!existsSync(file)) makeReserve(file);
  return {
    orElse(work) {
      try {
        work();
      } catch (error) {
        if (!isFull(error) || !existsSync(file)) throw error;
        rmSync(file, { force: true });
        work();
      }
    },
  };
}

function makeReserve(file: string): void {
  const fd = openSync(file, 'w', 0o600);
  try {
    writeSync(fd, Buffer.alloc(BYTES));
  } catch (error) {
    rmSync(file, { force: true });
    if (!isFull(error)) throw error;
  } finally {
    closeSync(fd);
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
