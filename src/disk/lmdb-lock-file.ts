import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { notice } from './notice.js';
import { processOfThread } from './processes.js';

/** Who waits longer for the write lock of an environment, in milliseconds, says who holds it. */
const LONG = 5000;

// The layout of LMDB's lock file (MDB_txninfo): magic, format, the number of the last transaction, and from byte 64 on
// the mutex of writers. Of a robust mutex, glibc keeps the owner's thread in the futex (with two flags of the kernel's,
// futex(2)) and once more.
const at = { magic: 0, transaction: 8, futex: 64, owner: 72 };
const SIZE = 76;
const MAGIC = 0xbeefc0de;
const THREAD = 0x3fff_ffff;

/** Says after a while who holds the write lock of an environment. @returns what to call when it has been got */
export function sayWhenLong(folder: string): () => void {
  const timer = setTimeout(() => notice(sentence(folder)), LONG);
  timer.unref();
  return () => clearTimeout(timer);
}

function sentence(folder: string): string {
  const thread = writerOf(folder);
  const pid = thread === undefined ? undefined : processOfThread(thread);
  const holder = pid === undefined ? 'a process that cannot be told' : `process ${pid}`;
  return `Still waiting for the write lock of ${folder}, which ${holder} holds.`;
}

/**
 * Lock files that were read, by folder. They stay open as long as their environment: closing a file ends all locks that
 * LMDB's fcntl(2) has given this process on it, and then the next one to open the environment would begin it anew.
 */
const lockFiles = new Map<string, number>();

const transaction = new BigUint64Array(1);

/**
 * The number of the last transaction in the open environment of a folder, whoever committed it, as whoever begins to
 * read finds it. What mdb_env_info gives is that of the file: it is ahead of this as long as the last page is being
 * synced, and what is read then is still the state before.
 */
export function lastTransaction(folder: string): number {
  readSync(lockFileOf(folder), transaction, 0, transaction.byteLength, at.transaction);
  return Number(transaction[0]);
}

/** Lets go of a lock file, when its environment is closed. */
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

/** The thread that holds the write lock; undefined when none does, or the system does not say. */
function writerOf(folder: string): number | undefined {
  const bytes = Buffer.alloc(SIZE);
  try {
    if (readSync(lockFileOf(folder), bytes, 0, SIZE, 0) < SIZE) return undefined;
  } catch {
    return undefined;
  }
  const thread = bytes.readUInt32LE(at.futex) & THREAD;
  // Other C libraries arrange a mutex in other ways.
  const isKnown = bytes.readUInt32LE(at.magic) === MAGIC && bytes.readUInt32LE(at.owner) === thread;
  return isKnown && thread !== 0 ? thread : undefined;
}
