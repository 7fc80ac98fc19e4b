import { clinicianMode, keepClinicianMode } from '../disk/clinician-mode.js';
import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  documentEntries,
  FILES,
  restoreDocuments,
  type LeaveOut,
  type References,
} from './backup-documents.js';
import {
  BackupWriter,
  checkBackupFile,
  holdsBackup,
  readBackupFile,
  type BackupEntry,
} from './backup-file.js';
import type { BackupKey } from './backup-key.js';
import type { DataDirectory, ReadTx, WriteTx } from '../disk/data-directory.js';
import { DataDirectoryError } from '../disk/data-directory-error.js';
import { accountKeyOf, withAccountKey, type WrappedKeys } from '../disk/keyring.js';
import { FORMAT_VERSION } from '../disk/marker.js';
import { syncFolder } from '../disk/small-files.js';
import { removeOnSignal } from '../disk/remove-on-signal.js';
import { restoredGrants } from './restore-grants.js';
import { historyForBackup, restoredHistory } from './restored-history.js';
import { damagedBackup, sealInto } from '../disk/sealed-file.js';
import { keptTables, searchTables, type TableName } from '../disk/tables.js';
import { makeOwnerIndex } from '../disk/owner-index.js';
import { indexAllTokens } from '../disk/token-index.js';
import { decodeStored, encodeStored } from '../disk/transaction.js';
import { servedBase, storeServedBase } from '../disk/served-base.js';

export interface BackupOptions {
  readonly progress?: (entries: number) => void;
  readonly key?: BackupKey;
  readonly references?: References;
  /** Called for each missing or damaged document that is left out; by default the backup fails. */
  readonly leaveOut?: LeaveOut | undefined;
}

export interface RestoreOptions extends Pick<BackupOptions, 'progress' | 'key'> {
  /** Parses the text of a graph as the store will; an error ends the restore before anything changes. */
  readonly checkGraph?: (path: string, text: string) => void;
}

const KEYS = 'keys';
const LOOKED_AT = 1000;
const OWN = ['keys', 'format'];

/**
 * Writes a snapshot of all tables, and the documents that it refers to, into one sealed file. Others may read and write
 * meanwhile. Only a complete backup replaces an older one.
 * @returns the number of entries
 * @throws DataDirectoryError when the file exists and is not a backup, or a document is missing or damaged
 * @throws Problem unavailable when documents must come from a shared store that cannot be reached
 */
export async function writeBackup(
  directory: DataDirectory,
  file: string,
  options: BackupOptions = {},
): Promise<number> {
  if (holdsBackup(file) === false)
    throw new DataDirectoryError(`${file} is there already and is no backup: choose another name.`);
  // LMDB may skip part of a damaged store without an error, and the backup would be incomplete.
  await directory.checkPages();
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const remove = (): void => rmSync(temporary, { force: true });
  return removeOnSignal(remove, async () => {
    const fd = createBackup(file, temporary);
    try {
      const entries = await writeInto(fd, directory, options).finally(() => closeSync(fd));
      await rename(temporary, file);
      await syncFolder(dirname(file));
      return entries;
    } catch (error) {
      remove();
      throw error;
    }
  });
}

async function writeInto(
  fd: number,
  directory: DataDirectory,
  { progress, key = ownKey(directory), references, leaveOut }: BackupOptions,
): Promise<number> {
  const writer = new BackupWriter(sealInto(fd, key), [...keptTables, FILES, KEYS]);
  let entries = 0;
  const add = (entry: BackupEntry): void => {
    writer.add(entry);
    entries++;
    progress?.(entries);
  };
  const referenced = directory.read((tx) => {
    for (const entry of tableEntries(tx, directory)) add(entry);
    return references?.(tx);
  });
  for await (const entry of documentEntries(directory, referenced, leaveOut)) add(entry);
  writer.end();
  fsyncSync(fd);
  return entries;
}

/**
 * Replaces the contents of a directory with a backup, in one transaction; a server may be running on it. Starts a new
 * epoch, which invalidates all working sets and entity tags. Revoked grants stay revoked.
 * @returns the number of entries
 * @throws DataDirectoryError when the backup is damaged, or its documents are swept while they are restored; nothing
 * has changed then
 */
export async function restoreBackup(
  directory: DataDirectory,
  file: string,
  { progress, checkGraph, key = ownKey(directory) }: RestoreOptions = {},
): Promise<number> {
  const fd = openBackup(file);
  const read = (): Iterable<BackupEntry> => readBackupFile(fd, file, () => key);
  let entries = 0;
  try {
    checkBackupFile(fd, file, () => key);
    const last = await checkEntries(read(), file, checkGraph);
    let attempts = 0;
    for (let isDone = false; !isDone;) {
      if (++attempts > MAX_ATTEMPTS) throw sweptMeanwhile(file);
      // Documents first, so that no graph refers to a missing one.
      const areThere = await restoreDocuments(directory, read());
      isDone = await directory.transact((tx) => {
        // A server started meanwhile may have swept them.
        if (!areThere()) return false;
        entries = 0;
        replaceTables(tx, directory, read(), last, () => {
          entries++;
          progress?.(entries);
        });
        return true;
      });
    }
  } finally {
    closeSync(fd);
  }
  return entries;
}

/** A server sweeps unreferenced documents after minutes, so a slow restore may never have them all at once. */
const MAX_ATTEMPTS = 4;

const sweptMeanwhile = (file: string): DataDirectoryError =>
  new DataDirectoryError(
    `The documents of ${file} were removed ${MAX_ATTEMPTS} times before all of them were there: end the servers of the data directory, and restore again. Nothing was restored.`,
  );

function replaceTables(
  tx: WriteTx,
  directory: DataDirectory,
  entries: Iterable<BackupEntry>,
  last: number,
  onEntry: () => void,
): void {
  const revision = tx.get('meta', 'sequence') as number;
  const own = OWN.map((name) => [name, tx.get('meta', name)] as const);
  const base = servedBase(tx);
  const grants = restoredGrants(tx);
  const history = restoredHistory(tx, last);
  // A backup from before the choice, or from before it was made, must not open records that were closed to clinicians.
  const isRelated = clinicianMode(tx) === 'related' && tx.count('users') > 0;
  // What is closed now stays closed, and the access log goes on to name whom it names now.
  const staying = new Set<TableName>(['closed', 'removedUsers']);
  const emptied = keptTables.filter((table) => !staying.has(table) && grants.isFree(table));
  for (const table of emptied) tx.clear(table);
  for (const table of ['changes', 'care'] as const) tx.clear(table);
  // The next start builds them again.
  for (const table of searchTables) tx.clear(table);
  let account: Buffer | undefined;
  for (const entry of entries) {
    onEntry();
    const table = entry.table as TableName;
    if (entry.table === KEYS) account = Buffer.from(entry.value);
    if (!keptTables.includes(table)) continue;
    if (grants.isFree(table) || grants.takes(table, entry.key)) tx.putBytes(table, entry.key, entry.value);
  }
  grants.end();
  indexAllTokens(tx);
  makeOwnerIndex(tx);
  for (const [name, value] of own) tx.put('meta', name, value);
  storeServedBase(tx, base);
  if (isRelated) keepClinicianMode(tx, 'related');
  tx.put('meta', 'format', FORMAT_VERSION);
  for (const name of ['search', 'searchLists']) tx.remove('meta', name);
  const secret = directory.secretKey();
  const wrapped = tx.get('meta', 'keys') as WrappedKeys;
  tx.put('meta', 'keys', withAccountKey(wrapped, secret, account ?? accountKeyOf(secret)));
  // Continue from the higher revision, so that no number ever stands for two states.
  const next = Math.max(revision, last) + 1;
  history.goOn(next);
  tx.put('meta', 'epoch', randomUUID());
  tx.put('meta', 'sequence', next);
  tx.put('revisions', '/', next);
}

function ownKey(directory: DataDirectory): BackupKey {
  return { kind: 'secret', secret: directory.secretKey() };
}

/** Checks all entries before anything changes. @returns the number of the last change */
async function checkEntries(
  entries: Iterable<BackupEntry>,
  file: string,
  checkGraph: (path: string, text: string) => void = () => undefined,
): Promise<number> {
  let sequence: unknown;
  let looked = 0;
  for (const { table, key, value } of entries) {
    if (++looked % LOOKED_AT === 0) await nextTurn();
    try {
      if (table === 'graphs') checkGraph(String(key), Buffer.from(value).toString());
      if (table === 'meta' && key === 'sequence') sequence = decodeStored(table, Buffer.from(value));
    } catch (cause) {
      const what = table === 'graphs' ? 'a graph' : 'a number';
      throw new DataDirectoryError(
        `The backup ${file} holds ${what} that cannot be read. Nothing was changed.`,
        { cause },
      );
    }
  }
  if (!Number.isSafeInteger(sequence)) throw damagedBackup(file, 'it does not say which change is its last');
  return sequence as number;
}

function createBackup(file: string, temporary: string): number {
  try {
    return openSync(temporary, 'wx', 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    const folder = dirname(file);
    throw new DataDirectoryError(
      existsSync(folder)
        ? `No file can be made in the folder ${folder}: choose another one for the backup.`
        : `There is no folder ${folder} to write the backup into.`,
      { cause },
    );
  }
}

function openBackup(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new DataDirectoryError(
      isMissing
        ? `There is no backup ${file}.`
        : `The backup ${file} cannot be read: ${(cause as Error).message}.`,
      { cause },
    );
  }
}

function* tableEntries(tx: ReadTx, { accountKey }: DataDirectory): Generator<BackupEntry> {
  yield { table: KEYS, key: 'account', value: accountKey };
  for (const table of keptTables) {
    for (const { key } of tx.range(table, { values: false })) {
      if (table === 'meta' && OWN.includes(String(key))) continue;
      const isHistory = table === 'meta' && key === 'history';
      const value = isHistory ? encodeStored(table, historyForBackup(tx)) : tx.bytes(table, key);
      if (value) yield { table, key, value };
    }
  }
}
