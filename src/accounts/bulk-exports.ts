import { randomUUID } from 'node:crypto';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import type { ContentKey } from '../disk/document-files.js';
import { liesAhead } from '../disk/lies-ahead.js';
import type { Vault } from './vault.js';

/** How the resources of an export stand in its files. */
export const exportFormats = ['ndjson', 'nquads'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A file of an export, compressed, behind bytes that nobody is shown. */
export interface ExportedFile {
  /** The class of the resources in it; undefined for the addresses of those that were removed. */
  readonly class?: string | undefined;
  /** The classes of the resources whose addresses are in it. */
  readonly removedClasses?: readonly string[];
  readonly key: ContentKey;
  /** Resources, or addresses. */
  readonly count: number;
}

/** An export of records for an app, made in the background. */
export interface BulkExport {
  readonly id: string;
  readonly app: string;
  readonly format: ExportFormat;
  /** IRIs of classes; undefined for all that the app may read. */
  readonly classes?: readonly string[] | undefined;
  /** Only what changed after this revision. */
  readonly since?: number | undefined;
  /** The state of the records that it tells of, in the epoch of the data directory in which it was begun. */
  readonly revision: number;
  readonly epoch: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** `ended`: cancelled, expired, or of an app that may not export any more; its files go. */
  readonly state: 'waiting' | 'done' | 'failed' | 'ended';
  /** When it last came forward, or to its state. */
  readonly updated: number;
  /** The last record that is in the files, in the order of records, and how many there are. */
  readonly after?: string | undefined;
  readonly records: number;
  readonly files: readonly ExportedFile[];
  /** Attempts to go on that failed, and before when it is not tried again. */
  readonly failures: number;
  readonly notBefore: number;
  /** Why it failed, in a word. */
  readonly reason?: string | undefined;
}

/** What a new export is made of. */
export type BulkExportRequest = Pick<
  BulkExport,
  'app' | 'format' | 'classes' | 'since' | 'revision' | 'epoch'
>;

/** The exports that apps have asked for. */
export interface BulkExportAccounts {
  /** Begins an export. @returns undefined when the app has as many as it may */
  beginExport(request: BulkExportRequest): Promise<BulkExport | undefined>;
  bulkExport(id: string): BulkExport | undefined;
  /** All, or those of an app, the oldest first. */
  listExports(app?: string): BulkExport[];
  /** Changes an export; undefined removes it. @returns what it is then; undefined when there is none */
  changeExport(
    id: string,
    change: (now: BulkExport) => BulkExport | undefined,
  ): Promise<BulkExport | undefined>;
}

/** Exports of an app that are being made or whose files are there. */
export const MOST_EXPORTS = 3;
/** Exports of an app that have ended or failed and are still known: whoever begins and cancels without end fills nothing. */
const MOST_KNOWN = 20;
/** Milliseconds in which every gateway that runs has removed the files of one that ended; others sweep when they start. */
const REMOVAL = 60_000;
/** Milliseconds that the files of an export are there, and that it is known afterwards. */
export const EXPORT_LIFETIME = 24 * 60 * 60 * 1000;

const TABLE = 'exports';

/** When what is done, failed or ended is no more; undefined for what is being made. */
export function expiryOf({ state, updated }: BulkExport): number | undefined {
  return state === 'waiting' ? undefined : updated + EXPORT_LIFETIME;
}

/** @param now milliseconds since 1970 */
export function hasExpired(job: BulkExport, now: number): boolean {
  const expiry = expiryOf(job);
  return expiry !== undefined && !liesAhead(expiry, now, 2 * EXPORT_LIFETIME);
}

/** The hashes of all files that exports have, as the sweep of documents asks for them. */
export function exportedContents(tx: ReadTx): string[] {
  return listed(tx).flatMap(({ files }) => files.map(({ key }) => key.sha256));
}

/**
 * Ends the exports that a record may be in, those that are being made included; their files go.
 * @param now milliseconds since 1970
 * @returns how many
 */
export function endExportsWith(tx: WriteTx, record: string, now: number): number {
  const holding = listed(tx).filter(
    ({ state, after }) => state === 'waiting' || (state === 'done' && after !== undefined && after >= record),
  );
  for (const each of holding)
    tx.put(TABLE, each.id, { ...each, state: 'ended', updated: now } satisfies BulkExport);
  return holding.length;
}

const listed = (tx: ReadTx): BulkExport[] =>
  [...tx.range(TABLE)]
    .map(({ value }) => value as BulkExport)
    .sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));

/** The exports of a data directory. */
export function bulkExportAccounts({ directory, clock }: Vault): BulkExportAccounts {
  const stored = (tx: ReadTx, id: string): BulkExport | undefined =>
    id === '' ? undefined : (tx.get(TABLE, id) as BulkExport | undefined);
  return {
    beginExport: (request) =>
      directory.transact((tx) => {
        const own = listed(tx).filter(({ app }) => app === request.app);
        const isLive = ({ state }: BulkExport): boolean => state === 'waiting' || state === 'done';
        if (own.filter(isLive).length >= MOST_EXPORTS) return undefined;
        const now = clock();
        const over = own.filter((each) => !isLive(each)).slice(0, -MOST_KNOWN);
        for (const { id, files, updated } of over)
          if (files.length === 0 || updated + REMOVAL < now) tx.remove(TABLE, id);
        const begun: BulkExport = {
          ...request,
          id: randomUUID(),
          created: now,
          state: 'waiting',
          updated: now,
          records: 0,
          files: [],
          failures: 0,
          notBefore: 0,
        };
        tx.put(TABLE, begun.id, begun);
        return begun;
      }),
    bulkExport: (id) => directory.read((tx) => stored(tx, id)),
    listExports: (app) =>
      directory.read((tx) => listed(tx).filter((each) => app === undefined || each.app === app)),
    changeExport: (id, change) =>
      directory.transact((tx) => {
        const found = stored(tx, id);
        if (!found) return undefined;
        const changed = change(found);
        if (changed) tx.put(TABLE, id, changed);
        else tx.remove(TABLE, id);
        return changed;
      }),
  };
}
