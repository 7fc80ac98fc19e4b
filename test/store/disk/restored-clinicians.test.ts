import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keyOf, openAccounts } from '../../../src/access/accounts/accounts.js';
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

test('after a restore users do not get back what was taken from them, but records that are gone', async () => {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const accounts = openAccounts(directory, keyOf(directory));
  const role = 'clinician';
  const put = (id: string, records: readonly string[], practitioner: string) =>
    directory.transact((tx) => accounts.putUser(tx, { id, role, records, practitioner }));
  await directory.transact((tx) => {
    keepClinicianMode(tx, 'related');
    for (const id of ['10', '10-a', '11', '12']) tx.put('graphs', `/records/${id}`, '');
    tx.put('graphs', '/records/10/problems/p', '');
  });
  await put('dr', ['10', '10-a', '11', '12'], '1');
  await put('other', ['11'], '2');
  await accounts.openInEmergency('dr', '20', 'why');
  await accounts.openInEmergency('dr', '21', 'why');
  await accounts.openInEmergency('dr', '10', 'why');
  const file = join(await temporaryFolder(), 'backup');
  await writeBackup(directory, file);
  await directory.transact((tx) => {
    accounts.endEmergencies(tx, 'dr', ['10', '20']);
    tx.remove('graphs', '/records/11');
    accounts.removeUser(tx, 'other');
  });
  await put('dr', ['10', '30'], '');
  await restoreBackup(directory, file);
  expect(accounts.openRecords('dr')?.sort()).toEqual(['10', '11', '21']);
  expect(accounts.listEmergencies().map(({ record }) => record)).toEqual(['21']);
  expect(accounts.listUsers()).toMatchObject([
    { id: 'dr' },
    { id: 'other', practitioner: '2', records: ['11'] },
  ]);
  expect(accounts.user('dr')?.practitioner).toBeUndefined();
  await put('third', [], '1');
  await expect(put('third', [], '2')).rejects.toThrow('linked to the user other already');
});
