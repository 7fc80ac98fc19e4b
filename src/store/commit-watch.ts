import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDirectory } from './disk/data-directory.js';

const POLL_MS = 200;
const POLLS_PER_REQUEST = 5;
const MAX_TURN_MS = 4;

/** Notifies listeners when any process or gateway commits. One call may stand for several commits. */
export class CommitWatch {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #seen = -1;
  #isPolling = false;

  constructor(private readonly directory: DataDirectory) {}

  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#timer) {
      this.#seen = this.directory.lastCommit;
      this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const { current } = this.directory;
      // An unreachable store has nothing new.
      if (current && ++this.#polls % POLLS_PER_REQUEST === 0) await current().catch(() => undefined);
      if (this.#timer && this.directory.lastCommit !== this.#seen) await this.#notify();
    } finally {
      this.#isPolling = false;
    }
  }

  async #notify(): Promise<void> {
    this.#seen = this.directory.lastCommit;
    let began = performance.now();
    for (const listener of [...this.#listeners]) {
      if (performance.now() - began > MAX_TURN_MS) {
        await nextTurn();
        began = performance.now();
      }
      if (!this.#timer) return;
      if (this.#listeners.has(listener)) listener();
    }
  }
}
