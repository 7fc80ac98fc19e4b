import { setTimeout as wait } from 'node:timers/promises';
import { openFileLock } from './file-lock.js';
import { sayWhenLong } from './lmdb-lock-file.js';

const POLL = 2;

/**
 * Keeps apart those who open an LMDB environment and those who write to it. Opening reads the number of the last
 * transaction from the file and stores it in the memory that all processes share (mdb_env_open2); what another process
 * commits in between would be written over by the next transaction, and be lost.
 */
export interface WriteGate {
  /** Runs `open` (synchronous) while no process writes, and none begins to. */
  opening<T>(open: () => T): Promise<T>;
  /** Runs `work` while no process opens the environment: at once, in this very turn, unless one does or wants to. */
  writing<T>(work: () => T | Promise<T>): Promise<T>;
  close(): void;
}

/** The gate of the environment in a folder. Its locks end with the process, however that ends. */
export function openWriteGate(folder: string): WriteGate {
  /** Held by who opens, also while it waits for the writers: else those would never be gone under load. */
  const turn = openFileLock(folder, 'turn');
  /** Shared by the processes that write. */
  const writers = openFileLock(folder, 'writers');
  let inside = 0;
  const enter = (): boolean => {
    if (!turn.try('shared')) return false;
    const isIn = inside > 0 || writers.try('shared');
    if (isIn) inside++;
    turn.release();
    return isIn;
  };
  return {
    async opening(open) {
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
    async writing(work) {
      while (!enter()) await wait(POLL);
      try {
        return await work();
      } finally {
        if (--inside === 0) writers.release();
      }
    },
    close() {
      turn.close();
      writers.close();
    },
  };
}
