import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { noRoom } from './no-room.js';
import { bootId } from './processes.js';
import { ENTRY_BYTES, SeenDigests, writeEntry } from './seen-digests.js';
import { openWriteGate, type WriteGate } from './write-gate.js';

/** Times in milliseconds since 1970; a smaller number than this was meant in seconds. */
const EARLIEST = 1e11;
/** Every so many rows the oldest are looked at, whether all that they hold has expired. */
const PRUNED_EVERY = 64;
/** How many are looked at then: more than come in between, so that the table shrinks after a rush. */
const PRUNED_AT_ONCE = 4 * PRUNED_EVERY;
/** Of how rows are written. An environment of another form is like one of before a restart of the machine. */
const FORM = 2;

/** Bytes that are set aside for when the disk is full: some 300,000 nonces at least, which live ten minutes. */
const RESERVE = 16 * 1024 * 1024;

/** What has been used once and must not be used again for a while. */
export interface Nonces {
  /**
   * Nothing may be accepted that was made before this time (milliseconds since 1970; 0: no limit). After a power loss
   * the newest nonces may be lost, and every request of before must be taken for a repetition.
   */
  readonly notBefore: number;
  /**
   * Remembers a key of any length until `expiresAt` (milliseconds since 1970). True when it is new, false when it is
   * remembered already, by whichever process: of several that try at once exactly one gets true. Those that come in
   * one turn of the event loop share a transaction and a row, since each page that a commit writes costs as much as all
   * the rest. Every process holds the digests of all rows in memory, and in each transaction first takes in the new rows
   * of the others.
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
 * Opens the nonces of a data directory: an environment of its own that is never synced. What the operating system has
 * taken survives the death of a process, so only a restart of the machine can lose any; each gets a new environment,
 * since one that was not synced may then be damaged.
 * @param options.clock milliseconds since 1970, for tests
 */
export async function openNonces(dir: string, options: { clock?: () => number } = {}): Promise<Nonces> {
  const clock = options.clock ?? Date.now;
  const home = join(dir, 'nonces');
  const boot = `${bootId()}-${FORM}`;
  await mkdir(join(home, boot), { recursive: true, mode: 0o700 });
  const earlier = (await readdir(home)).filter((name) => name !== boot);
  const gate = openWriteGate(join(home, boot));
  const nonces = await gate.opening(() => new OpenNonces(join(home, boot), gate, clock, earlier.length > 0));
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
  readonly notBefore: number;
  readonly #gate: WriteGate;
  readonly #clock: () => number;
  /** What has come in this turn of the event loop. */
  #waiting: Waiting[] = [];
  readonly #root: RootDatabase;
  /** What came in one turn of a process, by numbers without gaps. The last row stays, so that the numbers go on. */
  readonly #rows: Database<Buffer, number>;
  readonly #seen = new SeenDigests();
  /** The number of the last row that was taken in. */
  #last = 0;

  constructor(path: string, gate: WriteGate, clock: () => number, rebooted: boolean) {
    this.#gate = gate;
    this.#clock = clock;
    this.#root = open({ path, noSync: true, noSubdir: false, maxReaders: 512 });
    this.#rows = this.#root.openDB({ name: 'rows', encoding: 'binary' });
    const state = this.#root.openDB<number, string>({ name: 'state' });
    this.#reserve();
    // Whoever is first after a restart decides for all processes.
    this.notBefore = state.transactionSync(() => {
      const known = state.get('notBefore');
      if (known !== undefined) return known;
      const notBefore = rebooted ? clock() : 0;
      state.putSync('notBefore', notBefore);
      return notBefore;
    });
    for (const { key, value } of this.#rows.getRange()) {
      this.#seen.add(value, this.#now);
      this.#last = key;
    }
  }

  /** Seconds since 1970. */
  get #now(): number {
    return Math.floor(this.#clock() / 1000);
  }

  /**
   * Takes room on the disk while there is some: pages that were used once and are free again. With it, signed requests
   * go on for a while when the disk is full.
   */
  #reserve(): void {
    const room = this.#root.openDB<Buffer, string>({ name: 'room', encoding: 'binary' });
    if (room.get('taken') !== undefined) return;
    try {
      this.#root.transactionSync(() => {
        room.putSync('taken', Buffer.alloc(1));
        room.putSync('reserve', Buffer.alloc(RESERVE));
      });
      room.removeSync('reserve');
    } catch {
      // The disk is full already; the next machine start tries again.
    }
  }

  remember(key: string, expiresAt: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (!(expiresAt >= EARLIEST)) throw new RangeError('expiresAt is a time in milliseconds since 1970');
      // Nonces come from outside: a digest is short, and nobody can choose how it begins.
      const digest = createHash('sha256').update(key).digest();
      const first = this.#waiting.push({ digest, expiresAt, resolve, reject }) === 1;
      if (first) process.nextTick(() => void this.#rememberWaiting());
    });
  }

  async #rememberWaiting(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    try {
      const isNew = await this.#gate.writing(() => this.#rememberAll(waiting));
      for (const [at, { resolve }] of waiting.entries()) resolve(isNew[at] === true);
    } catch (error) {
      // Nothing that cannot be remembered is accepted: another process would take it a second time.
      const refusal = noRoom('The container has no room to remember requests by; try again later.', error);
      for (const { reject } of waiting) reject(refusal);
    }
  }

  #rememberAll(waiting: readonly Waiting[]): boolean[] {
    const now = this.#now;
    const row = Buffer.alloc(waiting.length * ENTRY_BYTES);
    let end = 0;
    const isNew = this.#root.transactionSync(() => {
      this.#takeInRows(now);
      const own = new Set<string>();
      const outcomes = waiting.map(({ digest, expiresAt }) => {
        const text = digest.toString('latin1', 0, 8);
        if (own.has(text) || this.#seen.has(digest, now)) return false;
        own.add(text);
        writeEntry(row, end, digest, Math.ceil(expiresAt / 1000));
        end += ENTRY_BYTES;
        return true;
      });
      if (end > 0) this.#rows.putSync(this.#last + 1, row.subarray(0, end));
      if ((this.#last + 1) % PRUNED_EVERY === 0) this.#prune(now);
      return outcomes;
    });
    // Only what is stored is known: else a request that could not be stored would be refused as its own repetition.
    if (end > 0) {
      this.#seen.add(row.subarray(0, end), now);
      this.#last++;
    }
    return isNew;
  }

  /** Takes in the rows of other processes. */
  #takeInRows(now: number): void {
    for (let row; (row = this.#rows.get(this.#last + 1)) !== undefined; this.#last++)
      this.#seen.add(row, now);
  }

  /** Removes the oldest rows, up to the first that holds something live. */
  #prune(now: number): void {
    for (const { key, value } of [...this.#rows.getRange({ limit: PRUNED_AT_ONCE })]) {
      if (key >= this.#last || isLive(value, now)) return;
      this.#rows.removeSync(key);
    }
  }

  async close(): Promise<void> {
    await this.#rememberWaiting();
    await this.#root.close();
    this.#gate.close();
  }
}

/** Whether anything in a row has not expired. */
function isLive(row: Buffer, now: number): boolean {
  for (let at = 8; at < row.byteLength; at += ENTRY_BYTES) if (row.readUInt32LE(at) >= now) return true;
  return false;
}
