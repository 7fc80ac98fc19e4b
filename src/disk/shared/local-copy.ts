import { Problem } from '../../problem.js';
import type { TableName } from '../tables.js';
import type { Key, ReadTx, WriteTx } from '../transaction.js';
import { Overlay } from './overlay.js';
import {
  HistoryLost,
  type Advance,
  type Position,
  type SharedStore,
  type StoredEntry,
  type Take,
} from './shared-store.js';

/** The data directory that holds a copy. */
export interface CopyHome {
  read<T>(work: (tx: ReadTx) => T): T;
  /** Where the copy stands; undefined while it is being made. */
  position(): Position | undefined;
  /**
   * Writes what leads from one position to another, all at once when all of it is there: nobody sees a part of it.
   * @returns false when the copy is at another one by now
   */
  apply(advance: Advance, from: Position): Promise<boolean>;
  /** The stored form of a value. */
  stored(table: TableName, key: Key, content: Uint8Array): Uint8Array;
}

interface Waiting {
  readonly work: (tx: WriteTx) => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The copy of a shared store in a data directory. The store alone decides: what is committed is committed there, under
 * a lock that one gateway has at a time, and the copy follows. Reads see the copy, after `current` has brought it up to
 * date.
 */
export class LocalCopy {
  readonly #store: SharedStore;
  readonly #home: CopyHome;
  #waiting: Waiting[] = [];
  #isCommitting = false;
  /** The check that those who ask in this turn of the event loop share. */
  #next: Promise<void> | undefined;
  #catchingUp: Promise<void> | undefined;

  constructor(store: SharedStore, home: CopyHome) {
    this.#store = store;
    this.#home = home;
  }

  /**
   * Resolves when reads see everything that any gateway acknowledged before this call. Those who ask in one turn of the
   * event loop share one question.
   * @throws Problem unavailable when the store cannot be reached
   */
  current(): Promise<void> {
    return (this.#next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.#next = undefined;
      return this.#check();
    }));
  }

  /**
   * Asks the store something together with its head. Resolves to the answer when reads see everything that was
   * acknowledged before this call; what `ask` has done is done, even when the copy cannot follow.
   * @param ask is told where the copy stands
   */
  async upTo<Answer extends { readonly head: Position }>(
    ask: (at: Position) => Promise<Answer>,
  ): Promise<Answer> {
    // In this order the head is never behind the position, as long as they have one history.
    const at = this.#position();
    const answer = await ask(at);
    const { head } = answer;
    if (head.commit === at.commit) return answer;
    if (head.sequence < at.sequence) throw outdated(new HistoryLost());
    await (this.#catchingUp ??= this.#catchUp(head).finally(() => (this.#catchingUp = undefined)));
    // Whoever joined another's catching up may need more than that one did.
    if (this.#position().sequence < head.sequence) await this.#catchUp(head);
    return answer;
  }

  /**
   * Runs `work` on everything committed so far, and resolves when what it wrote is committed in the store and here. Those
   * who wait at the same time share a commit; what one throws undoes its own work alone.
   */
  commit<T>(work: (tx: WriteTx) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject });
      if (!this.#isCommitting) void this.#commitWaiting();
    });
  }

  async #check(): Promise<void> {
    await this.upTo(async () => ({ head: await this.#store.head() }));
  }

  async #catchUp(head: Position): Promise<void> {
    for (;;) {
      const at = this.#position();
      if (at.sequence > head.sequence || at.commit === head.commit) return;
      await this.#home.apply((take) => this.#changesSince(at, take), at);
    }
  }

  async #changesSince(at: Position, take: Take): Promise<Position> {
    try {
      return await this.#store.since(at, take);
    } catch (error) {
      throw error instanceof HistoryLost ? outdated(error) : error;
    }
  }

  #position(): Position {
    const at = this.#home.position();
    if (!at) throw outdated(new HistoryLost());
    return at;
  }

  async #commitWaiting(): Promise<void> {
    this.#isCommitting = true;
    // Whoever comes in the same turn is taken along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commitSome();
    this.#isCommitting = false;
  }

  async #commitSome(): Promise<void> {
    let group: Waiting[] = [];
    const outcomes: (() => void)[] = [];
    try {
      const done = await this.#store.exclusively(async (turn) => {
        // Meanwhile the copy may have been brought to somewhere in between, for reads or by another process: what is
        // done next would be done without the commits that are still missing.
        for (let at = this.#position(); at.commit !== turn.head.commit; at = this.#position())
          await this.#home.apply((take) => turn.since(at, take), at);
        group = this.#waiting.splice(0);
        const entries = this.#home.read((tx) => this.#run(tx, group, outcomes));
        if (entries.length === 0) return undefined;
        const to = await turn.write(entries);
        const advance: Advance = async (take) => {
          await take(entries);
          return to;
        };
        return { advance, from: turn.head, to };
      });
      // Where another process was quicker, the copy has it already, or is on the way there.
      if (done && !(await this.#home.apply(done.advance, done.from))) await this.#catchUp(done.to);
      for (const settle of outcomes) settle();
    } catch (error) {
      if (group.length === 0) group = this.#waiting.splice(0);
      const reason = error instanceof HistoryLost ? outdated(error) : error;
      for (const { reject } of group) reject(reason);
    }
  }

  /** @param outcomes receives what to tell each when that is committed */
  #run(tx: ReadTx, group: readonly Waiting[], outcomes: (() => void)[]): StoredEntry[] {
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
      value: content && this.#home.stored(table, key, content),
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
