import { randomUUID } from 'node:crypto';
import type { ReadTx, WriteTx } from '../../store/disk/data-directory.js';
import type { ContentKey } from '../../store/documents/document-files.js';
import { liesAhead } from '../../store/disk/clock.js';
import type { Vault } from './secret-key.js';

export const exportFormats = ['ndjson', 'nquads'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportedFile {
  /** The class of its resources; undefined for the file that lists removed addresses. */
  readonly class?: string | undefined;
  readonly removedClasses?: readonly string[];
  readonly key: ContentKey;
  readonly count: number;
}

export interface BulkExport {
  readonly id: string;
  readonly app: string;
  readonly format: ExportFormat;
  /** Class IRIs; undefined for everything that the app may read. */
  readonly classes?: readonly string[] | undefined;
  readonly since?: number | undefined;
  readonly revision: number;
  readonly epoch: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** `ended`: cancelled, expired, or the app lost the right to export; its files will be removed. */
  readonly state: 'waiting' | 'done' | 'failed' | 'ended';
  readonly updated: number;
  /** The last record (in record order) in the files, and how many there are. */
  readonly after?: string | undefined;
  readonly records: number;
  readonly files: readonly ExportedFile[];
  readonly failures: number;
  readonly notBefore: number;
  readonly reason?: string | undefined;
}

export type BulkExportRequest = Pick<
  BulkExport,
  'app' | 'format' | 'classes' | 'since' | 'revision' | 'epoch'
>;

/** The most running or downloadable exports per app. */
export const MAX_EXPORTS = 3;
/** Finished exports remembered per app: limits what starting and cancelling over and over can store. */
const MAX_KNOWN = 20;
/** Milliseconds within which every running gateway removes the files of an ended export. */
const REMOVAL = 60_000;
/** Milliseconds for which files can be downloaded; afterwards the export stays known for as long again. */
export const EXPORT_LIFETIME = 24 * 60 * 60 * 1000;

const TABLE = 'exports';

export function expiryOf({ state, updated }: BulkExport): number | undefined {
  return state === 'waiting' ? undefined : updated + EXPORT_LIFETIME;
}

export function hasExpired(job: BulkExport, now: number): boolean {
  const expiry = expiryOf(job);
  return expiry !== undefined && !liesAhead(expiry, now, 2 * EXPORT_LIFETIME);
}

/** Returns the hashes of all export files, so that the document sweep keeps them. */
export function exportedContents(tx: ReadTx): string[] {
  return listed(tx).flatMap(({ files }) => files.map(({ key }) => key.sha256));
}

/**
 * Ends the exports that may contain a record, including running ones.
 * @param now milliseconds since 1970
 * @returns the number of exports
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

export function bulkExportAccounts({ directory, clock }: Vault) {
  const stored = (tx: ReadTx, id: string): BulkExport | undefined =>
    id === '' ? undefined : (tx.get(TABLE, id) as BulkExport | undefined);
  return {
    /** @returns undefined when the app has reached its limit */
    beginExport: (request: BulkExportRequest) =>
      directory.transact((tx) => {
        const own = listed(tx).filter(({ app }) => app === request.app);
        const isLive = ({ state }: BulkExport): boolean => state === 'waiting' || state === 'done';
        if (own.filter(isLive).length >= MAX_EXPORTS) return undefined;
        const now = clock();
        const over = own.filter((each) => !isLive(each)).slice(0, -MAX_KNOWN);
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
    bulkExport: (id: string) => directory.read((tx) => stored(tx, id)),
    listExports: (app?: string) =>
      directory.read((tx) => listed(tx).filter((each) => app === undefined || each.app === app)),
    /** Changes an export, or removes it when `change` returns undefined. @returns the result; undefined when gone */
    changeExport: (id: string, change: (now: BulkExport) => BulkExport | undefined) =>
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
