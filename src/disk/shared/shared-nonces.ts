import { createHash } from 'node:crypto';
import type { Nonces } from '../nonces.js';
import type { LocalCopy } from './local-copy.js';
import type { SharedStore } from './shared-store.js';

/** Digests that one statement records at most. */
const AT_ONCE = 500;

interface Waiting {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly mayLag: boolean;
  readonly resolve: (isNew: boolean | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Nonces that gateways share: the store decides which of several that try at once is first, and what it has recorded
 * outlives each of them. Those that come in one turn of the event loop share a statement. It also tells where the store
 * stands: when a nonce is remembered, the copy holds everything that was acknowledged before.
 */
export class SharedNonces implements Nonces {
  /** What was recorded is never lost, so nothing is too old because of that. */
  readonly notBefore = 0;
  readonly #store: SharedStore;
  readonly #copy: Pick<LocalCopy, 'upTo'>;
  #waiting: Waiting[] = [];

  constructor(store: SharedStore, copy: Pick<LocalCopy, 'upTo'>) {
    this.#store = store;
    this.#copy = copy;
  }

  remember(key: string, expiresAt: number): Promise<boolean>;
  remember(key: string, expiresAt: number, mayLag: boolean): Promise<boolean | undefined>;
  remember(key: string, expiresAt: number, mayLag = false): Promise<boolean | undefined> {
    return new Promise((resolve, reject) => {
      const digest = createHash('sha256').update(key).digest();
      const first = this.#waiting.push({ digest, expiresAt, mayLag, resolve, reject }) === 1;
      if (first) setImmediate(() => this.#recordWaiting());
    });
  }

  #recordWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const mayLag of [true, false]) {
      const own = waiting.filter((each) => each.mayLag === mayLag);
      for (let at = 0; at < own.length; at += AT_ONCE) void this.#record(own.slice(at, at + AT_ONCE), mayLag);
    }
  }

  async #record(waiting: readonly Waiting[], mayLag: boolean): Promise<void> {
    // A statement records each once: whoever comes second in it is a repetition.
    const first = new Map<string, Waiting>();
    for (const each of waiting) {
      const name = each.digest.toString('base64');
      if (!first.has(name)) first.set(name, each);
    }
    const asked = [...first.values()];
    try {
      const { isNew } = await this.#copy.upTo((at) =>
        this.#store.recordNonces(
          asked.map(({ digest }) => digest),
          asked.map(({ expiresAt }) => expiresAt),
          Date.now(),
          mayLag ? at : undefined,
        ),
      );
      const recorded = new Set(asked.filter((_, at) => isNew?.[at] === true));
      for (const each of waiting) each.resolve(isNew && recorded.has(each));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  /** The store is closed by whoever opened it. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
