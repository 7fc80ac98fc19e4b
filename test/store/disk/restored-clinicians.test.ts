import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import {
  clinicianMode,
  keepClinicianMode,
  type ClinicianMode,
} from '../../../src/store/disk/clinician-mode.js';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { temporaryFolder } from './temporary.js';

test.each([
  ['a directory in use keeps its records closed', 'related', true, 'related'],
  ['an open directory takes the mode of the backup', 'all', true, 'all'],
  ['a new directory takes the mode of the backup', 'related', false, 'all'],
] as const)('after a restore %s', async (_name, mode: ClinicianMode, isUsed, expected) => {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const file = join(await temporaryFolder(), 'backup');
  await directory.transact((tx) => keepClinicianMode(tx, 'all'));
  await writeBackup(directory, file);
  await directory.transact((tx) => {
    keepClinicianMode(tx, mode);
    if (isUsed) tx.put('users', 'dr', { role: 'clinician', records: [] });
  });
  await restoreBackup(directory, file);
  expect(directory.read(clinicianMode)).toBe(expected);
});
