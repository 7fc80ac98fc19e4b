import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { BackupWriter, type BackupEntry } from '../../../src/store/backup/backup-file.js';
import type { BackupKey } from '../../../src/store/backup/backup-key.js';
import { sealInto } from '../../../src/store/disk/sealed-file.js';
import { keptTables } from '../../../src/store/disk/tables.js';
import { encodeStored } from '../../../src/store/disk/transaction.js';

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

/** Seals such a file, as who has the key can, whatever is in it. */
export function sealBackup(file: string, key: BackupKey): void {
  const content = readFileSync(file);
  const fd = openSync(file, 'w');
  const sink = sealInto(fd, key);
  sink.write(content);
  sink.end();
  closeSync(fd);
}
