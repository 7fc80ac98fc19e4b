import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { noRoom } from './no-room.js';
import { bootId } from './processes.js';
import { openWriteGate, type WriteGate } from './write-gate.js';

/** Times in milliseconds since 1970; a smaller number than this was meant in seconds. */
const EARLIEST = 1e11;
/** Every so many new nonces some of the remembered ones are looked at, whether they have expired. */
const PRUNED_EVERY = 64;
/** How many are looked at then: more than come in between, so that the table shrinks after a rush. */
const PRUNED_AT_ONCE = 4 * PRUNED_EVERY;

/** Bytes that are set aside for when the disk is full: some 200,000 nonces, which live ten minutes. */
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
   * one turn of the event loop share a transaction, whose commit is most of the cost.
   * @throws Problem unavailable when there is no room for it
   * @throws RangeError for a time in seconds
   */
  remember(key: string, expiresAt: number): Promise<boolean>;
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
  const boot = bootId();
  await mkdir(join(home, boot), { recursive: true, mode: 0o700 });
  const earlier = (await readdir(home)).filter((name) => name !== boot);
  const gate = openWriteGate(join(home, boot));
  const nonces = await gate.opening(() => new OpenNonces(join(home, boot), gate, clock, earlier.length > 0));
  for (const name of earlier) await rm(join(home, name), { recursive: true, force: true });
  return nonces;
}

interface Waiting {
  readonly digest: string;
  readonly expiresAt: number;
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (reason: unknown) => void;
}

class OpenNonces implements Nonces {
  readonly notBefore: number;
  readonly #gate: WriteGate;
  readonly #clock: () => number;
  #remembered = 0;
  /** What has come in this turn of the event loop. */
  #waiting: Waiting[] = [];
  readonly #root: RootDatabase;
  /** Digest of the key → when it expires. */
  readonly #seen: Database<number, string>;
  /** The digest up to which the table was looked through for what has expired; at its end it begins anew. */
  #prunedTo = '';

  constructor(path: string, gate: WriteGate, clock: () => number, rebooted: boolean) {
    this.#gate = gate;
    this.#clock = clock;
    this.#root = open({ path, noSync: true, noSubdir: false, maxReaders: 512 });
    this.#seen = this.#root.openDB({ name: 'seen' });
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
      // LMDB's keys are short and nonces come from outside.
      const digest = createHash('sha256').update(key).digest('base64');
      const first = this.#waiting.push({ digest, expiresAt, resolve, reject }) === 1;
      if (first) setImmediate(() => void this.#rememberWaiting());
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
    return this.#root.transactionSync(() => {
      this.#pruneNowAndThen(waiting.length);
      return waiting.map(({ digest, expiresAt }) => this.#rememberOne(digest, expiresAt));
    });
  }

  #rememberOne(digest: string, expiresAt: number): boolean {
    const until = this.#seen.get(digest);
    if (until !== undefined && until >= this.#clock()) return false;
    this.#seen.putSync(digest, expiresAt);
    return true;
  }

  /**
   * Takes away what has expired among the next few, in the order of the digests, which says nothing of time. Each is
   * looked at once in a round, so the table holds at most a third more than what is still remembered.
   */
  #pruneNowAndThen(added: number): void {
    const before = this.#remembered;
    this.#remembered += added;
    if (before > 0 && Math.floor(before / PRUNED_EVERY) === Math.floor(this.#remembered / PRUNED_EVERY))
      return;
    const now = this.#clock();
    const from = this.#prunedTo === '' ? {} : { start: this.#prunedTo };
    const some = [...this.#seen.getRange({ ...from, limit: PRUNED_AT_ONCE })];
    for (const { key, value } of some) if (value < now) this.#seen.removeSync(key);
    this.#prunedTo = some.length < PRUNED_AT_ONCE ? '' : (some.at(-1)?.key ?? '');
  }

  async close(): Promise<void> {
    await this.#rememberWaiting();
    await this.#root.close();
    this.#gate.close();
  }
}
