import { DataDirectoryError } from './data-directory-error.js';
import { openFileLock, type FileLock } from './file-lock.js';
import { inspectDirectory } from './marker.js';
import { PATIENCE, patiently } from './patience.js';
import { isRunning, pidNamespace, processStart } from './processes.js';

/** What the file of the lock says of its holder. The lock is what counts; this is for sentences. */
interface Holder {
  readonly pid: number;
  readonly start: string | undefined;
  readonly namespace: string;
}

/**
 * Takes a data directory for serving. One process at a time can, on all containers that share the volume; what a killed
 * one held is free as soon as the kernel has closed its files, and its workers are gone. Resolves to the function
 * that gives it back.
 * @throws DataDirectoryError when another server runs on it, or when there is no data directory
 */
export async function holdForServing(dir: string): Promise<() => Promise<void>> {
  if ((await inspectDirectory(dir)) !== 'ready') {
    throw new DataDirectoryError(`There is no data directory at ${dir}.`);
  }
  const lock = openFileLock(dir, 'serving');
  try {
    await patiently(() => lock.try('exclusive'), {
      isAlive: () => isAlive(holderOf(lock)),
      waiting: () =>
        `The server before is still ending on ${dir}; waiting for it, at most ${PATIENCE / 1000} s.`,
      refusal: () => `Another server (${named(holderOf(lock))}) is running on ${dir}.`,
    });
    const me: Holder = { pid: process.pid, start: processStart(process.pid), namespace: pidNamespace() };
    lock.write(JSON.stringify(me));
    await untilWorkersAreGone(dir);
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => Promise.resolve(lock.close());
}

/**
 * Says that this process answers requests for the server that holds a data directory: no other begins before it has ended.
 * @returns what takes that back
 * @throws DataDirectoryError when the server that started it is gone and another one begins
 */
export function joinServing(dir: string): () => void {
  const lock = openFileLock(dir, 'workers');
  if (lock.try('shared')) return () => lock.close();
  lock.close();
  throw new DataDirectoryError(`Another server begins on ${dir}.`);
}

async function untilWorkersAreGone(dir: string): Promise<void> {
  const workers = openFileLock(dir, 'workers');
  try {
    await patiently(() => workers.try('exclusive'), {
      isAlive: () => false,
      waiting: () =>
        `Processes of the server before are still ending on ${dir}; waiting for them, at most ${PATIENCE / 1000} s.`,
      refusal: () => `Processes of another server are running on ${dir}.`,
    });
  } finally {
    workers.close();
  }
}

function holderOf(lock: FileLock): Holder | undefined {
  try {
    return Object(JSON.parse(lock.read())) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder | undefined): boolean {
  // Ids of another namespace say nothing here: its process may be alive or not.
  if (holder?.namespace !== pidNamespace() || !isRunning(holder.pid)) return false;
  return holder.start === processStart(holder.pid);
}

function named(holder: Holder | undefined): string {
  if (holder?.pid === undefined) return 'its process is not known';
  const where = holder.namespace === pidNamespace() ? '' : ' of another container';
  return `process ${holder.pid}${where}`;
}
