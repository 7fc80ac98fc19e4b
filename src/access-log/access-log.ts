import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { openMutex, type Mutex } from '../disk/mutex.js';
import { noPostingLists, type PostingLists } from '../disk/posting-lists.js';
import { openReserve } from '../disk/reserve.js';
import { entryText, type AccessEntry, type RecordedEntry } from './access-entry.js';
import type { AccessFilter } from './access-filter.js';
import { AccessLogError } from './access-log-error.js';
import { ChainWriter, type SegmentLimits } from './chain-writer.js';
import { indexClosed, openEntryIndex } from './entry-index.js';
import { readEntries } from './read-entries.js';
import { dropBefore } from './retention.js';
import { sealedWith, type Sealing } from './entry-sealing.js';
import { openLogKey } from './log-key.js';
import { verifyChain, type Checkpoint, type Verification } from './verify-chain.js';

/** Where the access log stands in a data directory. */
export const ACCESS_LOG = 'access-log';

const DAY = 24 * 60 * 60 * 1000;
const LIMITS: SegmentLimits = { bytes: 8 * 1024 * 1024, milliseconds: 30 * DAY };
/** What was handed to the operating system outlives a power loss after this many milliseconds. */
const SYNC_AFTER = 500;

/** What the log of this process is doing. */
export interface AccessLogNumbers {
  /** Entries that this process recorded. */
  readonly recorded: number;
  /** How long the oldest entry has waited to be synced to disk, in milliseconds; 0 when none waits. */
  readonly lag: number;
}

/** The record of every access: who, what, why, from where, and what came of it. Any number of processes write to one. */
export interface AccessLog {
  /**
   * Records an access. Resolves when the entry has been handed to the operating system: before that the answer must not
   * leave. The entries of one turn of the event loop share one write.
   * @throws AccessLogError (rejects) when it cannot be written; then nothing may be answered
   */
  record(entry: AccessEntry): Promise<void>;
  /** The same at once, for what is rare. @throws AccessLogError */
  recordNow(entry: AccessEntry): void;
  /** The entries that a filter asks for, oldest first unless it says otherwise. */
  read(filter?: AccessFilter): AsyncGenerator<RecordedEntry>;
  /** Who looked at a record, or changed it: the newest first. */
  recordsOf(record: string, options?: { limit?: number; since?: number }): Promise<RecordedEntry[]>;
  /** Where the chain stands: to be kept elsewhere, and given to `verify` later. */
  checkpoint(): Checkpoint;
  verify(checkpoint?: Checkpoint): Verification;
  /** A chore for one process: indexes what is new, and drops what is older than so many days. */
  maintain(options: { days: number; now?: number }): Promise<void>;
  numbers(): AccessLogNumbers;
  /** Writes and syncs what waits, and lets go. */
  close(): Promise<void>;
}

/** For tests. */
export interface AccessLogOptions {
  readonly limits?: Partial<SegmentLimits>;
  readonly clock?: () => number;
}

/**
 * Opens the access log of a data directory, and begins one where there is none.
 * @throws AccessLogError when it cannot be written to
 * @throws DataDirectoryError when there is no secret key that could open it
 */
export async function openAccessLog(dir: string, options: AccessLogOptions = {}): Promise<AccessLog> {
  const folder = join(dir, ACCESS_LOG);
  try {
    const mutex = await openMutex(join(folder, 'lock'));
    const sealing = sealedWith(await openLogKey(dir, folder));
    return new OpenAccessLog(folder, { ...options, mutex, sealing });
  } catch (error) {
    // What is wrong with the secret key is no fault of the log, and has a sentence of its own.
    throw error instanceof DataDirectoryError ? error : unwritable(error);
  }
}

/**
 * Verifies the access log of a data directory, or of a copy, without opening it for writing.
 * @throws AccessLogError where there is none
 */
export function verifyAccessLog(dir: string, checkpoint?: Checkpoint): Verification {
  const folder = join(dir, ACCESS_LOG);
  if (!existsSync(folder)) throw new AccessLogError(`There is no access log at ${folder}.`);
  return verifyChain(folder, checkpoint);
}

/** What has come in a turn of the event loop, and is written in one. */
interface Turn {
  readonly texts: string[];
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

class OpenAccessLog implements AccessLog {
  readonly #folder: string;
  readonly #mutex: Mutex;
  readonly #sealing: Sealing;
  readonly #clock: () => number;
  readonly #writer: ChainWriter;
  #turn: Turn | undefined;
  #recorded = 0;
  #unsyncedSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #index: Promise<PostingLists> | undefined;
  #closed = false;
  readonly #timeText = timeTexts();

  constructor(
    folder: string,
    { mutex, sealing, limits, clock }: AccessLogOptions & { mutex: Mutex; sealing: Sealing },
  ) {
    this.#folder = folder;
    this.#mutex = mutex;
    this.#sealing = sealing;
    this.#clock = clock ?? Date.now;
    this.#writer = new ChainWriter(folder, mutex, { ...LIMITS, ...limits }, openReserve(folder));
  }

  record(entry: AccessEntry): Promise<void> {
    const text = this.#textOf(entry);
    this.#turn ??= this.#beginTurn();
    this.#turn.texts.push(text);
    return this.#turn.written;
  }

  recordNow(entry: AccessEntry): void {
    const text = this.#textOf(entry);
    this.#writeTurn();
    // Verifying needs what retention says, and no key.
    this.#append(entry.dropped ? [text] : this.#sealing.seal([text]));
  }

  async *read(filter: AccessFilter = {}): AsyncGenerator<RecordedEntry> {
    yield* readEntries(
      { folder: this.#folder, index: await this.#openIndex(), sealing: this.#sealing },
      filter,
    );
  }

  async recordsOf(record: string, { limit = 100, since }: { limit?: number; since?: number } = {}) {
    const found: RecordedEntry[] = [];
    for await (const entry of this.read({ record, limit, since, newestFirst: true })) found.push(entry);
    return found;
  }

  checkpoint(): Checkpoint {
    this.#writeTurn();
    return this.#writer.head();
  }

  verify(checkpoint?: Checkpoint): Verification {
    return verifyChain(this.#folder, checkpoint);
  }

  async maintain({ days, now = this.#clock() }: { days: number; now?: number }): Promise<void> {
    const index = await this.#openIndex();
    await indexClosed(this.#folder, index, this.#sealing);
    await dropBefore(now - days * DAY, {
      folder: this.#folder,
      index,
      record: async (entry) => {
        this.recordNow(entry);
        await this.#sync();
      },
    });
  }

  numbers(): AccessLogNumbers {
    const lag = this.#unsyncedSince === 0 ? 0 : this.#clock() - this.#unsyncedSince;
    return { recorded: this.#recorded, lag };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#writeTurn();
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#syncing;
    this.#writer.close();
    await (await this.#index)?.close();
    await this.#mutex.close();
  }

  #textOf(entry: AccessEntry): string {
    if (this.#closed) throw new AccessLogError('The access log is closed.');
    return entryText(entry, this.#timeText(this.#clock()));
  }

  #beginTurn(): Turn {
    process.nextTick(() => this.#writeTurn());
    const texts: string[] = [];
    let settle!: Pick<Turn, 'resolve' | 'reject'>;
    const written = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
    return { texts, written, ...settle };
  }

  #writeTurn(): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = undefined;
    try {
      this.#append(this.#sealing.seal(turn.texts));
      turn.resolve();
    } catch (error) {
      turn.reject(error);
    }
  }

  #append(stored: readonly string[]): void {
    try {
      this.#writer.append(stored);
    } catch (error) {
      throw unwritable(error);
    }
    this.#recorded += stored.length;
    this.#syncSoon();
  }

  #syncSoon(): void {
    if (this.#timer) return;
    this.#unsyncedSince = this.#clock();
    // A process that ends without closing leaves this to the operating system.
    this.#timer = setTimeout(() => {
      this.#syncing = this.#sync();
    }, SYNC_AFTER).unref();
  }

  async #sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const since = this.#unsyncedSince;
    // A disk that cannot sync shows in the lag, and in what the next write says.
    const synced = await this.#writer.sync().then(
      () => true,
      () => false,
    );
    if (!synced) return this.#syncSoon();
    if (this.#unsyncedSince === since && !this.#timer) this.#unsyncedSince = 0;
  }

  async #openIndex(): Promise<PostingLists> {
    const index = await (this.#index ??= openEntryIndex(this.#folder));
    // Where the disk was full, there may be room for one the next time.
    if (index === noPostingLists) this.#index = undefined;
    return index;
  }
}

/** ISO 8601; entries of one millisecond share the text. */
function timeTexts(): (milliseconds: number) => string {
  let [last, text] = [NaN, ''];
  return (milliseconds) => {
    if (milliseconds !== last) [last, text] = [milliseconds, new Date(milliseconds).toISOString()];
    return text;
  };
}

function unwritable(cause: unknown): AccessLogError {
  if (cause instanceof AccessLogError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AccessLogError(
    `The access log cannot be written (${why}); nothing is done that it does not hold.`,
    { cause },
  );
}
