import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryDowngradeLock, tryLock, tryUpgradeLock, unlock } from 'fs-native-extensions';

const FOLDER = 'locks';

export type FileLock = ReturnType<typeof openFileLock>;

/** Opens an advisory lock (Linux: F_OFD_SETLK, fcntl(2)): it ends with the process and works across PID namespaces. */
export function openFileLock(dir: string, name: string) {
  const folder = join(dir, FOLDER);
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fd = openSync(file, 'a+', 0o600);
  let open = true;
  return {
    try: (how: 'shared' | 'exclusive'): boolean => tryLock(fd, { shared: how === 'shared' }),
    /** Returns false, and keeps the shared lock, while others share it. */
    tryUpgrade: (): boolean => tryUpgradeLock(fd),
    downgrade: () => void tryDowngradeLock(fd),
    release: () => unlock(fd),
    /** The text that a holder has written into the file; '' if none. */
    read: (): string => readFileSync(file, 'utf8'),
    write: (text: string) => {
      ftruncateSync(fd);
      writeSync(fd, text);
    },
    close: () => {
      // A second close might hit another file with the same descriptor.
      if (open) closeSync(fd);
      open = false;
    },
  };
}
