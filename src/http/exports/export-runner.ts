import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AccessLog } from '../../access-log/access-log.js';
import type { Accounts } from '../../accounts/accounts.js';
import { hasExpired, type BulkExport, type ExportedFile } from '../../accounts/bulk-exports.js';
import { leaseHolder, takeLease } from '../../disk/lease.js';
import { liesAhead } from '../../disk/lies-ahead.js';
import { faultFacts, isOfContainer } from '../../metrics/fault-facts.js';
import { Problem } from '../../problem.js';
import { changedRecordAfter, recordAfter } from '../../records/record-order.js';
import { StoreFull } from '../../store/capacity.js';
import { CommitWatch } from '../../store/commit-watch.js';
import { callsOfApps, type CallsOfApp } from '../app-requirements.js';
import { ExportBatch } from './export-batch.js';
import { exportedCalls, exportedResources, type ExportReads } from './exported-resources.js';

/** What exports are made with. */
export interface ExportParts extends ExportReads {
  readonly accounts: Accounts;
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Bytes of the stored files of an export. */
  readonly mostBytes?: number;
  /** Bytes that wait in memory before they become files. */
  readonly batchBytes?: number;
  /** Milliseconds until it is tried again, after each attempt that failed. */
  readonly delays?: readonly number[];
}

/** Milliseconds between two looks for what is due or has expired. */
const TICK = 1000;
const MOST_BYTES = 1024 ** 3;
const BATCH_BYTES = 16 * 1024 * 1024;
const DELAYS = [5000, 60_000, 300_000, 1_800_000];
/**
 * Milliseconds until it is tried again after what came of an attempt could not be stored: each reads the same records once
 * more, and says so in the access log.
 */
const PAUSE = 30_000;
/**
 * Milliseconds until it is tried again where the container has no room, or does not reach its store. That is no attempt of
 * the export, which goes on when the operator has made room, however long that takes.
 */
const WITHOUT_ROOM = 60_000;

/** What cannot be done, however often it is tried: its name is the reason that the app is told. */
class ExportFailure extends Error {}

/**
 * Makes the exports that apps have asked for: one at a time and record by record, in turns where several wait. Some
 * records go into files together, and the export says so in one transaction: a process that is killed goes on behind
 * them, and none is told twice or left out.
 */
export class ExportRunner {
  readonly #parts: ExportParts;
  readonly #watch: CommitWatch;
  readonly #callsOfApp: CallsOfApp;
  readonly #holder: string;
  readonly #stop = new AbortController();
  /** Ended exports whose files were removed from this directory. */
  readonly #removed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  /** Milliseconds of `performance.now` before which nothing is tried. */
  #pausedUntil = 0;
  /** When that which has ended was looked for last, likewise. */
  #tidied = 0;

  constructor(parts: ExportParts) {
    const { primary, ontology } = parts;
    this.#parts = parts;
    this.#watch = new CommitWatch(primary.directory);
    this.#callsOfApp = callsOfApps(ontology, primary);
    this.#holder = leaseHolder(primary.directory);
  }

  /** Begins: what waits now, and what comes. */
  start(): void {
    const look = (): void => void this.look();
    this.#watch.add(look);
    this.#timer = setInterval(look, TICK).unref();
    look();
  }

  /** Stops; what is not in files yet is read again when somebody starts. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch.close();
    clearInterval(this.#timer);
    await this.#pass;
  }

  /** Makes what is due and removes what has ended. @returns when there is nothing to do any more */
  look(): Promise<void> {
    if (this.#stop.signal.aborted || performance.now() < this.#pausedUntil) return Promise.resolve();
    return (this.#pass ??= this.#run()
      .catch((error: unknown) => {
        this.#pausedUntil = performance.now() + PAUSE;
        this.#fault(error, 'exports could not be looked at');
      })
      .finally(() => {
        this.#pass = undefined;
      }));
  }

  async #run(): Promise<void> {
    const { accounts, primary, delays = DELAYS } = this.#parts;
    const longest = Math.max(WITHOUT_ROOM, ...delays);
    while (!this.#stop.signal.aborted) {
      await this.#tidy();
      const [next] = accounts
        .listExports()
        .filter(({ state, notBefore }) => state === 'waiting' && !liesAhead(notBefore, this.#now(), longest))
        .sort((a, b) => a.updated - b.updated);
      if (!next) return;
      if (!(await takeLease(primary.directory, 'exports', this.#holder, this.#now()))) return;
      await this.#advance(next).catch((error: unknown) => this.#failed(next, error));
    }
  }

  /** Ends what has expired, or whose app may not export any more; every gateway removes the files that it has. */
  async #tidy(): Promise<void> {
    const { accounts } = this.#parts;
    this.#tidied = performance.now();
    const known = accounts.listExports();
    for (const job of known) {
      const { id, state } = job;
      const isOver = hasExpired(job, this.#now());
      if (state === 'ended' || state === 'failed') {
        if (!this.#removed.has(id)) await this.#removeFiles(job.files);
        this.#removed.add(id);
        if (isOver) await accounts.changeExport(id, () => undefined);
      } else if (isOver || !this.#mayGoOn(job)) {
        // Nobody is given its files any more. They go first: where the disk is full, that makes the room to say so.
        await this.#removeFiles(job.files);
        await accounts.changeExport(id, (now) => ({ ...now, state: 'ended', updated: this.#now() }));
        this.#removed.add(id);
      }
    }
    for (const id of this.#removed) if (!known.some((job) => job.id === id)) this.#removed.delete(id);
  }

  #mayGoOn({ app, epoch }: BulkExport): boolean {
    const { accounts, primary } = this.#parts;
    // A backup that was restored counts revisions anew.
    return accounts.app(app)?.mode === 'background' && epoch === primary.directory.epoch;
  }

  /** Reads records until there is enough for files, or no further record. */
  async #advance(job: BulkExport): Promise<void> {
    const { accounts, primary, ontology, accessLog } = this.#parts;
    const { mostBytes = MOST_BYTES, batchBytes = BATCH_BYTES } = this.#parts;
    const { id, app, since, revision } = job;
    const batch = new ExportBatch(ontology, job.format);
    let { after, records } = job;
    let isDone = false;
    while (batch.size < batchBytes) {
      await nextTurn();
      // To read so much may take minutes, and an export that ended is not known for longer than one.
      if (performance.now() > this.#tidied + TICK) await this.#tidy();
      const now = accounts.bulkExport(id);
      if (this.#stop.signal.aborted || now?.state !== 'waiting' || !this.#mayGoOn(now)) return;
      if (!(await takeLease(primary.directory, 'exports', this.#holder, this.#now()))) return;
      const record = this.#recordAfter(after, since);
      if (record === undefined) {
        isDone = true;
        break;
      }
      // Narrowed at once when the manifest is.
      const calls = exportedCalls(ontology, this.#callsOfApp(app), job.classes);
      let isRecorded = false;
      for await (const resource of exportedResources(this.#parts, { record, revision, since, calls })) {
        if (!isRecorded)
          await accessLog.record({
            ...{ action: 'export', outcome: 'done', app, record, revision },
            resource: `/apps/${app}/exports/${id}`,
          });
        isRecorded = true;
        await batch.add(resource);
        if (this.#stop.signal.aborted) return;
      }
      after = record;
      records++;
    }
    const files = await this.#stored(batch);
    if (!files) return;
    if (sizeOf(job.files) + sizeOf(files) > mostBytes) {
      await this.#removeFiles(files);
      throw new ExportFailure('too-large');
    }
    let isTaken = false;
    await accounts.changeExport(id, (now) => {
      // Cancelled meanwhile, or somebody else has come further.
      isTaken = now.state === 'waiting' && now.records === job.records && this.#mayGoOn(now);
      if (!isTaken) return now;
      return {
        ...now,
        ...{ after, records, files: [...now.files, ...files], updated: this.#now(), failures: 0 },
        ...(isDone ? { state: 'done' } : {}),
      };
    });
    if (!isTaken) await this.#removeFiles(files);
  }

  /** Stores the files of some records: all, or none. @returns undefined when this process stops meanwhile */
  async #stored(batch: ExportBatch): Promise<ExportedFile[] | undefined> {
    const files: ExportedFile[] = [];
    try {
      for await (const file of batch.stored(this.#parts.documents)) {
        files.push(file);
        if (!this.#stop.signal.aborted) continue;
        await this.#removeFiles(files);
        return undefined;
      }
      return files;
    } catch (error) {
      await this.#removeFiles(files);
      throw error;
    }
  }

  #recordAfter(after: string | undefined, since: number | undefined): string | undefined {
    const { directory } = this.#parts.primary;
    const present = recordAfter(directory, after);
    const changed = since === undefined ? undefined : changedRecordAfter(directory, after);
    if (present === undefined || changed === undefined) return present ?? changed;
    return present < changed ? present : changed;
  }

  async #failed(job: BulkExport, error: unknown): Promise<void> {
    const { accounts, delays = DELAYS } = this.#parts;
    this.#fault(error, 'an export could not go on', { app: job.app, export: job.id });
    const final = reasonOf(error);
    await accounts.changeExport(job.id, (now) => {
      if (now.state !== 'waiting') return now;
      if (isOfContainer(error)) return { ...now, notBefore: this.#now() + WITHOUT_ROOM };
      const delay = final === undefined ? delays[now.failures] : undefined;
      const failures = now.failures + 1;
      if (delay !== undefined) return { ...now, failures, notBefore: this.#now() + delay };
      return { ...now, failures, state: 'failed', updated: this.#now(), reason: final ?? 'internal' };
    });
  }

  async #removeFiles(files: readonly ExportedFile[]): Promise<void> {
    for (const { key } of files) await this.#parts.documents.remove(key.sha256);
  }

  #now(): number {
    return (this.#parts.clock ?? Date.now)();
  }

  #fault(
    error: unknown,
    what: string,
    about: { readonly app?: string; readonly export?: string } = {},
  ): void {
    this.#parts.log.error({ ...about, ...faultFacts(error), reason: reasonOf(error) }, what);
  }
}

const sizeOf = (files: readonly ExportedFile[]): number => files.reduce((sum, { key }) => sum + key.size, 0);

/** Why it makes no sense to try again; undefined where it does. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ExportFailure) return error.message;
  if (error instanceof StoreFull) return 'record-too-large';
  return error instanceof Problem && error.kind === 'no-history' ? error.kind : undefined;
}
