import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { open } from 'lmdb';
import { requireSpace } from './disk-space.js';
import { openFileLock } from './file-lock.js';
import { noticeOnStderr } from './lock.js';
import { processOfThread } from './processes.js';
import { closeToOthers } from './small-files.js';

export type Mutex = Awaited<ReturnType<typeof openMutex>>;

/** Opens a lock for the processes of one machine: the write lock of an empty LMDB environment. */
export async function openMutex(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  requireSpace(folder);
  const gate = openWriteGate(folder);
  try {
    const root = await gate.opening(() => {
      const opened = open({ path: folder, noSync: true, noSubdir: false, maxReaders: 512 });
      closeToOthers(folder);
      return opened;
    });
    return {
      run: <T>(work: () => T): T => root.transactionSync(work),
      close: () => gate.closing(() => root.close()),
    };
  } catch (error) {
    gate.close();
    throw error;
  }
}

const NOTICE_AFTER_MS = 5000;

// Layout of LMDB's lock file (MDB_txninfo): magic, format, number of the last transaction, and from byte 64 on the
// writers' mutex. glibc stores the owner thread of a robust mutex in the futex (with two flags, futex(2)) and again
// after it.
const at = { magic: 0, transaction: 8, futex: 64, owner: 72 };
const SIZE = 76;
const MAGIC = 0xbeefc0de;
const THREAD = 0x3fff_ffff;

/** Reports the holder of the write lock if it takes long. @returns a function to call once the lock is taken */
export function sayWhenLong(folder: string): () => void {
  const timer = setTimeout(() => noticeOnStderr(sentence(folder)), NOTICE_AFTER_MS);
  timer.unref();
  return () => clearTimeout(timer);
}

function sentence(folder: string): string {
  const thread = writerOf(folder);
  const pid = thread === undefined ? undefined : processOfThread(thread);
  const holder = pid === undefined ? 'a process that cannot be told' : `process ${pid}`;
  return `Still waiting for the write lock of ${folder}, which ${holder} holds.`;
}

/** Lock files by folder. Closing one drops all LMDB locks of this process on it (fcntl(2)), so they stay open. */
const lockFiles = new Map<string, number>();

const transaction = new BigUint64Array(1);

/** Returns the number of the last transaction. That from mdb_env_info runs ahead while a page is being synced. */
export function lastTransaction(folder: string): number {
  readSync(lockFileOf(folder), transaction, 0, transaction.byteLength, at.transaction);
  return Number(transaction[0]);
}

export function forgetLockFile(folder: string): void {
  const fd = lockFiles.get(folder);
  if (fd === undefined) return;
  lockFiles.delete(folder);
  closeSync(fd);
}

function lockFileOf(folder: string): number {
  const fd = lockFiles.get(folder) ?? openSync(join(folder, 'lock.mdb'), 'r');
  lockFiles.set(folder, fd);
  return fd;
}

function writerOf(folder: string): number | undefined {
  const bytes = Buffer.alloc(SIZE);
  try {
    if (readSync(lockFileOf(folder), bytes, 0, SIZE, 0) < SIZE) return undefined;
  } catch {
    return undefined;
  }
  const thread = bytes.readUInt32LE(at.futex) & THREAD;
  // Other C libraries lay out a mutex differently.
  const isKnown = bytes.readUInt32LE(at.magic) === MAGIC && bytes.readUInt32LE(at.owner) === thread;
  return isKnown && thread !== 0 ? thread : undefined;
}

const POLL = 2;

export type WriteGate = ReturnType<typeof openWriteGate>;

/**
 * Keeps openers of an LMDB environment apart from writers. Opening copies the last transaction number from the file
 * into shared memory (mdb_env_open2); a commit in between would be overwritten by the next transaction. `writing` runs
 * in this very turn unless a process is opening.
 */
export function openWriteGate(folder: string) {
  /** Held by an opener, also while it waits for writers; under load they would otherwise never be gone. */
  const turn = openFileLock(folder, 'turn');
  const writers = openFileLock(folder, 'writers');
  const close = (): void => {
    turn.close();
    writers.close();
  };
  let writersInside = 0;
  const enter = (): boolean => {
    if (!turn.try('shared')) return false;
    const isEntered = writersInside > 0 || writers.try('shared');
    if (isEntered) writersInside++;
    turn.release();
    return isEntered;
  };
  return {
    async opening<T>(open: () => T): Promise<T> {
      const got = sayWhenLong(folder);
      try {
        while (!turn.try('exclusive')) await wait(POLL);
        while (!writers.try('exclusive')) await wait(POLL);
        return open();
      } finally {
        got();
        writers.release();
        turn.release();
      }
    },
    async writing<T>(work: () => T | Promise<T>): Promise<T> {
      while (!enter()) await wait(POLL);
      try {
        return await work();
      } finally {
        if (--writersInside === 0) writers.release();
      }
    },
    /**
     * Closes the environment, then this gate. The last user of an environment destroys its mutexes
     * (mdb_env_close_active); a process that opened it in between would keep the destroyed ones.
     */
    async closing(closeEnvironment: () => Promise<void>): Promise<void> {
      try {
        while (!turn.try('exclusive')) await wait(POLL);
        await closeEnvironment();
      } finally {
        close();
      }
    },
    close,
  };
}
