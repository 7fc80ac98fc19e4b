import { Readable } from 'node:stream';
import type { AccessEntry } from '../../access/log/access-entry.js';
import { Problem } from '../../model/problem.js';
import type { OpenStream, StreamOwner, Streams } from '../admission/streams.js';
import type { ChangesAfter } from './changes-of-record.js';

export interface ChangeStreamParts {
  readonly streams: Streams;
  readonly owner: StreamOwner;
  readonly since: number;
  /** Returns a word for why the stream must end, or undefined. */
  readonly mustEnd: () => string | undefined;
  readonly revision: () => number;
  /** @throws Problem not-found, no-history */
  readonly changesAfter: (revision: number) => Promise<ChangesAfter>;
  /** Records the delivery of changes. @throws AccessLogError */
  readonly record: (facts: Pick<AccessEntry, 'outcome' | 'revision' | 'reason'>) => Promise<void>;
}

/** A comment, sent so that proxies do not end an idle stream. */
const HEARTBEAT = ':\n\n';

/**
 * Streams the changes of a record as server-sent events (WHATWG HTML §9.2), one per change with its number as id.
 * Changes are read on demand, so slow readers cost no memory. A reader that takes nothing between two heartbeats is
 * disconnected and may resume.
 */
export class ChangeStream extends Readable implements OpenStream {
  readonly #left: (reason: string) => void;
  #position: number;
  /** The record's last change at the last complete read; the history may not include it. */
  #seen: number;
  #isWanted = false;
  #isBusy = false;
  #again = false;
  #wasStuck = false;
  #reason = 'left';

  constructor(private readonly parts: ChangeStreamParts) {
    super();
    this.#position = this.#seen = parts.since;
    this.#left = parts.streams.add(parts.owner, this);
    // A reader that is disconnected before the first change resumes here.
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
      // Changes that cannot be read or recorded are not delivered; the next request reports the reason.
      this.#end(error instanceof Problem ? error.kind : 'failed');
    } finally {
      this.#isBusy = false;
    }
  }

  get #isOver(): boolean {
    return this.destroyed || this.#reason !== 'left';
  }

  async #step(): Promise<void> {
    const { mustEnd, revision, changesAfter, record } = this.parts;
    if (this.#isOver) return;
    const why = mustEnd();
    if (why !== undefined) {
      await record({ outcome: 'refused', revision: this.#position, reason: why });
      return this.#end(why);
    }
    const last = revision();
    if (!this.#isWanted || last <= this.#seen) return;
    const { changes, revision: upTo, isPart } = await changesAfter(this.#position);
    if (this.#isOver) return;
    if (!isPart) this.#seen = last;
    if (upTo === this.#position) return;
    if (changes.length > 0) await record({ outcome: 'done', revision: upTo });
    if (this.#isOver) return;
    const events = changes.map((change) => `id: ${change.revision}\ndata: ${JSON.stringify(change)}\n\n`);
    // An event without data only moves the id.
    if (changes.at(-1)?.revision !== upTo) events.push(`id: ${upTo}\n\n`);
    this.#position = upTo;
    this.#isWanted = this.push(events.join(''));
    if (isPart && this.#isWanted) this.#again = true;
  }

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
