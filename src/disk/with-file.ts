import { closeSync, openSync } from 'node:fs';

/** Opens a file, runs `work` and closes it; undefined where there is no such file. */
export function withFile<T>(file: string, work: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}
