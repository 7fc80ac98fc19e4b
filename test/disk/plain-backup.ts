import { closeSync, openSync, writeSync } from 'node:fs';
import { BackupWriter, type BackupEntry } from '../../src/disk/backup-file.js';
import { keptTables } from '../../src/disk/tables.js';
import { encodeStored } from '../../src/disk/transaction.js';

/** The entry without which a backup restores nothing: the number of its last change. */
export const sequence: BackupEntry = { table: 'meta', key: 'sequence', value: encodeStored('meta', 9) };

/** Writes a backup as version 0.2 did, not sealed, as anybody can without a key. */
export function writePlainBackup(file: string, entries: readonly BackupEntry[]): void {
  const fd = openSync(file, 'w');
  const sink = { write: (bytes: Uint8Array) => void writeSync(fd, bytes), end: () => closeSync(fd) };
  const writer = new BackupWriter(sink, keptTables);
  for (const entry of entries) writer.add(entry);
  writer.end();
}
