import { setTimeout as wait } from 'node:timers/promises';
import { DataDirectoryError } from './data-directory-error.js';
import { type FileLock, openFileLock } from './file-lock.js';
import { inspectDirectory } from './marker.js';
import { isRunning, pidNamespace, processStart } from './processes.js';

/**
 * Registers this process as a user of a data directory. Only one PID namespace may use it at a time: LMDB identifies
 * readers and writers by process and thread ids, which may coincide between containers. The users share a lock whose
 * file names their namespace.
 * @returns a function that ends the use
 * @throws DataDirectoryError when processes of another container use the directory
 */
export async function enterDirectory(dir: string): Promise<() => void> {
  const entrance = openFileLock(dir, 'entrance');
  const users = openFileLock(dir, 'users');
  const namespace = pidNamespace();
  let obstacle = 'is being opened by another process';
  const join = (): boolean => {
    // One at a time, so that nobody takes the lock between reading and changing its file.
    if (!entrance.try('exclusive')) return false;
    try {
      obstacle = 'is in use in another container (PID namespace)';
      if (!users.try('shared')) return false;
      if (users.read() === namespace) return true;
      if (!users.tryUpgrade()) {
        users.release();
        return false;
      }
      users.write(namespace);
      users.downgrade();
      return true;
    } finally {
      entrance.release();
    }
  };
  try {
    await waitForLock(join, {
      waiting: () => `${dir} ${obstacle}; waiting for it, at most ${MAX_WAIT_MS / 1000} s.`,
      refusal: () => `${dir} ${obstacle}: run the command there, or stop what runs there.`,
    });
  } catch (error) {
    users.close();
    throw error;
  } finally {
    entrance.close();
  }
  return () => users.close();
}

/** Prints one line for the person at the terminal, or the log. */
export function noticeOnStderr(sentence: string): void {
  process.stderr.write(`chartgraph: ${sentence}\n`);
}

const MAX_WAIT_MS = 10_000;
/** Shorter for a process that looks alive: the kernel may not have carried out a SIGKILL yet. */
const MAX_WAIT_ALIVE_MS = 1000;
const NOTICE_AFTER_MS = 300;
const POLL = 20;

interface Obstacle {
  readonly isAlive?: () => boolean;
  readonly waiting: () => string;
  readonly refusal: () => string;
}

/** Retries until `attempt` succeeds; reports a long wait. @throws DataDirectoryError with `refusal` on timeout */
export async function waitForLock(attempt: () => boolean, obstacle: Obstacle): Promise<void> {
  const began = performance.now();
  for (let isReported = false; !attempt(); await wait(POLL)) {
    const waited = performance.now() - began;
    const isAlive = obstacle.isAlive?.() ?? false;
    if (waited > (isAlive ? MAX_WAIT_ALIVE_MS : MAX_WAIT_MS))
      throw new DataDirectoryError(obstacle.refusal());
    if (isAlive || isReported || waited < NOTICE_AFTER_MS) continue;
    noticeOnStderr(obstacle.waiting());
    isReported = true;
  }
}

interface Holder {
  readonly pid: number;
  readonly start: string | undefined;
  readonly namespace: string;
}

/**
 * Takes a data directory for serving: one process at a time, across all containers that share the volume, once the
 * workers of the previous one are gone.
 * @returns a function that releases it
 * @throws DataDirectoryError when another server runs on it, or there is no data directory
 */
export async function holdForServing(dir: string): Promise<() => Promise<void>> {
  if ((await inspectDirectory(dir)) !== 'ready') {
    throw new DataDirectoryError(`There is no data directory at ${dir}.`);
  }
  const lock = openFileLock(dir, 'serving');
  try {
    await waitForLock(() => lock.try('exclusive'), {
      isAlive: () => isAlive(holderOf(lock)),
      waiting: () =>
        `The server before is still ending on ${dir}; waiting for it, at most ${MAX_WAIT_MS / 1000} s.`,
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
 * Registers this process as a worker of the server that holds a data directory: no other server starts before it ends.
 * @returns a function that ends this
 * @throws DataDirectoryError when another server is starting
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
    await waitForLock(() => workers.try('exclusive'), {
      waiting: () =>
        `Processes of the server before are still ending on ${dir}; waiting for them, at most ${MAX_WAIT_MS / 1000} s.`,
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
  // Process ids of another namespace mean nothing here.
  if (holder?.namespace !== pidNamespace() || !isRunning(holder.pid)) return false;
  return holder.start === processStart(holder.pid);
}

function named(holder: Holder | undefined): string {
  if (holder?.pid === undefined) return 'its process is not known';
  const where = holder.namespace === pidNamespace() ? '' : ' of another container';
  return `process ${holder.pid}${where}`;
}
