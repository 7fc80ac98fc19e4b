import { Readable } from 'node:stream';
import type { AccessEntry } from '../../access-log/access-entry.js';
import { Problem } from '../../problem.js';
import type { OpenStream, StreamOwner, Streams } from '../streams.js';
import type { ChangesAfter } from './changes-of-record.js';

/** What a stream is made of. */
export interface ChangeStreamParts {
  readonly streams: Streams;
  readonly owner: StreamOwner;
  /** After which change it begins. */
  readonly since: number;
  /** Why the stream has to end, in a word; undefined while it may go on. */
  readonly mustEnd: () => string | undefined;
  /** The number of the last change of the record. */
  readonly revision: () => number;
  /** @throws Problem not-found, no-history */
  readonly changesAfter: (revision: number) => ChangesAfter;
  /** Records that changes are handed over. @throws AccessLogError */
  readonly record: (facts: Pick<AccessEntry, 'outcome' | 'revision' | 'reason'>) => Promise<void>;
}

/** A comment, which keeps proxies from ending what seems to be idle. */
const HEARTBEAT = ':\n\n';

/**
 * The changes of a record as server-sent events (WHATWG HTML §9.2): one event a change, its number as the id. They are
 * read when the reader takes them, so that a slow one costs no memory; one that takes nothing from one heartbeat to
 * the next is ended, and may go on where it was.
 */
export class ChangeStream extends Readable implements OpenStream {
  readonly #parts: ChangeStreamParts;
  readonly #left: (reason: string) => void;
  /** All changes up to this one were told. */
  #position: number;
  /** What was the last change of the record when its changes were last read to their end; not all are in the history. */
  #seen: number;
  #isWanted = false;
  #isBusy = false;
  /** Whether something may have come while changes were handed over. */
  #again = false;
  #wasStuck = false;
  #reason = 'left';

  constructor(parts: ChangeStreamParts) {
    super();
    this.#parts = parts;
    this.#position = this.#seen = parts.since;
    this.#left = parts.streams.add(parts.owner, this);
    // A reader that loses the connection before the first change goes on from here.
    this.push(`id: ${parts.since}\n\n`);
  }

  override _read(): void {
    this.#isWanted = true;
    this.wake();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#left(this.#reason);
    done(error);
  }

  wake(): void {
    if (this.#isBusy) this.#again = true;
    else void this.#advance();
  }

  beat(): void {
    const isStuck = this.readableLength > 0;
    if (isStuck && this.#wasStuck) return this.#break('slow');
    this.#wasStuck = isStuck;
    if (!isStuck && !this.#isOver) this.push(HEARTBEAT);
    this.wake();
  }

  stop(): void {
    this.#end('stopping');
  }

  async #advance(): Promise<void> {
    this.#isBusy = true;
    try {
      do {
        this.#again = false;
        await this.#step();
      } while (this.#again && !this.#isOver);
    } catch (error) {
      // What cannot be read or recorded any more is not handed over; who asks again is told why.
      this.#end(error instanceof Problem ? error.kind : 'failed');
    } finally {
      this.#isBusy = false;
    }
  }

  get #isOver(): boolean {
    return this.destroyed || this.#reason !== 'left';
  }

  /** Hands over what is new, as far as it is wanted. */
  async #step(): Promise<void> {
    const { mustEnd, revision, changesAfter, record } = this.#parts;
    if (this.#isOver) return;
    const why = mustEnd();
    if (why !== undefined) {
      await record({ outcome: 'refused', revision: this.#position, reason: why });
      return this.#end(why);
    }
    const last = revision();
    if (!this.#isWanted || last <= this.#seen) return;
    const { changes, revision: upTo, isPart } = changesAfter(this.#position);
    if (!isPart) this.#seen = last;
    if (upTo === this.#position) return;
    if (changes.length > 0) await record({ outcome: 'done', revision: upTo });
    if (this.#isOver) return;
    const events = changes.map((change) => `id: ${change.revision}\ndata: ${JSON.stringify(change)}\n\n`);
    // An event without data moves the id on, and is none.
    if (changes.at(-1)?.revision !== upTo) events.push(`id: ${upTo}\n\n`);
    this.#position = upTo;
    this.#isWanted = this.push(events.join(''));
    if (isPart && this.#isWanted) this.#again = true;
  }

  /** Ends the answer after what was handed over. */
  #end(reason: string): void {
    if (this.#isOver) return;
    this.#reason = reason;
    this.push(null);
  }

  #break(reason: string): void {
    this.#reason = reason;
    this.destroy();
  }
}
