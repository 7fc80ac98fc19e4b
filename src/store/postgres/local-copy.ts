import { Problem } from '../../model/problem.js';
import type { ReadTx, WriteTx } from '../disk/transaction.js';
import type { copyHome } from './copy-home.js';
import { Overlay } from './overlay.js';
import {
  HistoryLost,
  type Advance,
  type Position,
  type SharedStore,
  type StoredEntry,
  type Take,
} from './shared-store.js';

export type CopyHome = ReturnType<typeof copyHome>;

interface PendingWork {
  readonly work: (tx: WriteTx) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
}

/** The copy of a shared store. Commits happen in the store, under a lock; `current` brings reads up to date. */
export class LocalCopy {
  #waiting: PendingWork[] = [];
  #isCommitting = false;
  /** Shared by callers in this turn of the event loop. */
  #next: Promise<void> | undefined;
  #catchingUp: Promise<void> | undefined;

  constructor(
    private readonly store: SharedStore,
    private readonly home: CopyHome,
  ) {}

  /** Resolves when reads see everything that any gateway acknowledged before. @throws Problem unavailable */
  current(): Promise<void> {
    return (this.#next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      this.#next = undefined;
      await this.upTo(async () => ({ head: await this.store.head() }));
    }));
  }

  /**
   * Sends the store a request that also returns its head, and resolves when reads have reached that head. The request
   * takes effect even if the copy cannot follow.
   * @param ask receives the copy's position
   */
  async upTo<Answer extends { readonly head: Position }>(
    ask: (at: Position) => Promise<Answer>,
  ): Promise<Answer> {
    // In this order, the head is never behind the position within one history.
    const at = this.#position();
    const answer = await ask(at);
    const { head } = answer;
    if (head.commit === at.commit) return answer;
    if (head.sequence < at.sequence) throw outdated(new HistoryLost());
    await (this.#catchingUp ??= this.#catchUp(head).finally(() => (this.#catchingUp = undefined)));
    // A catch-up started by another caller may have stopped short of this head.
    if (this.#position().sequence < head.sequence) await this.#catchUp(head);
    return answer;
  }

  /** Runs `work` on everything committed so far. Waiting callers share a commit; one that throws is undone alone. */
  commit<T>(work: (tx: WriteTx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (!this.#isCommitting) void this.#commitWaiting();
    });
  }

  async #catchUp(head: Position): Promise<void> {
    for (;;) {
      const at = this.#position();
      if (at.sequence > head.sequence || at.commit === head.commit) return;
      await this.home.apply((take) => this.#changesSince(at, take), at);
    }
  }

  async #changesSince(at: Position, take: Take): Promise<Position> {
    try {
      return await this.store.since(at, take);
    } catch (error) {
      throw error instanceof HistoryLost ? outdated(error) : error;
    }
  }

  #position(): Position {
    const at = this.home.position();
    if (!at) throw outdated(new HistoryLost());
    return at;
  }

  async #commitWaiting(): Promise<void> {
    this.#isCommitting = true;
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commitSome();
    this.#isCommitting = false;
  }

  async #commitSome(): Promise<void> {
    let group: PendingWork[] = [];
    const outcomes: (() => void)[] = [];
    try {
      const done = await this.store.exclusively(async (turn) => {
        // Reads or another process may have advanced the copy in between.
        for (let at = this.#position(); at.commit !== turn.head.commit; at = this.#position())
          await this.home.apply((take) => turn.since(at, take), at);
        group = this.#waiting.splice(0);
        const entries = this.home.read((tx) => this.#run(tx, group, outcomes));
        if (entries.length === 0) return undefined;
        const to = await turn.write(entries);
        const advance: Advance = async (take) => {
          await take(entries);
          return to;
        };
        return { advance, from: turn.head, to };
      });
      if (done && !(await this.home.apply(done.advance, done.from))) await this.#catchUp(done.to);
      for (const settle of outcomes) settle();
    } catch (error) {
      if (group.length === 0) group = this.#waiting.splice(0);
      const reason = error instanceof HistoryLost ? outdated(error) : error;
      for (const { reject } of group) reject(reason);
    }
  }

  #run(tx: ReadTx, group: readonly PendingWork[], outcomes: (() => void)[]): StoredEntry[] {
    const all = new Overlay(tx);
    for (const { work, resolve, reject } of group) {
      const own = new Overlay(all);
      try {
        const result = work(own) as never;
        own.copyTo(all);
        outcomes.push(() => resolve(result));
      } catch (error) {
        outcomes.push(() => reject(error));
      }
    }
    return Array.from(all.written(), ([table, key, content]) => ({
      table,
      key,
      value: content && this.home.stored(table, key, content),
    }));
  }
}

function outdated(cause: unknown): Problem {
  return new Problem(
    'unavailable',
    'The copy of the shared store on this machine has to be made anew; restart the gateway.',
    { headers: { 'Retry-After': '30' }, cause },
  );
}
