import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AccessLog } from '../../access/log/access-log.js';
import type { Accounts } from '../../access/accounts/accounts.js';
import { hasExpired, type BulkExport, type ExportedFile } from '../../access/accounts/bulk-exports.js';
import { leaseHolder, takeLease } from '../../store/disk/lease.js';
import { liesAhead } from '../../store/disk/clock.js';
import { faultFacts, isOfContainer } from '../../http/fault-facts.js';
import { Problem } from '../../model/problem.js';
import { changedRecordAfter, recordAfter } from '../../records/record-order.js';
import { StoreFull } from '../../store/capacity.js';
import { CommitWatch } from '../../store/commit-watch.js';
import { closedViews, type ClosedViews } from '../../http/closed-view.js';
import { callsOfApps, type CallsOfApp } from '../../http/authorize.js';
import { ExportBatch, exportedCalls, exportedResources, type ExportReads } from './exported-resources.js';

export interface ExportParts extends ExportReads {
  readonly accounts: Accounts;
  readonly accessLog: Pick<AccessLog, 'record'>;
  readonly log: Logger;
  readonly clock?: () => number;
  readonly mostBytes?: number;
  readonly batchBytes?: number;
  /** Milliseconds until each retry. */
  readonly delays?: readonly number[];
}

const TICK_MS = 1000;
const MAX_BYTES = 1024 ** 3;
const BATCH_BYTES = 16 * 1024 * 1024;
const DELAYS = [5000, 60_000, 300_000, 1_800_000];
/** Delay when an outcome could not be stored: each retry reads the records again, with access log entries. */
const PAUSE_MS = 30_000;
/** Delay without disk space or store. Not an attempt: exports continue once the operator has made room. */
const NO_ROOM_DELAY_MS = 60_000;

class ExportFailure extends Error {}

/**
 * Makes exports one at a time, record by record, in short turns. Stores records' files and the export's progress in one
 * transaction, so a killed process resumes without repeating or omitting any.
 */
export class ExportRunner {
  readonly #watch: CommitWatch;
  readonly #callsOfApp: CallsOfApp;
  readonly #views: ClosedViews;
  readonly #holder: string;
  readonly #stop = new AbortController();
  readonly #removed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;
  #pausedUntil = 0;
  #tidied = 0;

  constructor(private readonly parts: ExportParts) {
    const { primary, ontology } = parts;
    this.#watch = new CommitWatch(primary.directory);
    this.#callsOfApp = callsOfApps(ontology, primary);
    this.#views = closedViews(parts);
    this.#holder = leaseHolder(primary.directory);
  }

  start(): void {
    const look = (): void => void this.look();
    this.#watch.add(look);
    this.#timer = setInterval(look, TICK_MS).unref();
    look();
  }

  /** Stops; records not yet in files are read again later. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#watch.close();
    clearInterval(this.#timer);
    await this.#pass;
  }

  look(): Promise<void> {
    if (this.#stop.signal.aborted || performance.now() < this.#pausedUntil) return Promise.resolve();
    return (this.#pass ??= this.#run()
      .catch((error: unknown) => {
        this.#pausedUntil = performance.now() + PAUSE_MS;
        this.#fault(error, 'exports could not be looked at');
      })
      .finally(() => {
        this.#pass = undefined;
      }));
  }

  async #run(): Promise<void> {
    const { accounts, primary, delays = DELAYS } = this.parts;
    const longest = Math.max(NO_ROOM_DELAY_MS, ...delays);
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

  /** Ends expired exports, and those whose app may no longer export; each gateway removes its files. */
  async #tidy(): Promise<void> {
    const { accounts } = this.parts;
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
        // Files first: on a full disk that makes room for the change.
        await this.#removeFiles(job.files);
        await accounts.changeExport(id, (now) => ({ ...now, state: 'ended', updated: this.#now() }));
        this.#removed.add(id);
      }
    }
    for (const id of this.#removed) if (!known.some((job) => job.id === id)) this.#removed.delete(id);
  }

  #mayGoOn({ app, epoch }: BulkExport): boolean {
    const { accounts, primary } = this.parts;
    // A restored backup starts a new count of revisions.
    return accounts.app(app)?.mode === 'background' && epoch === primary.directory.epoch;
  }

  async #advance(job: BulkExport): Promise<void> {
    const { accounts, primary, ontology, accessLog } = this.parts;
    const { mostBytes = MAX_BYTES, batchBytes = BATCH_BYTES } = this.parts;
    const { id, app, since, revision } = job;
    const batch = new ExportBatch(ontology, job.format);
    let { after, records } = job;
    let isDone = false;
    while (batch.size < batchBytes) {
      await nextTurn();
      // Reading may take minutes, and ended exports must be noticed within a second.
      if (performance.now() > this.#tidied + TICK_MS) await this.#tidy();
      const now = accounts.bulkExport(id);
      if (this.#stop.signal.aborted || now?.state !== 'waiting' || !this.#mayGoOn(now)) return;
      if (!(await takeLease(primary.directory, 'exports', this.#holder, this.#now()))) return;
      const record = this.#recordAfter(after, since);
      if (record === undefined) {
        isDone = true;
        break;
      }
      const calls = exportedCalls(ontology, this.#callsOfApp(app), job.classes);
      let isRecorded = false;
      const reads = { ...this.parts, ...this.#views(record, { app }) };
      for await (const resource of exportedResources(reads, { record, revision, since, calls })) {
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
      // It was cancelled, or another process got further.
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

  async #stored(batch: ExportBatch): Promise<ExportedFile[] | undefined> {
    const files: ExportedFile[] = [];
    try {
      for await (const file of batch.stored(this.parts.documents)) {
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
    const { directory } = this.parts.primary;
    const present = recordAfter(directory, after);
    const changed = since === undefined ? undefined : changedRecordAfter(directory, after);
    if (present === undefined || changed === undefined) return present ?? changed;
    return present < changed ? present : changed;
  }

  async #failed(job: BulkExport, error: unknown): Promise<void> {
    const { accounts, delays = DELAYS } = this.parts;
    this.#fault(error, 'an export could not go on', { app: job.app, export: job.id });
    const final = reasonOf(error);
    await accounts.changeExport(job.id, (now) => {
      if (now.state !== 'waiting') return now;
      if (isOfContainer(error)) return { ...now, notBefore: this.#now() + NO_ROOM_DELAY_MS };
      const delay = final === undefined ? delays[now.failures] : undefined;
      const failures = now.failures + 1;
      if (delay !== undefined) return { ...now, failures, notBefore: this.#now() + delay };
      return { ...now, failures, state: 'failed', updated: this.#now(), reason: final ?? 'internal' };
    });
  }

  async #removeFiles(files: readonly ExportedFile[]): Promise<void> {
    for (const { key } of files) await this.parts.documents.remove(key.sha256);
  }

  #now(): number {
    return (this.parts.clock ?? Date.now)();
  }

  #fault(
    error: unknown,
    what: string,
    about: { readonly app?: string; readonly export?: string } = {},
  ): void {
    this.parts.log.error({ ...about, ...faultFacts(error), reason: reasonOf(error) }, what);
  }
}

const sizeOf = (files: readonly ExportedFile[]): number => files.reduce((sum, { key }) => sum + key.size, 0);

function reasonOf(error: unknown): string | undefined {
  if (error instanceof ExportFailure) return error.message;
  if (error instanceof StoreFull) return 'record-too-large';
  return error instanceof Problem && error.kind === 'no-history' ? error.kind : undefined;
}
