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
  unsealedBackup,
  type BackupEntry,
} from './backup-file.js';
import type { BackupKey } from './backup-key.js';
import type { DataDirectory, ReadTx, WriteTx } from './data-directory.js';
import { DataDirectoryError } from './data-directory-error.js';
import { accountKeyOf, withAccountKey, type WrappedKeys } from './keyring.js';
import { FORMAT_VERSION } from './marker.js';
import { syncFolder } from './put-file.js';
import { removeOnSignal } from './remove-on-signal.js';
import { restoredGrants } from './restore-grants.js';
import { historyForBackup, restoredHistory } from './restored-history.js';
import { damagedBackup, sealInto } from './sealed-file.js';
import { keptTables, searchTables, type TableName } from './tables.js';
import { indexAllTokens } from './token-index.js';
import { decodeStored, encodeStored } from './transaction.js';
import { servedBase, storeServedBase } from './served-base.js';

/** Called after each entry with the number done so far. */
export type EntryProgress = (entries: number) => void;

export interface BackupOptions {
  readonly progress?: EntryProgress;
  /** What seals the file; default: the secret key of the directory. */
  readonly key?: BackupKey;
  /** Finds the documents that belong into it; by default all that are there and can be read do. */
  readonly references?: References;
  /** Told of a document that is left out because it is missing or damaged; by default such a one ends the backup. */
  readonly leaveOut?: LeaveOut | undefined;
}

export interface RestoreOptions extends Pick<BackupOptions, 'progress' | 'key'> {
  /** Reads the text of a graph as the store will have to; what it throws ends the restore before anything changes. */
  readonly checkGraph?: (path: string, text: string) => void;
  /** Called for a backup that is not sealed, which anybody could have written; without it, such a one is refused. */
  readonly unsealed?: (() => void) | undefined;
}

/** The name under which the keys of accounts stand in a backup, beside the tables. */
const KEYS = 'keys';
/** How many entries are looked at in one turn of the event loop. */
const LOOKED_AT = 1000;
/** How the keys of a directory itself are called in its `meta`: they never leave it. */
const OWN = ['keys', 'format'];

/**
 * Writes everything in the tables of a directory, and the documents that it refers to, into one sealed file (mode
 * 0600), as one snapshot sees it, while others go on reading and writing. An older backup of the name is replaced only
 * by a complete one; of one that is not completed nothing is left. Resolves to the number of entries.
 * @throws DataDirectoryError when a file of the name is no backup, or a document is missing or damaged: the file is
 * left as it is
 * @throws Problem unavailable when documents of a shared store are needed, and it cannot be reached
 */
export async function writeBackup(
  directory: DataDirectory,
  file: string,
  options: BackupOptions | EntryProgress = {},
): Promise<number> {
  if (holdsBackup(file) === false)
    throw new DataDirectoryError(`${file} is there already and is no backup: choose another name.`);
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const remove = (): void => rmSync(temporary, { force: true });
  return removeOnSignal(remove, async () => {
    const fd = createBackup(file, temporary);
    try {
      const entries = await writeInto(
        fd,
        directory,
        typeof options === 'function' ? { progress: options } : options,
      ).finally(() => closeSync(fd));
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
 * Puts a backup in the place of everything in a directory, in one transaction, while a server may run on it. A new
 * epoch begins, so that working sets start over and no entity tag of before is taken for current. What lets somebody in
 * comes back only where it is there before, too, and lets them in: what was revoked or ended stays so. Resolves to the
 * number of entries.
 * @throws DataDirectoryError when the file is not a sound backup, or its documents are swept as fast as they are put;
 * then nothing has changed
 */
export async function restoreBackup(
  directory: DataDirectory,
  file: string,
  { progress, checkGraph, unsealed, key = ownKey(directory) }: RestoreOptions = {},
): Promise<number> {
  const fd = openBackup(file);
  const read = (): Iterable<BackupEntry> => readBackupFile(fd, file, () => key);
  let entries = 0;
  try {
    if (!checkBackupFile(fd, file, () => key)) {
      if (!unsealed) throw unsealedBackup(file);
      unsealed();
    }
    const last = await checkEntries(read(), file, checkGraph);
    let attempts = 0;
    for (let isDone = false; !isDone;) {
      if (++attempts > MOST_ATTEMPTS) throw sweptMeanwhile(file);
      // Files first: a graph never refers to what is not there. Those of before are swept when nothing needs them.
      const areThere = await restoreDocuments(directory, read());
      isDone = await directory.transact((tx) => {
        // A server that was started meanwhile has swept those that have been there for a while.
        if (!areThere()) return false;
        const all = counting(read(), (number) => {
          entries = number;
          progress?.(number);
        });
        replaceTables(tx, directory, all, last);
        return true;
      });
    }
  } finally {
    closeSync(fd);
  }
  return entries;
}

/** A server sweeps what has been there for minutes: documents that take longer to put are never all there. */
const MOST_ATTEMPTS = 4;

const sweptMeanwhile = (file: string): DataDirectoryError =>
  new DataDirectoryError(
    `The documents of ${file} were removed ${MOST_ATTEMPTS} times before all of them were there: end the servers of the data directory, and restore again. Nothing was restored.`,
  );

/** Puts the entries of a backup, whose last change is `last`, in the place of everything in the tables. */
function replaceTables(
  tx: WriteTx,
  directory: DataDirectory,
  entries: Iterable<BackupEntry>,
  last: number,
): void {
  const revision = tx.get('meta', 'sequence') as number;
  const own = OWN.map((name) => [name, tx.get('meta', name)] as const);
  const base = servedBase(tx);
  const grants = restoredGrants(tx);
  const history = restoredHistory(tx, last);
  for (const table of keptTables) if (grants.isFree(table)) tx.clear(table);
  tx.clear('changes');
  // They are of what was there before, and made anew at the next start.
  for (const table of searchTables) tx.clear(table);
  let account: Buffer | undefined;
  for (const entry of entries) {
    const table = entry.table as TableName;
    if (entry.table === KEYS) account = Buffer.from(entry.value);
    if (!keptTables.includes(table)) continue;
    if (grants.isFree(table) || grants.takes(table, entry.key)) tx.putBytes(table, entry.key, entry.value);
  }
  grants.end();
  indexAllTokens(tx);
  for (const [name, value] of own) tx.put('meta', name, value);
  // Under which URL it is served here, which is no matter of what is restored.
  storeServedBase(tx, base);
  tx.put('meta', 'format', FORMAT_VERSION);
  for (const name of ['search', 'searchLists']) tx.remove('meta', name);
  const secret = directory.secretKey();
  const wrapped = tx.get('meta', 'keys') as WrappedKeys;
  tx.put('meta', 'keys', withAccountKey(wrapped, secret, account ?? accountKeyOf(secret)));
  // Revisions go on from the higher of both, so a number never stands for two contents.
  const next = Math.max(revision, last) + 1;
  history.goOn(next);
  tx.put('meta', 'epoch', randomUUID());
  tx.put('meta', 'sequence', next);
  tx.put('revisions', '/', next);
}

/** What seals the backups of a directory unless a passphrase does. */
function ownKey(directory: DataDirectory): BackupKey {
  return { kind: 'secret', secret: directory.secretKey() };
}

/**
 * Looks at all entries before anything is changed. Resolves to the number of the last change.
 * @throws DataDirectoryError when they cannot be restored
 */
async function checkEntries(
  entries: Iterable<BackupEntry>,
  file: string,
  checkGraph: (path: string, text: string) => void = () => undefined,
): Promise<number> {
  let sequence: unknown;
  let looked = 0;
  for (const { table, key, value } of entries) {
    // A signal that ends the command has its turn.
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

function* counting(entries: Iterable<BackupEntry>, report: (number: number) => void): Generator<BackupEntry> {
  let number = 0;
  for (const entry of entries) {
    report(++number);
    yield entry;
  }
}
