import { createHash } from 'node:crypto';
import type { Nonces } from '../disk/nonces.js';
import type { LocalCopy } from './local-copy.js';
import type { SharedStore } from './shared-store.js';

const MAX_PER_STATEMENT = 500;

interface PendingNonce {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly mayLag: boolean;
  readonly resolve: (isNew: boolean | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Nonces that gateways share: the store decides which request came first, and keeps the record when gateways end. All
 * calls in one turn of the event loop share a statement. It also returns the store's position, so once a nonce is
 * remembered, the copy holds everything acknowledged before.
 */
export class SharedNonces implements Nonces {
  readonly notBefore = 0;
  #waiting: PendingNonce[] = [];

  constructor(
    private readonly store: SharedStore,
    private readonly copy: Pick<LocalCopy, 'upTo'>,
  ) {}

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
      for (let at = 0; at < own.length; at += MAX_PER_STATEMENT)
        void this.#record(own.slice(at, at + MAX_PER_STATEMENT), mayLag);
    }
  }

  async #record(waiting: readonly PendingNonce[], mayLag: boolean): Promise<void> {
    // A statement records each digest once; duplicates are replays.
    const first = new Map<string, PendingNonce>();
    for (const each of waiting) {
      const name = each.digest.toString('base64');
      if (!first.has(name)) first.set(name, each);
    }
    const distinct = [...first.values()];
    try {
      const { isNew } = await this.copy.upTo((at) =>
        this.store.recordNonces(
          distinct.map(({ digest }) => digest),
          distinct.map(({ expiresAt }) => expiresAt),
          Date.now(),
          mayLag ? at : undefined,
        ),
      );
      const recorded = new Set(distinct.filter((_, at) => isNew?.[at] === true));
      for (const each of waiting) each.resolve(isNew && recorded.has(each));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
