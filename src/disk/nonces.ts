import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { bootId } from './processes.js';

/** Times in milliseconds since 1970; a smaller number than this was meant in seconds. */
const EARLIEST = 1e11;
/** Every so many new nonces the expired ones are looked for: looking at each would cost a request a third more. */
const PRUNED_EVERY = 64;
/** Expired nonces taken away at once: more than come in between, so that the table shrinks after a rush. */
const PRUNED_AT_ONCE = 4 * PRUNED_EVERY;

/** What has been used once and must not be used again for a while. */
export interface Nonces {
  /**
   * Nothing may be accepted that was made before this time (milliseconds since 1970; 0: no limit). After a power loss
   * the newest nonces may be lost, and every request of before must be taken for a repetition.
   */
  readonly notBefore: number;
  /**
   * Remembers a key of any length until `expiresAt` (milliseconds since 1970). True when it is new, false when it is
   * remembered already, by whichever process: of several that try at once exactly one gets true.
   */
  remember(key: string, expiresAt: number): boolean;
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
  const nonces = new OpenNonces(join(home, boot), clock, earlier.length > 0);
  for (const name of earlier) await rm(join(home, name), { recursive: true, force: true });
  return nonces;
}

class OpenNonces implements Nonces {
  readonly notBefore: number;
  readonly #clock: () => number;
  #remembered = 0;
  readonly #root: RootDatabase;
  /** Digest of the key → when it expires. */
  readonly #seen: Database<number, string>;
  /** [when, digest], to find what has expired. */
  readonly #expiring: Database<true, [number, string]>;

  constructor(path: string, clock: () => number, rebooted: boolean) {
    this.#clock = clock;
    this.#root = open({ path, noSync: true, noSubdir: false, maxReaders: 512 });
    this.#seen = this.#root.openDB({ name: 'seen' });
    this.#expiring = this.#root.openDB({ name: 'expiring' });
    const state = this.#root.openDB<number, string>({ name: 'state' });
    // Whoever is first after a restart decides for all processes.
    this.notBefore = state.transactionSync(() => {
      const known = state.get('notBefore');
      if (known !== undefined) return known;
      const notBefore = rebooted ? clock() : 0;
      state.putSync('notBefore', notBefore);
      return notBefore;
    });
  }

  remember(key: string, expiresAt: number): boolean {
    if (!(expiresAt >= EARLIEST)) throw new RangeError('expiresAt is a time in milliseconds since 1970');
    // LMDB's keys are short and nonces come from outside.
    const digest = createHash('sha256').update(key).digest('base64');
    return this.#root.transactionSync(() => {
      if (this.#seen.get(digest) !== undefined) return false;
      if (this.#remembered++ % PRUNED_EVERY === 0) this.#prune();
      this.#seen.putSync(digest, expiresAt);
      this.#expiring.putSync([expiresAt, digest], true);
      return true;
    });
  }

  #prune(): void {
    const now = this.#clock();
    const oldest = [...this.#expiring.getKeys({ limit: PRUNED_AT_ONCE })];
    for (const entry of oldest) {
      if (entry[0] >= now) return;
      this.#seen.removeSync(entry[1]);
      this.#expiring.removeSync(entry);
    }
  }

  close(): Promise<void> {
    return this.#root.close();
  }
}
