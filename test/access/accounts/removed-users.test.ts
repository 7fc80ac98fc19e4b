import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAccounts, keyOf } from '../../../src/access/accounts/accounts.js';
import { addUser, removeUser } from '../../../src/records/registry.js';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { temporaryFolder } from '../../store/disk/temporary.js';
import { openDirectory } from './open-directory.js';

async function opened() {
  const directory = await openDirectory();
  let now = 1000;
  const accounts = openAccounts(directory, keyOf(directory), () => now);
  const base = 'https://records.example.org';
  const registry = { directory, accounts, base, primary: openPrimaryStore(directory, base) };
  const at = (time: number) => (now = time);
  return {
    ...{ directory, accounts, registry },
    add: (time: number, givenName: string) => {
      at(time);
      return addUser(registry, { id: 'brown', givenName, familyName: 'B', role: 'clinician', records: [] });
    },
    remove: (time: number, purges = false) => {
      at(time);
      return removeUser(registry, 'brown', purges);
    },
    /** The name kept for a time; null where it is that of the present user. */
    name: (time: number): string | null => accounts.removedUser('brown', time)?.name ?? null,
  };
}

it('tells by the time who had a user name', async () => {
  const { add, remove, name } = await opened();
  await add(1_000_000, 'Ann');
  await remove(2_000_000);
  expect([name(1_500_000), name(2_000_001), name(500_000)]).toEqual(['Ann B', 'Ann B', 'Ann B']);
  await add(3_000_000, 'Bob');
  expect([name(1_500_000), name(2_000_001), name(3_000_000), name(4_000_000)]).toEqual([
    'Ann B',
    'Ann B',
    null,
    null,
  ]);
  // What adds somebody begins before they are there.
  expect(name(2_999_000)).toBe(null);
  await remove(5_000_000);
  expect([name(2_000_001), name(3_000_000), name(5_000_001)]).toEqual(['Ann B', 'Bob B', 'Bob B']);
});

it('goes on to tell after a restore, and takes nobody for one whom it took away', async () => {
  const { directory, add, remove, name } = await opened();
  const file = join(await temporaryFolder(), 'backup');
  await add(1000, 'Ann');
  await writeBackup(directory, file);
  await remove(2000);
  await add(3000, 'Bob');
  await restoreBackup(directory, file);
  // Ann is here again. Of Bob, only the user name is known.
  expect([name(1500), name(3500), name(Date.now() + 1000)]).toEqual([null, '', null]);
});

it('forgets a name that is purged, also later, and not that somebody else had the user name', async () => {
  const { directory, add, remove, name } = await opened();
  await add(1000, 'Ann');
  await remove(2000);
  await add(3000, 'Bob');
  await remove(4000, true);
  expect([name(1500), name(3500)]).toEqual(['', '']);
  await add(5000, 'Cleo');
  await remove(6000);
  expect(name(5500)).toBe('Cleo B');
  await remove(7000, true);
  expect(name(5500)).toBe('');
  const left = directory.read((tx) =>
    (['graphs', 'history', 'removedUsers'] as const).flatMap((table) => [...tx.range(table)]),
  );
  expect(JSON.stringify(left)).not.toMatch(/Ann|Bob|Cleo/u);
  await expect(remove(8000, true)).rejects.toThrow('There is no user brown.');
});
