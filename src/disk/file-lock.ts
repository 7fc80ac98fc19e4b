import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryDowngradeLock, tryLock, tryUpgradeLock, unlock } from 'fs-native-extensions';

/** Where the files that are locked stand in a data directory. */
const FOLDER = 'locks';

/**
 * An advisory lock of the operating system on a file (Linux: F_OFD_SETLK, fcntl(2)). It belongs to the open file: it
 * ends with the process, however that ends, and means the same in every PID namespace.
 */
export interface FileLock {
  /** Takes the lock unless another open file stands in the way. */
  try(how: 'shared' | 'exclusive'): boolean;
  /** From shared to exclusive; false, and still shared, when others share it. */
  tryUpgrade(): boolean;
  /** From exclusive to shared. */
  downgrade(): void;
  /** Gives the lock back and keeps the file open. */
  release(): void;
  /** What a holder has written into the file; '' when nothing. */
  read(): string;
  /** Writes into the file who holds it, for people and for those who wait. */
  write(text: string): void;
  /** Gives the lock back, and closes the file; a second time does nothing. */
  close(): void;
}

/** Opens a file for locking, and makes it where there is none. @throws Error of the file system */
export function openFileLock(dir: string, name: string): FileLock {
  const folder = join(dir, FOLDER);
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fd = openSync(file, 'a+', 0o600);
  let open = true;
  return {
    try: (how) => tryLock(fd, { shared: how === 'shared' }),
    tryUpgrade: () => tryUpgradeLock(fd),
    downgrade: () => void tryDowngradeLock(fd),
    release: () => unlock(fd),
    read: () => readFileSync(file, 'utf8'),
    write: (text) => {
      ftruncateSync(fd);
      writeSync(fd, text);
    },
    close: () => {
      // The number may be another file's by the second time.
      if (open) closeSync(fd);
      open = false;
    },
  };
}
