import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataDirectory } from '../disk/data-directory.js';

/** Milliseconds between two looks at the number of the last commit, which is in memory that all processes share. */
const LOOK = 200;
/** Looks between two questions to a store that several gateways share. */
const LOOKS_TO_ASK = 5;
/** Milliseconds that listeners may take before requests have their turn. */
const TURN = 4;

/** What is told of commits. It does not throw. */
export type CommitListener = () => void;

/**
 * Tells listeners that something was committed to a data directory, by whichever process or gateway: one look for all of
 * them, and none while nobody listens. Several commits may be told as one, so a listener reads for itself what has
 * changed.
 */
export class CommitWatch {
  readonly #directory: DataDirectory;
  readonly #listeners = new Set<CommitListener>();
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #seen = -1;
  #isLooking = false;

  constructor(directory: DataDirectory) {
    this.#directory = directory;
  }

  /** Adds a listener. @returns what takes it away again */
  add(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    if (!this.#timer) {
      this.#seen = this.#directory.lastCommit;
      this.#timer = setInterval(() => void this.#look(), LOOK).unref();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Ends looking; listeners that are added later begin it anew. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { current } = this.#directory;
      // Requests bring the copy up to date as well; while the store cannot be reached, nothing is new.
      if (current && ++this.#looks % LOOKS_TO_ASK === 0) await current().catch(() => undefined);
      // Closed meanwhile, and the directory perhaps with it.
      if (this.#timer && this.#directory.lastCommit !== this.#seen) await this.#tell();
    } finally {
      this.#isLooking = false;
    }
  }

  async #tell(): Promise<void> {
    this.#seen = this.#directory.lastCommit;
    let began = performance.now();
    for (const listener of [...this.#listeners]) {
      if (performance.now() - began > TURN) {
        await nextTurn();
        began = performance.now();
      }
      if (!this.#timer) return;
      if (this.#listeners.has(listener)) listener();
    }
  }
}
