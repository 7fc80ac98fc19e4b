import { keepClinicianMode } from './clinician-mode.js';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Transaction } from 'lmdb';
import { DataDirectoryError } from './data-directory-error.js';
import type { Environment } from './environment.js';
import { HistoryTags, type TaggedChange } from './history-tags.js';
import { readSecretKey, readSecretKeyNow } from './key-file.js';
import { firstKeys, type WrappedKeys } from './keyring.js';
import { checkVersion, finishDirectory, FORMAT_VERSION } from './marker.js';
import { committed } from './disk-space.js';
import type { Nonces } from './nonces.js';
import { resealDocuments, resealSome } from './reseal.js';
import { SealedValues, type DataKeys } from './sealed-values.js';
import { copyHome, isCopy, prepareCopy, type CopyParts } from '../postgres/copy-home.js';
import { LocalCopy } from '../postgres/local-copy.js';
import { SharedNonces } from '../postgres/shared-nonces.js';
import type { Position, SharedStore } from '../postgres/shared-store.js';
import { walkStoreFile, type WalkOptions } from './store-file.js';
import { isSealed, tableNames } from './tables.js';
import { isOwnerIndexWhole, makeOwnerIndex } from './owner-index.js';
import { completeTokenIndex } from './token-index.js';
import { decodeValue, readTx, writeTx, type Key, type ReadTx, type WriteTx } from './transaction.js';
import { lastTransaction, sayWhenLong } from './lmdb-locks.js';

export const STORE = 'store';

/** An open directory. Writes go to its environment, or to the shared store that it copies. */
export class OpenDirectory {
  readonly formatVersion = FORMAT_VERSION;
  readonly #values: SealedValues;
  readonly #reader: ReadTx;
  readonly #writer: WriteTx;
  readonly #copy: LocalCopy | undefined;
  /** Resolves when reads see everything that any gateway has acknowledged. @throws Problem unavailable */
  readonly current: (() => Promise<void>) | undefined;
  /** Nonces that gateways share. Remembering one also brings reads up to date, as `current` does. */
  readonly nonces: Nonces | undefined;
  readonly secretKey: () => Uint8Array;
  #depth = 0;
  #closed = false;
  #lastCommit: number | undefined;
  readonly #forgetLastCommit = (): void => void (this.#lastCommit = undefined);

  constructor(
    readonly dir: string,
    readonly documentsDir: string,
    private readonly environment: Environment,
    readonly shared: SharedStore | undefined,
    private readonly leave: () => void,
    private readonly secret: Uint8Array | undefined,
  ) {
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
        const [firstMoment] = moments.getRange({ start, limit: 1 });
        return firstMoment as { key: number; value: Buffer } | undefined;
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
      // The copy may have advanced past the cached commit number.
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
      this.#lastCommit = lastTransaction(this.environment.folder);
      process.nextTick(this.#forgetLastCommit);
    }
    return this.#lastCommit;
  }

  /** Identifies this history. Read each time, since a restore begins a new one. */
  get epoch(): string {
    return this.read((tx) => String(tx.get('meta', 'epoch')));
  }

  /**
   * Initializes a new directory and opens the keys; safe when another process does the same at once.
   * @param seal whether records are sealed; undefined: as the directory has chosen, or yes for a new one
   * @throws DataDirectoryError when the directory has chosen otherwise
   */
  async begin(isNew: boolean, seal?: boolean): Promise<void> {
    if (this.shared) await prepareCopy(this.#copyParts(), this.shared);
    else if (this.read(() => isCopy(this.environment)))
      throw new DataDirectoryError(
        `${this.dir} holds a copy of a shared store: give its address with --store.`,
      );
    const [format, keys] = this.read(() =>
      ['format', 'keys'].map((name) => this.environment.tables.meta.get(name) as unknown),
    );
    if (!isNew || format !== undefined) checkVersion(this.dir, format);
    if (format !== undefined && keys === undefined)
      throw new DataDirectoryError(`${this.dir} is damaged: its keys are missing; restore a backup.`);
    const secret =
      this.secret ?? (await readSecretKey(this.dir, process.env, { create: keys === undefined }));
    if (format === undefined) {
      await this.transact((tx) => {
        if (tx.get('meta', 'format') !== undefined) return;
        tx.put('meta', 'format', FORMAT_VERSION);
        tx.put('meta', 'epoch', randomUUID());
        tx.put('meta', 'sequence', 0);
        keepClinicianMode(tx, 'related');
        tx.put('meta', 'keys', firstKeys(secret, seal === false ? 'accounts' : 'all'));
      });
    } else if (format !== FORMAT_VERSION) {
      // The marker first: earlier versions would mistake the new format for damage.
      await finishDirectory(this.dir);
      await this.transact((tx) => tx.put('meta', 'format', FORMAT_VERSION));
    }
    this.read(() => this.#values.refresh());
    if (seal !== undefined && seal === (this.#values.sealing === 'accounts'))
      throw new DataDirectoryError(
        `${this.dir} ${seal ? 'leaves records in the clear' : 'is sealed'}, which was chosen when it was made: leave --seal out, or restore a backup of it into a new directory with --seal ${seal ? 'on' : 'off'}.`,
      );
    await completeTokenIndex(this);
    if (!this.read(isOwnerIndexWhole)) await this.transact(makeOwnerIndex);
  }

  /** Keys to seal account secrets and to look up tokens: 64 bytes. */
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

  /** Whether `resealAll` must run: values may exist that another data key sealed, or none. */
  get hasOthers(): boolean {
    return this.read(() => {
      this.#values.refresh();
      return (
        this.#values.sealing === 'some' || (this.environment.tables.meta.get('keys') as WrappedKeys).pending
      );
    });
  }

  changeKeys(change: (keys: WrappedKeys) => WrappedKeys): Promise<void> {
    return this.transact((tx) => tx.put('meta', 'keys', change(tx.get('meta', 'keys') as WrappedKeys)));
  }

  /** Seals everything with the current data key, in short transactions, and drops the other keys. */
  async resealAll(progress: (done: number, total: number) => void = () => undefined): Promise<void> {
    for (;;) {
      await this.current?.();
      const { current } = this.dataKeys;
      await this.#resealTables(progress);
      await resealDocuments(this);
      // Writers use the current key of their transaction, so no other key is needed now, unless the key changed again.
      const isOver = await this.transact((tx) => {
        const keys = tx.get('meta', 'keys') as WrappedKeys;
        if (keys.current === current) tx.put('meta', 'keys', this.#values.keepCurrent(keys));
        return keys.current === current;
      });
      if (isOver) return;
    }
  }

  async #resealTables(progress: (done: number, total: number) => void): Promise<void> {
    const { tables } = this.environment;
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

  /** Runs `work` (synchronous) on a snapshot that includes every commit so far, by any process. */
  read<T>(work: (tx: ReadTx) => T): T {
    this.#refuseIfClosed();
    // LMDB keeps a read transaction until the next turn of the event loop, so it would miss commits of other processes.
    // A nested read keeps the outer snapshot.
    if (this.#depth === 0) {
      // Before the snapshot, so that nothing cached under this number is older than it.
      void this.lastCommit;
      this.environment.root.resetReadTxn();
    }
    return this.#within(() => work(this.#reader));
  }

  /** Runs `work` on one snapshot across turns of the event loop. @param work calls `hold` before it first awaits */
  async readInTurns<T>(work: (tx: ReadTx, hold: () => void) => T | Promise<T>): Promise<T> {
    let held: { transaction: Transaction } | undefined;
    const reader = readTx(this.environment, this.#values, () => held);
    const hold = (): void => {
      held ??= { transaction: this.environment.root.useReadTransaction() };
    };
    try {
      return await this.read(() => work(reader, hold));
    } finally {
      held?.transaction.done();
    }
  }

  /**
   * Runs `work` (synchronous) in a write transaction; resolves when it is synced to disk. If `work` throws, nothing is
   * written. Waiting transactions share one sync.
   */
  async transact<T>(work: (tx: WriteTx) => T): Promise<T> {
    this.#refuseIfClosed();
    if (this.#depth > 0) throw new Error('A transaction cannot begin inside another read or write.');
    const run = (tx: WriteTx): T => {
      this.#values.refresh();
      const result = work(tx);
      if (result instanceof Promise) throw new TypeError('the work of a transaction must be synchronous');
      return result;
    };
    return this.#copy ? this.#copy.commit(run) : this.#commit(() => run(this.#writer));
  }

  /** Walks and counts all pages of the store file. @throws DataDirectoryError when one is damaged */
  async checkPages(options?: WalkOptions): Promise<number> {
    this.#refuseIfClosed();
    // Keeps writers from reusing pages of its snapshot or later ones.
    const held = this.environment.root.useReadTransaction();
    try {
      return await walkStoreFile(join(this.environment.folder, 'data.mdb'), options);
    } finally {
      held.done();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.shared?.close();
    await this.environment.close();
    this.leave();
  }

  #copyParts(): CopyParts {
    return {
      dir: this.dir,
      environment: this.environment,
      values: this.#values,
      read: (work) => this.read(work),
      commit: (work) => this.#commit(work),
    };
  }

  #commit<T>(work: () => T): Promise<T> {
    const got = sayWhenLong(join(this.dir, STORE));
    const { root, gate } = this.environment;
    // LMDB commits many child transactions together; one that throws is rolled back alone.
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
