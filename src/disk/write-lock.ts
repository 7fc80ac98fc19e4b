import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { notice } from './notice.js';
import { processOfThread } from './processes.js';

/** Who waits longer for the write lock of an environment, in milliseconds, says who holds it. */
const LONG = 5000;
const POLL = 50;

// The layout of LMDB's lock file: magic, format, the last transaction, and from byte 64 on the mutex of writers. Of a
// robust mutex, glibc keeps the owner's thread in the futex (with two flags of the kernel's, futex(2)) and once more.
const at = { magic: 0, transaction: 8, futex: 64, owner: 72 };
const SIZE = 76;
const MAGIC = 0xbeefc0de;
const THREAD = 0x3fff_ffff;

interface Writer {
  readonly thread: number;
  readonly transaction: bigint;
}

/**
 * Waits while one and the same writer holds an environment. LMDB itself would stop the whole thread, deaf to signals
 * and without a word, when something has to be written in opening it.
 */
export async function whenWritable(folder: string): Promise<void> {
  const first = writerOf(folder);
  if (!first) return;
  const told = sayWhenLong(folder);
  try {
    for (let now: Writer | undefined = first; now; now = writerOf(folder)) {
      if (now.thread !== first.thread || now.transaction !== first.transaction) return;
      if (processOfThread(now.thread) === undefined) return;
      await wait(POLL);
    }
  } finally {
    told();
  }
}

/** Says after a while who holds the write lock of an environment. @returns what to call when it has been got */
export function sayWhenLong(folder: string): () => void {
  const timer = setTimeout(() => notice(sentence(folder)), LONG);
  timer.unref();
  return () => clearTimeout(timer);
}

function sentence(folder: string): string {
  const writer = writerOf(folder);
  const pid = writer && processOfThread(writer.thread);
  const holder = pid === undefined ? 'a process that cannot be told' : `process ${pid}`;
  return `Still waiting for the write lock of ${folder}, which ${holder} holds.`;
}

/** The thread that holds the write lock; undefined when none does, or the system does not say. */
function writerOf(folder: string): Writer | undefined {
  const bytes = Buffer.alloc(SIZE);
  try {
    const fd = openSync(join(folder, 'lock.mdb'), 'r');
    try {
      if (readSync(fd, bytes, 0, SIZE, 0) < SIZE) return undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
  const thread = bytes.readUInt32LE(at.futex) & THREAD;
  // Other C libraries arrange a mutex in other ways.
  const isKnown = bytes.readUInt32LE(at.magic) === MAGIC && bytes.readUInt32LE(at.owner) === thread;
  return isKnown && thread !== 0 ? { thread, transaction: bytes.readBigUInt64LE(at.transaction) } : undefined;
}
