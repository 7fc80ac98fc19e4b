import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccounts, type Accounts } from '../../../src/access/accounts/accounts.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import type { UserRole } from '../../../src/access/accounts/users.js';
import type { DataDirectory } from '../../../src/store/disk/data-directory.js';
import { keptTables, isSealed } from '../../../src/store/disk/tables.js';
import { openDirectory } from './open-directory.js';

let directory: DataDirectory;
let accounts: Accounts;
const user = (id: string, role: UserRole = 'analyst'): Promise<void> =>
  directory.transact((tx) => accounts.putUser(tx, { id, role, records: [] }));
const save = (owner: string, title: string, more: object = {}): Promise<string> =>
  accounts.saveQuery({ user: owner, title, description: '', query: 'ASK {}', isShared: false, ...more });
const titles = (reader: string): string[] => accounts.savedQueries(reader).map(({ title }) => title);

beforeEach(async () => {
  directory = await openDirectory();
  accounts = openAccounts(directory, secretKey(randomBytes(32)));
  await user('ann');
  await user('ann.b');
});

describe('saved queries', () => {
  it('are seen by their owner alone, unless they are shared', async () => {
    await save('ann', 'Mine');
    await save('ann', 'Ours', { isShared: true });
    await save('ann.b', 'Another');
    expect(titles('ann')).toEqual(['Mine', 'Ours']);
    expect(titles('ann.b')).toEqual(['Another', 'Ours']);
    expect(accounts.savedQueries('ann.b')[1]).toMatchObject({ user: 'ann', query: 'ASK {}', isShared: true });
  });

  it('take the place of the one of the same title, of the same owner', async () => {
    const id = await save('ann', 'One', { isShared: true });
    await save('ann.b', 'One');
    expect(await save('ann', 'One', { query: 'SELECT * {}' })).toBe(id);
    expect(accounts.savedQueries('ann')).toMatchObject([{ id, query: 'SELECT * {}', isShared: false }]);
    expect(titles('ann.b')).toEqual(['One']);
  });

  it('are removed by their owner alone, and go with the user', async () => {
    const id = await save('ann', 'Ours', { isShared: true });
    await save('ann.b', 'Another', { isShared: true });
    expect(await accounts.removeSavedQuery('ann.b', id)).toBe(false);
    expect(await accounts.removeSavedQuery('ann', 'b '.repeat(3000))).toBe(false);
    expect(await accounts.removeSavedQuery('ann', id)).toBe(true);
    expect(titles('ann.b')).toEqual(['Another']);
    await directory.transact((tx) => accounts.removeUser(tx, 'ann.b'));
    await user('ann.b');
    expect(titles('ann.b')).toEqual([]);
  });

  it('are of analysts, and shared by nobody who is none any more', async () => {
    await save('ann', 'Ours', { isShared: true });
    await user('ann', 'person');
    expect(titles('ann.b')).toEqual([]);
    await expect(save('ann', 'More')).rejects.toThrow('whose role is analyst');
    await expect(save('nobody', 'More')).rejects.toThrow('whose role is analyst');
  });

  it('are not more than a hundred, nor longer than a quarter of a million characters, of one person', async () => {
    for (let at = 0; at < 100; at++) await save('ann', `Query ${at}`);
    await expect(save('ann', 'One more')).rejects.toThrow('You have 100 saved queries; remove one first.');
    await save('ann', 'Query 7', { query: 'ASK { }' });
    const long = '#'.repeat(65_536);
    for (let at = 0; at < 3; at++) await save('ann.b', `Long ${at}`, { query: long });
    await expect(save('ann.b', 'Longest', { query: `${long}#` })).rejects.toThrow(
      'more than 262144 characters',
    );
  });

  it('are sealed, and part of a backup', () => {
    expect(keptTables).toContain('savedQueries');
    expect(isSealed('savedQueries')).toBe(true);
  });
});
