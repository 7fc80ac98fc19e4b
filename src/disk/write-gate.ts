import { setTimeout as wait } from 'node:timers/promises';
import { openFileLock, type FileLock } from './file-lock.js';
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
  return new LockedGate(folder, openFileLock(folder, 'turn'), openFileLock(folder, 'writers'));
}

class LockedGate implements WriteGate {
  readonly #folder: string;
  /** Held by who opens, also while it waits for the writers: else those would never be gone under load. */
  readonly #turn: FileLock;
  /** Shared by the processes that write. */
  readonly #writers: FileLock;
  #writing = 0;

  constructor(folder: string, turn: FileLock, writers: FileLock) {
    this.#folder = folder;
    this.#turn = turn;
    this.#writers = writers;
  }

  async opening<T>(open: () => T): Promise<T> {
    const got = sayWhenLong(this.#folder);
    try {
      while (!this.#turn.try('exclusive')) await wait(POLL);
      while (!this.#writers.try('exclusive')) await wait(POLL);
      return open();
    } finally {
      got();
      this.#writers.release();
      this.#turn.release();
    }
  }

  async writing<T>(work: () => T | Promise<T>): Promise<T> {
    while (!this.#enter()) await wait(POLL);
    try {
      return await work();
    } finally {
      if (--this.#writing === 0) this.#writers.release();
    }
  }

  #enter(): boolean {
    if (!this.#turn.try('shared')) return false;
    const isIn = this.#writing > 0 || this.#writers.try('shared');
    if (isIn) this.#writing++;
    this.#turn.release();
    return isIn;
  }

  close(): void {
    this.#turn.close();
    this.#writers.close();
  }
}
