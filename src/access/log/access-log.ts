import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '../../store/disk/data-directory-error.js';
import { type Mutex, openMutex } from '../../store/disk/lmdb-locks.js';
import { noPostingLists, type PostingLists } from '../../store/disk/posting-lists.js';
import { openReserve } from '../../store/disk/disk-space.js';
import { inSteps } from '../../store/steps.js';
import {
  type AccessEntry,
  AccessLogError,
  entryText,
  type RecordedEntry,
  sealedWith,
  type Sealing,
} from './access-entry.js';
import {
  type AccessFilter,
  type EntrySource,
  indexClosed,
  listEntries,
  openEntryIndex,
  readEntries,
} from './read-entries.js';
import { EntryFollower } from './follow-entries.js';
import { ChainWriter, type SegmentLimits } from './chain-writer.js';
import { openLogKey } from './log-key.js';
import { verifyChain, verifyInSteps, type Checkpoint, type Verification } from './verify-chain.js';
import { withFile } from '../../store/disk/small-files.js';
import { headerOf, listSegments, segmentFile } from './segment-files.js';

export const ACCESS_LOG = 'access-log';

const DAY = 24 * 60 * 60 * 1000;
const LIMITS: SegmentLimits = { bytes: 8 * 1024 * 1024, milliseconds: 30 * DAY };
/** Milliseconds until entries survive a power loss. */
const SYNC_AFTER = 500;

export interface AccessLogOptions {
  readonly limits?: Partial<SegmentLimits>;
  readonly clock?: () => number;
}

/**
 * Opens or creates the access log of a data directory.
 * @throws AccessLogError when it cannot be written
 * @throws DataDirectoryError when there is no secret key that could open it
 */
export async function openAccessLog(dir: string, options: AccessLogOptions = {}): Promise<AccessLog> {
  const folder = join(dir, ACCESS_LOG);
  try {
    const mutex = await openMutex(join(folder, 'lock'));
    const sealing = sealedWith(await openLogKey(dir, folder));
    return new AccessLog(folder, mutex, sealing, options);
  } catch (error) {
    // An error of the secret key already has its own message.
    throw error instanceof DataDirectoryError ? error : unwritable(error);
  }
}

/** Verifies the access log of a data directory or copy, read-only. @throws AccessLogError when there is none */
export function verifyAccessLog(dir: string, checkpoint?: Checkpoint): Verification {
  const folder = join(dir, ACCESS_LOG);
  if (!existsSync(folder)) throw new AccessLogError(`There is no access log at ${folder}.`);
  return verifyChain(folder, checkpoint);
}

interface Turn {
  readonly texts: string[];
  readonly written: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The record of every access. Several processes can write to one log. */
export class AccessLog {
  readonly #clock: () => number;
  readonly #writer: ChainWriter;
  #turn: Turn | undefined;
  #recorded = 0;
  #unsyncedSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #index: Promise<PostingLists> | undefined;
  #known: EntrySource | undefined;
  #closed = false;
  readonly #timeText = timeTexts();

  constructor(
    private readonly folder: string,
    private readonly mutex: Mutex,
    private readonly sealing: Sealing,
    { limits, clock = Date.now }: AccessLogOptions,
  ) {
    this.#clock = clock;
    this.#writer = new ChainWriter(folder, mutex, { ...LIMITS, ...limits }, openReserve(folder));
  }

  /**
   * Records an access. Resolves once the operating system has the entry; no answer may leave before. Entries of one
   * turn of the event loop share a write.
   * @throws AccessLogError (rejects) when it cannot be written; then nothing may be answered
   */
  record(entry: AccessEntry): Promise<void> {
    const text = this.#textOf(entry);
    this.#turn ??= this.#beginTurn();
    this.#turn.texts.push(text);
    return this.#turn.written;
  }

  recordNow(entry: AccessEntry): void {
    const text = this.#textOf(entry);
    this.#writeTurn();
    // Entries of retention stay in the clear, because verifying needs them and has no key.
    this.#append(entry.dropped ? [text] : this.sealing.seal([text]));
  }

  /** Lists what was recorded since the last reader, in steps that no reader has to answer for. */
  async list(): Promise<void> {
    await listEntries(await this.#source(), inSteps());
  }

  /** Yields the entries that match a filter, oldest first by default, in steps. */
  async *read(filter: AccessFilter = {}, pause = inSteps()): AsyncGenerator<RecordedEntry> {
    yield* readEntries(await this.#source(), filter, pause);
  }

  /** Returns a reader that goes on where it ended. @param after the number of the last entry not to read */
  async follow(after: number): Promise<EntryFollower> {
    return new EntryFollower(await this.#source(), after);
  }

  /** Returns the state of the chain, to be kept elsewhere for `verify`. */
  checkpoint(): Checkpoint {
    this.#writeTurn();
    return this.#writer.head();
  }

  verify(checkpoint?: Checkpoint): Verification {
    return verifyChain(this.folder, checkpoint);
  }

  /** As verify, with turns for others. */
  verifyInSteps(checkpoint?: Checkpoint): Promise<Verification> {
    this.#writeTurn();
    return verifyInSteps(this.folder, checkpoint, inSteps());
  }

  /** Indexes new entries and drops those older than `days`; run it in one process. */
  async maintain({ days, now = this.#clock() }: { days: number; now?: number }): Promise<void> {
    const source = await this.#source();
    await indexClosed(source, inSteps());
    await dropBefore(now - days * DAY, this.folder, source.index, async (entry) => {
      this.recordNow(entry);
      await this.#sync();
    });
  }

  /** `lag`: milliseconds that the oldest unsynced entry has waited; 0 when all are synced. */
  numbers(): { recorded: number; lag: number } {
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
    await this.mutex.close();
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
      this.#append(this.sealing.seal(turn.texts));
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
    // A process that exits without closing leaves the sync to the operating system.
    this.#timer = setTimeout(() => {
      this.#syncing = this.#sync();
    }, SYNC_AFTER).unref();
  }

  async #sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const since = this.#unsyncedSince;
    // A failed sync shows in the lag and in the next write.
    const synced = await this.#writer.sync().then(
      () => true,
      () => false,
    );
    if (!synced) return this.#syncSoon();
    if (this.#unsyncedSince === since && !this.#timer) this.#unsyncedSince = 0;
  }

  async #source(): Promise<EntrySource> {
    const index = await (this.#index ??= openEntryIndex(this.folder));
    // Next time there may be disk space for an index.
    if (index === noPostingLists) this.#index = undefined;
    if (this.#known?.index !== index) this.#known = { folder: this.folder, index, sealing: this.sealing };
    return this.#known;
  }
}

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

/**
 * Drops closed segments whose entries are all older than a time (milliseconds since 1970). An entry first records the
 * cut and the hash there, so that the rest can still be verified.
 */
async function dropBefore(
  time: number,
  folder: string,
  index: PostingLists,
  record: (entry: AccessEntry) => Promise<void>,
): Promise<void> {
  const segments = listSegments(folder);
  // A segment begins when the one before it is closed.
  const headers = segments
    .slice(1)
    .map((segment) => segmentFile(folder, segment))
    .flatMap((file) => withFile(file, (fd) => headerOf(fd, file)) ?? []);
  const stop = headers.findIndex(({ begun }) => Date.parse(begun) >= time);
  const first = headers[(stop < 0 ? headers.length : stop) - 1];
  if (!first) return;
  const dropped = { through: first.entries, hash: first.hash };
  await record({ action: 'access-log.dropped', outcome: 'done', dropped });
  for (const segment of segments.filter((each) => each < first.segment)) {
    rmSync(segmentFile(folder, segment), { force: true });
  }
  await index.dropThrough(first.segment - 1);
}
