import { randomUUID } from 'node:crypto';
import { openDataDirectory } from './data-directory.js';
import { DataDirectoryError } from './data-directory-error.js';
import { bootId, isRunning, processStart } from './processes.js';

interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly start: string | undefined;
  readonly boot: string;
}

/**
 * Takes a data directory for serving. One process at a time can; what a killed one held is free at once, because the
 * entry names a process that no longer runs. Resolves to the function that gives it back.
 * @throws DataDirectoryError when another server runs on it, or as openDataDirectory does
 */
export async function holdForServing(dir: string): Promise<() => Promise<void>> {
  const directory = await openDataDirectory(dir);
  const me: Holder = { id: randomUUID(), pid: process.pid, start: processStart(process.pid), boot: bootId() };
  try {
    await directory.transact((tx) => {
      const other = tx.get('serving', 'holder') as Holder | undefined;
      if (other && isAlive(other)) {
        throw new DataDirectoryError(`Another server (process ${other.pid}) is running on ${directory.dir}.`);
      }
      tx.put('serving', 'holder', me);
    });
  } catch (error) {
    await directory.close();
    throw error;
  }
  let released = false;
  return async () => {
    if (released) return;
    released = true;
    await directory.transact((tx) => {
      if ((tx.get('serving', 'holder') as Holder | undefined)?.id === me.id) tx.remove('serving', 'holder');
    });
    await directory.close();
  };
}

function isAlive({ pid, start, boot }: Holder): boolean {
  if (boot !== bootId() || !isRunning(pid)) return false;
  return start === processStart(pid);
}
