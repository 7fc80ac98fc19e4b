import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openMutex, type Mutex } from './mutex.js';
import { noRoom } from './no-room.js';
import { NonceFile } from './nonce-file.js';
import { bootId } from './processes.js';
import { openReserve } from './reserve.js';
import { sha256 } from './sha256.js';
import { ENTRY_BYTES, SeenDigests, writeEntry } from './seen-digests.js';

/** How far the clock of a signer may be off, in seconds, to either side. */
export const TIMESTAMP_WINDOW = 300;
/** Times in milliseconds since 1970; a smaller number than this was meant in seconds. */
const EARLIEST = 1e11;
/** Of how entries are written. A folder of another form is like one of before a restart of the machine. */
const FORM = 3;

/** What has been used once and must not be used again for a while. */
export interface Nonces {
  /**
   * Nothing may be accepted that was made before this time (milliseconds since 1970; 0: no limit). After a power loss
   * the newest nonces may be lost, and every request of before must be taken for a repetition. So it is where a clock that
   * was ahead is set back: what had expired by it may be forgotten.
   */
  readonly notBefore: number;
  /**
   * Remembers a key of any length until `expiresAt` (milliseconds since 1970). True when it is new, false when it is
   * remembered already, by whichever process: of several that try at once exactly one gets true. Those that come in
   * one turn of the event loop share a write. Every process holds the digests of all entries in memory, and before each
   * write first takes in those of the others.
   * @throws Problem unavailable when there is no room for it
   * @throws RangeError for a time in seconds
   */
  remember(key: string, expiresAt: number): Promise<boolean>;
  /**
   * The same for who has looked at a data directory that may lag behind a shared store: where it did, nothing is
   * remembered, and undefined comes when it does no more.
   */
  remember(key: string, expiresAt: number, mayLag: boolean): Promise<boolean | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the nonces of a data directory: files that are never synced. What the operating system has taken survives the
 * death of a process, so only a restart of the machine can lose any; each gets a new folder.
 * @param options.clock milliseconds since 1970, for tests
 */
export async function openNonces(dir: string, options: { clock?: () => number } = {}): Promise<Nonces> {
  const clock = options.clock ?? Date.now;
  const home = join(dir, 'nonces');
  const boot = `${bootId()}-${FORM}`;
  const folder = join(home, boot);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const earlier = (await readdir(home)).filter((name) => name !== boot);
  const mutex = await openMutex(join(folder, 'lock'));
  const nonces = mutex.run(() => new OpenNonces(folder, mutex, clock, earlier.length > 0));
  for (const name of earlier) await rm(join(home, name), { recursive: true, force: true });
  return nonces;
}

interface Waiting {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

class OpenNonces implements Nonces {
  readonly #notBefore: number;
  /** The earliest that the clock was set back to beyond that. */
  #setBack = Infinity;
  /** What the clock said last, and before when nonces may be forgotten since it was set back. */
  #last = 0;
  #forgotten = 0;
  readonly #mutex: Mutex;
  readonly #clock: () => number;
  /** What has come in this turn of the event loop. */
  #waiting: Waiting[] = [];
  readonly #seen = new SeenDigests();
  readonly #file: NonceFile;

  /** Made by whoever holds the mutex. */
  constructor(folder: string, mutex: Mutex, clock: () => number, rebooted: boolean) {
    this.#mutex = mutex;
    this.#clock = clock;
    this.#notBefore = notBeforeOf(folder, rebooted ? clock() : 0);
    this.#file = new NonceFile(folder, openReserve(folder), (entries) => this.#seen.add(entries, this.#now));
  }

  get notBefore(): number {
    const now = this.#lookAtClock();
    // Where a machine starts with a clock that is ahead, it is set back soon: what was lost is older than that moment.
    // A clock that was right and is only wrong for a while comes back to what it said.
    if (now < this.#notBefore) this.#setBack = Math.min(this.#setBack, now);
    return Math.max(now < this.#notBefore ? this.#setBack : this.#notBefore, this.#forgotten);
  }

  /** Milliseconds since 1970. Whoever forgets by the clock looks at it here. */
  #lookAtClock(): number {
    const now = this.#clock();
    // What was signed within the window of the later time is known still, and what is signed from now on is new.
    // A clock that is set back twice, first far and then a little, has forgotten no less than at first.
    if (now < this.#last)
      this.#forgotten = Math.min(now, Math.max(this.#forgotten, this.#last - TIMESTAMP_WINDOW * 1000));
    return (this.#last = now);
  }

  /** Seconds since 1970. */
  get #now(): number {
    return Math.floor(this.#lookAtClock() / 1000);
  }

  remember(key: string, expiresAt: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (!(expiresAt >= EARLIEST)) throw new RangeError('expiresAt is a time in milliseconds since 1970');
      // Nonces come from outside: a digest is short, and nobody can choose how it begins.
      const digest = Buffer.from(sha256(key), 'base64url');
      const first = this.#waiting.push({ digest, expiresAt, resolve, reject }) === 1;
      if (first) process.nextTick(() => this.#rememberWaiting());
    });
  }

  #rememberWaiting(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    try {
      const isNew = this.#mutex.run(() => this.#rememberAll(waiting));
      for (const [at, { resolve }] of waiting.entries()) resolve(isNew[at] === true);
    } catch (error) {
      // Nothing that cannot be remembered is accepted: another process would take it a second time.
      const refusal = noRoom('The container has no room to remember requests by; try again later.', error);
      for (const { reject } of waiting) reject(refusal);
    }
  }

  #rememberAll(waiting: readonly Waiting[]): boolean[] {
    const now = this.#now;
    this.#file.catchUp();
    const entries = Buffer.alloc(waiting.length * ENTRY_BYTES);
    let end = 0;
    const own = new Set<string>();
    const outcomes = waiting.map(({ digest, expiresAt }) => {
      const text = digest.toString('latin1', 0, 8);
      // Whoever took it before may have forgotten it by now.
      if (Math.ceil(expiresAt / 1000) < now) return false;
      if (own.has(text) || this.#seen.has(digest, now)) return false;
      own.add(text);
      writeEntry(entries, end, digest, Math.ceil(expiresAt / 1000));
      end += ENTRY_BYTES;
      return true;
    });
    if (end > 0) {
      const accepted = entries.subarray(0, end);
      this.#file.append(accepted, now);
      // Only what is stored is known: else a request that could not be stored would be refused as its own repetition.
      this.#seen.add(accepted, now);
    }
    return outcomes;
  }

  async close(): Promise<void> {
    this.#rememberWaiting();
    this.#file.close();
    await this.#mutex.close();
  }
}

/** What whoever was first after a restart of the machine has said for all processes; who is first says `now`. */
function notBeforeOf(folder: string, now: number): number {
  const file = join(folder, 'not-before');
  try {
    const said = readFileSync(file, 'utf8');
    // A process that was killed meanwhile may have left an empty file.
    if (/^\d+\n$/u.test(said)) return Number(said);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(file, `${now}\n`, { mode: 0o600 });
  return now;
}
