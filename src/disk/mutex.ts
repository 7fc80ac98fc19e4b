import { mkdir } from 'node:fs/promises';
import { open } from 'lmdb';
import { requireFirstRoom } from './first-room.js';

/** A lock that processes on one machine share: one at a time runs what it guards. */
export interface Mutex {
  /** Waits until no other process is inside, and runs `work` (synchronous). */
  run<T>(work: () => T): T;
  close(): Promise<void>;
}

/**
 * Opens the mutex of a folder. It is the write lock of an LMDB environment in which nothing is ever written: the
 * operating system gives it back when its holder is killed, whatever process ids it can see, and taking it costs a few
 * microseconds. @throws what the file system says where there is no room for a new one
 */
export async function openMutex(folder: string): Promise<Mutex> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  requireFirstRoom(folder);
  const root = open({ path: folder, noSync: true, noSubdir: false, maxReaders: 512 });
  return { run: (work) => root.transactionSync(work), close: () => root.close() };
}
