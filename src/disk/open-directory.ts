import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DataDirectory } from './data-directory.js';
import { DataDirectoryError } from './data-directory-error.js';
import type { Environment } from './environment.js';
import { HistoryTags, type TaggedChange } from './history-tags.js';
import { readSecretKey, readSecretKeyNow } from './key-file.js';
import { checkOldMark, firstKeys, type WrappedKeys } from './keyring.js';
import { checkVersion, finishDirectory, FORMAT_VERSION } from './marker.js';
import { noRoom, whyNotCommitted } from './no-room.js';
import type { Nonces } from './nonces.js';
import { refuseOldServer } from './old-server.js';
import { resealDocuments } from './reseal-documents.js';
import { resealSome } from './reseal.js';
import { SealedValues, type DataKeys } from './sealed-values.js';
import { copyHome, isCopy, prepareCopy, type CopyParts } from './shared/copy-home.js';
import { LocalCopy } from './shared/local-copy.js';
import { SharedNonces } from './shared/shared-nonces.js';
import type { Position, SharedStore } from './shared/shared-store.js';
import { isSealed, tableNames } from './tables.js';
import { completeTokenIndex } from './token-index.js';
import { decodeValue, readTx, writeTx, type Key, type ReadTx, type WriteTx } from './transaction.js';
import { lastTransaction, sayWhenLong } from './lmdb-lock-file.js';

/** Where the environment stands in a data directory. */
export const STORE = 'store';

/** An open directory: what is written goes to its environment, or to the shared store of which that holds a copy. */
export class OpenDirectory implements DataDirectory {
  readonly formatVersion = FORMAT_VERSION;
  readonly #environment: Environment;
  readonly #leave: () => void;
  readonly #values: SealedValues;
  readonly #reader: ReadTx;
  readonly #writer: WriteTx;
  readonly shared: SharedStore | undefined;
  readonly #copy: LocalCopy | undefined;
  readonly current: (() => Promise<void>) | undefined;
  readonly nonces: Nonces | undefined;
  /** Undefined where the key is that of the environment, or of a file. */
  readonly #secret: Uint8Array | undefined;
  readonly secretKey: () => Uint8Array;
  #depth = 0;
  #closed = false;
  #lastCommit: number | undefined;
  readonly #forgetLastCommit = (): void => void (this.#lastCommit = undefined);

  constructor(
    readonly dir: string,
    readonly documentsDir: string,
    environment: Environment,
    given: { shared: SharedStore | undefined; leave: () => void; secret: Uint8Array | undefined },
  ) {
    const { shared, leave, secret } = given;
    this.#environment = environment;
    this.#leave = leave;
    this.shared = shared;
    this.#secret = secret;
    this.secretKey = () => secret ?? readSecretKeyNow(dir, process.env);
    const { meta, moments } = environment.tables;
    this.#values = new SealedValues({
      secret: this.secretKey,
      stored: () => meta.getBinary('keys'),
      tagOf: (key) => tags.of(key),
    });
    const tags = new HistoryTags(
      () => this.lastCommit,
      (start) => {
        const [found] = moments.getRange({ start, limit: 1 });
        return found as { key: number; value: Buffer } | undefined;
      },
      ({ key, value }) => {
        const moment = decodeValue(this.#values.open(value, 'moments', key));
        return (moment as { changes: TaggedChange[] }).changes;
      },
    );
    this.#reader = readTx(environment, this.#values);
    this.#writer = writeTx(environment, this.#values);
    if (!shared) return;
    const home = copyHome(this.#copyParts());
    const position = (): Position | undefined => {
      const at = home.position();
      // The copy may be newer than the number of the last commit was a moment ago: nothing of it is kept under that.
      this.#lastCommit = undefined;
      return at;
    };
    const copy = new LocalCopy(shared, { ...home, position });
    this.#copy = copy;
    this.current = () => copy.current();
    this.nonces = new SharedNonces(shared, copy);
  }

  get lastCommit(): number {
    this.#refuseIfClosed();
    if (this.#lastCommit === undefined) {
      // Asked once for all that runs before anything else can come in: what that is about was there before it began.
      this.#lastCommit = lastTransaction(this.#environment.folder);
      process.nextTick(this.#forgetLastCommit);
    }
    return this.#lastCommit;
  }

  get epoch(): string {
    return this.read((tx) => String(tx.get('meta', 'epoch')));
  }

  /**
   * Writes what a new directory holds, or what one of before 0.3 lacks, and opens the keys; harmless when another process does
   * the same at the same time.
   * @param seal whether records are sealed; undefined for what a directory has chosen, or for yes
   * @throws DataDirectoryError where the directory has chosen otherwise
   */
  async begin(isNew: boolean, seal?: boolean): Promise<void> {
    if (this.shared) await prepareCopy(this.#copyParts(), this.shared);
    else if (this.read(() => isCopy(this.#environment)))
      throw new DataDirectoryError(
        `${this.dir} holds a copy of a shared store: give its address with --store.`,
      );
    const [format, keys, mark] = this.read(() =>
      ['format', 'keys', 'secret-key-check'].map(
        (name) => this.#environment.tables.meta.get(name) as unknown,
      ),
    );
    if (!isNew || format !== undefined) checkVersion(this.dir, format);
    const sealed = keys !== undefined || mark !== undefined;
    const secret = this.#secret ?? (await readSecretKey(this.dir, process.env, { create: !sealed }));
    if (format === undefined) {
      await this.transact((tx) => {
        if (tx.get('meta', 'format') !== undefined) return;
        tx.put('meta', 'format', FORMAT_VERSION);
        tx.put('meta', 'epoch', randomUUID());
        tx.put('meta', 'sequence', 0);
        tx.put('meta', 'keys', firstKeys(secret, seal === false ? 'accounts' : 'all'));
      });
    } else if (keys === undefined) {
      checkOldMark(mark, secret);
      refuseOldServer(this.dir, this.#environment);
      // First the marker: version 0.2 would take sealed values for texts.
      await finishDirectory(this.dir);
      await this.transact((tx) => {
        if (tx.get('meta', 'keys') !== undefined) return;
        tx.put('meta', 'format', FORMAT_VERSION);
        tx.put('meta', 'keys', firstKeys(secret, 'some'));
      });
    } else if (format !== FORMAT_VERSION) {
      // In this order: earlier versions would take what this one writes for damage.
      await finishDirectory(this.dir);
      await this.transact((tx) => tx.put('meta', 'format', FORMAT_VERSION));
    }
    this.read(() => this.#values.refresh());
    if (seal !== undefined && seal === (this.#values.sealing === 'accounts'))
      throw new DataDirectoryError(
        `${this.dir} ${seal ? 'leaves records in the clear' : 'is sealed'}, which was chosen when it was made: leave --seal out, or restore a backup of it into a new directory with --seal ${seal ? 'on' : 'off'}.`,
      );
    await completeTokenIndex(this);
  }

  get accountKey(): Uint8Array {
    // A restore may have changed it.
    this.read(() => this.#values.refresh());
    return this.#values.accountKey;
  }

  get sealsRecords(): boolean {
    this.read(() => this.#values.refresh());
    return this.#values.sealing !== 'accounts';
  }

  get dataKeys(): DataKeys {
    this.read(() => this.#values.refresh());
    return this.#values;
  }

  get hasOthers(): boolean {
    return this.read(() => {
      this.#values.refresh();
      return (
        this.#values.sealing === 'some' || (this.#environment.tables.meta.get('keys') as WrappedKeys).pending
      );
    });
  }

  changeKeys(change: (keys: WrappedKeys) => WrappedKeys): Promise<void> {
    return this.transact((tx) => tx.put('meta', 'keys', change(tx.get('meta', 'keys') as WrappedKeys)));
  }

  async resealAll(progress: (done: number, total: number) => void = () => undefined): Promise<void> {
    for (;;) {
      await this.current?.();
      const { current } = this.dataKeys;
      await this.#resealTables(progress);
      await resealDocuments(this);
      // Whoever writes looks for the current key in the same transaction, so by now nothing needs another one, unless
      // the key was changed once more: then what was sealed before that is not sealed with it.
      const isOver = await this.transact((tx) => {
        const keys = tx.get('meta', 'keys') as WrappedKeys;
        if (keys.current === current) tx.put('meta', 'keys', this.#values.keepCurrent(keys));
        return keys.current === current;
      });
      if (isOver) return;
    }
  }

  async #resealTables(progress: (done: number, total: number) => void): Promise<void> {
    const { tables } = this.#environment;
    const all = tableNames.filter(isSealed);
    const total = this.read((tx) => all.reduce((sum, table) => sum + tx.count(table), 0));
    let done = 0;
    for (const table of all) {
      for (let after: Key | undefined; ;) {
        const step = await this.transact((tx) => resealSome(tx, tables[table], table, this.#values, after));
        progress((done += step.looked), total);
        if (step.last === undefined) break;
        after = step.last;
      }
    }
  }

  read<T>(work: (tx: ReadTx) => T): T {
    this.#refuseIfClosed();
    // LMDB's read transaction lives on until the next turn of the event loop; without this, what another process
    // has just committed stays unseen. A read inside a read or a write keeps the outer snapshot.
    if (this.#depth === 0) {
      // In this order: what is kept under that number while the snapshot is read is never older than it.
      void this.lastCommit;
      this.#environment.root.resetReadTxn();
    }
    return this.#within(() => work(this.#reader));
  }

  async transact<T>(work: (tx: WriteTx) => T): Promise<T> {
    this.#refuseIfClosed();
    if (this.#depth > 0) throw new Error('A transaction cannot begin inside another read or write.');
    const run = (tx: WriteTx): T => {
      this.#values.refresh();
      return synchronous(work(tx));
    };
    return this.#copy ? this.#copy.commit(run) : this.#commit(() => run(this.#writer));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.shared?.close();
    await this.#environment.close();
    this.#leave();
  }

  #copyParts(): CopyParts {
    return {
      dir: this.dir,
      environment: this.#environment,
      values: this.#values,
      read: (work) => this.read(work),
      commit: (work) => this.#commit(work),
    };
  }

  #commit<T>(work: () => T): Promise<T> {
    const got = sayWhenLong(join(this.dir, STORE));
    const { root, gate } = this.#environment;
    // A child transaction: LMDB commits many of them together, yet one that throws is undone alone.
    const write = (): Promise<T> =>
      root.childTransaction(() => {
        got();
        return this.#within(work);
      });
    return committed(gate.writing(write)).finally(got);
  }

  #within<T>(work: () => T): T {
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('The data directory is closed.');
  }
}

/** Work that goes on after its transaction would be half inside it. */
function synchronous<T>(result: T): T {
  if (result instanceof Promise) throw new TypeError('the work of a transaction must be synchronous');
  return result;
}

/** Says why a commit failed: LMDB's error only points to another promise, which rejects with the reason. */
async function committed<T>(transaction: Promise<T>): Promise<T> {
  try {
    return await transaction;
  } catch (error) {
    if (!(error instanceof Error && 'commitError' in error)) throw error;
    const cause = await Promise.resolve(error.commitError).catch((reason: unknown) => reason);
    throw noRoom(`The change could not be written to disk: ${whyNotCommitted(cause)}.`, cause);
  }
}
