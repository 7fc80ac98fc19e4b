import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { documentEntries, FILES, restoreDocuments } from './backup-documents.js';
import { checkBackupFile, readBackupFile, writeBackupFile, type BackupEntry } from './backup-file.js';
import type { DataDirectory, ReadTx } from './data-directory.js';
import { DataDirectoryError } from './data-directory-error.js';
import { syncFolder } from './marker.js';
import { keptTables, type TableName } from './tables.js';

/** Called after each entry with the number done so far. */
export type EntryProgress = (entries: number) => void;

/**
 * Writes everything in the tables of a directory, and the files of its documents, into one file (mode 0600), as one
 * snapshot sees it, while others go on reading and writing. Secrets in it stay sealed: the key is not part of a backup. An existing file of the name is
 * replaced only by a complete one. Resolves to the number of entries.
 */
export async function writeBackup(
  directory: DataDirectory,
  file: string,
  progress?: EntryProgress,
): Promise<number> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const fd = openSync(temporary, 'wx', 0o600);
  let entries = 0;
  try {
    try {
      directory.read((tx) => {
        const counted = counting(everything(tx, directory), (number) => progress?.((entries = number)));
        writeBackupFile(fd, [...keptTables, FILES], counted);
      });
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(file));
  return entries;
}

/**
 * Puts a backup in the place of everything in a directory, in one transaction, while a server may run on it. A new
 * epoch begins, so that working sets start over and no entity tag of before is taken for current. Resolves to the number
 * of entries.
 * @throws DataDirectoryError when the file is not a sound backup; then nothing has changed
 */
export async function restoreBackup(
  directory: DataDirectory,
  file: string,
  progress?: EntryProgress,
): Promise<number> {
  const fd = openBackup(file);
  let entries = 0;
  try {
    checkBackupFile(fd, file);
    // Files first: a graph never refers to what is not there. Those of before are swept when nothing needs them.
    await restoreDocuments(directory, readBackupFile(fd, file));
    await directory.transact((tx) => {
      const revision = tx.get('meta', 'sequence') as number;
      for (const table of keptTables) tx.clear(table);
      tx.clear('changes');
      for (const { table, key, value } of counting(readBackupFile(fd, file), (number) =>
        progress?.((entries = number)),
      )) {
        if (keptTables.includes(table as TableName)) tx.putBytes(table as TableName, key, value);
      }
      // Revisions go on from the higher of both, so a number never stands for two contents.
      const next = Math.max(revision, tx.get('meta', 'sequence') as number) + 1;
      tx.put('meta', 'epoch', randomUUID());
      tx.put('meta', 'sequence', next);
      tx.put('revisions', '/', next);
    });
  } finally {
    closeSync(fd);
  }
  return entries;
}

function openBackup(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (cause) {
    throw new DataDirectoryError(`The backup ${file} cannot be read: ${(cause as Error).message}.`, {
      cause,
    });
  }
}

function* everything(tx: ReadTx, directory: DataDirectory): Generator<BackupEntry> {
  for (const table of keptTables) {
    for (const { key } of tx.range(table, { values: false })) {
      const value = tx.bytes(table, key);
      if (value) yield { table, key, value };
    }
  }
  yield* documentEntries(directory);
}

function* counting(entries: Iterable<BackupEntry>, report: (number: number) => void): Generator<BackupEntry> {
  let number = 0;
  for (const entry of entries) {
    report(++number);
    yield entry;
  }
}
