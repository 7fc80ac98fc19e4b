import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mutex, openMutex } from './lmdb-locks.js';
import { noRoom, openReserve } from './disk-space.js';
import { ENTRY_BYTES, NonceFile, SeenDigests, writeEntry } from './nonce-file.js';
import { bootId } from './processes.js';
import { sha256 } from './bytes.js';

/** Allowed clock difference of a signer, in seconds to either side. */
export const TIMESTAMP_WINDOW = 300;
/** Smaller numbers are probably seconds, not milliseconds. */
const MIN_MILLISECONDS = 1e11;
/** Version of the entry format. A folder with another version is treated like one from before a reboot. */
const ENTRY_VERSION = 3;

export interface Nonces {
  /** Requests signed before this time (ms since 1970; 0: no limit) must be rejected: their nonces may be lost. */
  readonly notBefore: number;
  /**
   * Remembers a key until `expiresAt` (ms since 1970). Resolves to true if it is new; of several processes that try at
   * once exactly one gets true. All calls in one turn of the event loop share a write. Each process holds all digests
   * in memory and reads those of the others before each write.
   * @throws Problem unavailable when the disk is full
   * @throws RangeError for a time in seconds
   */
  remember(key: string, expiresAt: number): Promise<boolean>;
  /** With `mayLag` a lagging copy remembers nothing, and resolves to undefined once it has caught up. */
  remember(key: string, expiresAt: number, mayLag: boolean): Promise<boolean | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the nonces of a data directory. The files are never synced: only a machine restart can lose what the system has
 * taken, and each restart gets a new folder.
 * @param options.clock milliseconds since 1970, for tests
 */
export async function openNonces(dir: string, options: { clock?: () => number } = {}): Promise<Nonces> {
  const clock = options.clock ?? Date.now;
  const home = join(dir, 'nonces');
  const boot = `${bootId()}-${ENTRY_VERSION}`;
  const folder = join(home, boot);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const earlier = (await readdir(home)).filter((name) => name !== boot);
  const mutex = await openMutex(join(folder, 'lock'));
  const nonces = mutex.run(() => new OpenNonces(folder, mutex, clock, earlier.length > 0));
  for (const name of earlier) await rm(join(home, name), { recursive: true, force: true });
  return nonces;
}

interface PendingNonce {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

class OpenNonces implements Nonces {
  readonly #notBefore: number;
  /** The earliest time before `#notBefore` to which the clock was set back. */
  #setBack = Infinity;
  /** The last clock reading, and the time before which nonces may be forgotten because the clock was set back. */
  #last = 0;
  #forgotten = 0;
  #waiting: PendingNonce[] = [];
  readonly #seen = new SeenDigests();
  readonly #file: NonceFile;

  constructor(
    folder: string,
    private readonly mutex: Mutex,
    private readonly clock: () => number,
    rebooted: boolean,
  ) {
    this.#notBefore = notBeforeOf(folder, rebooted ? clock() : 0);
    this.#file = new NonceFile(folder, openReserve(folder), (entries) => this.#seen.add(entries, this.#now));
  }

  get notBefore(): number {
    const now = this.#readClock();
    // A machine that boots with a fast clock soon sets it back, and lost nonces are older than that. A clock that is
    // wrong for a while recovers.
    if (now < this.#notBefore) this.#setBack = Math.min(this.#setBack, now);
    return Math.max(now < this.#notBefore ? this.#setBack : this.#notBefore, this.#forgotten);
  }

  /** Returns milliseconds since 1970. All expiry reads the clock here, to notice when it is set back. */
  #readClock(): number {
    const now = this.clock();
    // Nonces within the window of the later time are still known. A clock set back twice has forgotten no less than at
    // first.
    if (now < this.#last)
      this.#forgotten = Math.min(now, Math.max(this.#forgotten, this.#last - TIMESTAMP_WINDOW * 1000));
    return (this.#last = now);
  }

  get #now(): number {
    return Math.floor(this.#readClock() / 1000);
  }

  remember(key: string, expiresAt: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (!(expiresAt >= MIN_MILLISECONDS))
        throw new RangeError('expiresAt is a time in milliseconds since 1970');
      // A digest is short, and nobody can choose its prefix.
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
      const isNew = this.mutex.run(() => this.#rememberAll(waiting));
      for (const [at, { resolve }] of waiting.entries()) resolve(isNew[at] === true);
    } catch (error) {
      // Another process would accept what this one cannot remember, so reject.
      const refusal = noRoom('The container has no room to remember requests by; try again later.', error);
      for (const { reject } of waiting) reject(refusal);
    }
  }

  #rememberAll(waiting: readonly PendingNonce[]): boolean[] {
    const now = this.#now;
    this.#file.catchUp();
    const entries = Buffer.alloc(waiting.length * ENTRY_BYTES);
    let end = 0;
    const own = new Set<string>();
    const outcomes = waiting.map(({ digest, expiresAt }) => {
      const text = digest.toString('latin1', 0, 8);
      // The nonce may have been used and already forgotten.
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
      // Only now: a request that could not be stored may be tried again.
      this.#seen.add(accepted, now);
    }
    return outcomes;
  }

  async close(): Promise<void> {
    this.#rememberWaiting();
    this.#file.close();
    await this.mutex.close();
  }
}

/** Returns the time that the first process after a restart wrote for all; the first writes `now`. */
function notBeforeOf(folder: string, now: number): number {
  const file = join(folder, 'not-before');
  try {
    const stored = readFileSync(file, 'utf8');
    // A process killed meanwhile may have left an empty file.
    if (/^\d+\n$/u.test(stored)) return Number(stored);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(file, `${now}\n`, { mode: 0o600 });
  return now;
}
