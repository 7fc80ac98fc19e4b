import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Accounts, closeRecord, keyOf, openAccounts } from '../../../src/access/accounts/accounts.js';
import { openGrants } from '../../../src/access/accounts/grants.js';
import { TOKEN_LIFETIME } from '../../../src/access/accounts/tokens.js';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import {
  openDataDirectory,
  type DataDirectory,
  type ReadTx,
  type WriteTx,
} from '../../../src/store/disk/data-directory.js';
import { tokenIdsOf } from '../../../src/store/disk/token-index.js';
import { openDirectory } from './open-directory.js';

async function withTokens(directory: DataDirectory, clock?: () => number): Promise<Accounts> {
  const accounts = openAccounts(directory, keyOf(directory), clock);
  await directory.transact((tx) => {
    for (const id of ['one', 'two']) accounts.putApp(tx, { id, mode: 'ui' });
    accounts.putUser(tx, { id: 'person', role: 'person', records: ['1', '2'] });
    accounts.putUser(tx, { id: 'clinician', role: 'clinician', records: ['1', '2'] });
    for (const app of ['one', 'two'])
      for (const user of ['person', 'clinician'])
        for (const record of ['1', '2']) accounts.putToken(tx, { app, user, record });
    accounts.putToken(tx, { app: 'one', record: '1' });
    accounts.putToken(tx, { app: 'two', user: 'person' });
  });
  return accounts;
}

/** How many tokens the index has of each owner, and how many entries it has at all. */
function indexed(directory: DataDirectory): object {
  return directory.read((tx) => ({
    one: tokenIdsOf(tx, { app: 'one' }).length,
    person: tokenIdsOf(tx, { user: 'person' }).length,
    first: tokenIdsOf(tx, { record: '1' }).length,
    entries: tx.count('tokenIndex'),
  }));
}

const ALL = { one: 5, person: 5, first: 5, entries: 30 };

/** The directory, but reading through all tokens, sessions or requests throws. */
function withoutWalks(directory: DataDirectory): DataDirectory {
  const guarded = <T extends ReadTx>(tx: T): T =>
    new Proxy(tx, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...given: unknown[]) => unknown;
        return (...given: unknown[]) => {
          if (name === 'range' && ['tokens', 'sessions', 'requests'].includes(String(given[0])))
            throw new Error(`all ${String(given[0])} were read`);
          return method(...given);
        };
      },
    });
  return new Proxy(directory, {
    get: (target, name) => {
      if (name === 'read') return <T>(work: (tx: ReadTx) => T) => target.read((tx) => work(guarded(tx)));
      if (name === 'transact')
        return <T>(work: (tx: WriteTx) => T) => target.transact((tx) => work(guarded(tx)));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

describe('the tokens of a user, an app or a record', () => {
  it('are found without reading those of others', async () => {
    const directory = await openDirectory();
    await withTokens(directory);
    expect(indexed(directory)).toEqual(ALL);
    const guarded = withoutWalks(directory);
    const accounts = openAccounts(guarded, keyOf(directory));
    const grants = openGrants(guarded, keyOf(directory));
    expect(() => accounts.listTokens()).toThrow('all tokens were read');

    const alive = async (user: string): Promise<number> =>
      (await accounts.tokensOf(user)).filter(({ revoked }) => !revoked).length;
    expect([await alive('person'), await alive('clinician'), await alive('nobody')]).toEqual([5, 4, 0]);
    expect(await grants.revokeAccess({ user: 'clinician', app: 'one', record: '1' })).toBe(1);
    expect(await alive('clinician')).toBe(3);
    // A record that is taken from a person takes its tokens along.
    await guarded.transact((tx) => accounts.putUser(tx, { id: 'person', role: 'person', records: ['2'] }));
    expect(await alive('person')).toBe(3);
    expect(await guarded.transact((tx) => closeRecord(tx, '1').tokens)).toBe(2);
    await accounts.setPassword('person', 'correct horse staple river', { revokeTokens: true });
    expect(await alive('person')).toBe(0);
    await guarded.transact((tx) => accounts.removeApp(tx, 'one'));
    expect(await accounts.tokensOf('clinician')).toHaveLength(2);
    await guarded.transact((tx) => accounts.removeUser(tx, 'clinician'));
    expect(await accounts.tokensOf('clinician')).toEqual([]);
    expect(indexed(directory)).toEqual({ one: 0, person: 2, first: 0, entries: 6 });
  });

  it('are no longer found when they are forgotten', async () => {
    const directory = await openDirectory();
    let now = Date.now();
    const accounts = await withTokens(directory, () => now);
    now += 2 * TOKEN_LIFETIME + 1;
    await accounts.purgeExpired();
    expect(indexed(directory)).toEqual({ one: 0, person: 0, first: 0, entries: 0 });
  });

  it('are not mistaken for those of an owner whose id begins alike', async () => {
    const directory = await openDirectory();
    const accounts = await withTokens(directory);
    await directory.transact((tx) => {
      accounts.putUser(tx, { id: 'person2', role: 'clinician', records: ['11'] });
      accounts.putToken(tx, { app: 'one', user: 'person2', record: '11' });
    });
    expect(indexed(directory)).toEqual({ ...ALL, one: 6, entries: 33 });
    expect(await accounts.tokensOf('person2')).toHaveLength(1);
  });
});

describe('sessions and requests', () => {
  it('are found by their user, app and record without reading those of others', async () => {
    const directory = await openDirectory();
    await withTokens(directory);
    const guarded = withoutWalks(directory);
    const accounts = openAccounts(guarded, keyOf(directory));
    const grants = openGrants(guarded, keyOf(directory));
    const counts = () => directory.read((tx) => [tx.count('sessions'), tx.count('requests')]);
    const entries = () => directory.read((tx) => tx.count('ownerIndex'));
    const approve = async (app: string, user: string, record: string): Promise<void> => {
      const { token } = await grants.issueRequest({ app, record });
      await grants.openRequest(token, user, user);
      const approval = { user, record, wording: 'a', allowed: new Map() };
      for (let time = 0; time < 2; time++)
        expect(await grants.approveRequest(token, user, approval)).toHaveProperty('verifier');
    };
    const person = await grants.signIn(grants.newId(), 'person');
    const again = await grants.signIn(grants.newId(), 'person');
    await grants.signIn(again, 'person');
    await grants.signIn(grants.newId(), 'clinician');
    for (const app of ['one', 'two']) for (const record of ['1', '2']) await approve(app, 'person', record);
    await grants.issueRequest({ app: 'one' });
    expect([counts(), entries()]).toEqual([[3, 5], 3 + 5 + 8]);

    const listed = grants.listSessions('person', person);
    expect(listed.map(({ isOwn }) => isOwn).sort()).toEqual([false, true]);
    const [other] = grants.listSessions('clinician', '');
    expect(await grants.endSession('person', other?.handle ?? '')).toBe(false);
    expect(await grants.endSession('person', listed[0]?.handle ?? '')).toBe(true);
    await grants.revokeAccess({ user: 'person', app: 'two', record: '2' });
    await guarded.transact((tx) => closeRecord(tx, '1'));
    expect([counts(), entries()]).toEqual([[2, 2], 2 + 2 + 2]);
    // An older version indexes nothing; the next start does.
    await directory.transact((tx) => tx.clear('ownerIndex'));
    const reopened = await openDataDirectory(directory.dir);
    onTestFinished(() => reopened.close());
    expect(entries()).toBe(6);
    await guarded.transact((tx) => accounts.removeApp(tx, 'one'));
    await guarded.transact((tx) => accounts.putUser(tx, { id: 'clinician', role: 'person', records: [] }));
    expect([counts(), entries()]).toEqual([[1, 0], 1]);
  });
});

describe('the index of tokens', () => {
  /** Opens a directory anew, after another program has changed it. */
  async function reopened(directory: DataDirectory): Promise<DataDirectory> {
    const again = await openDataDirectory(directory.dir);
    onTestFinished(() => again.close());
    return again;
  }

  it('is made when a directory is opened that an earlier version has written', async () => {
    const directory = await openDirectory();
    await withTokens(directory);
    await directory.transact((tx) => tx.clear('tokenIndex'));
    expect(indexed(await reopened(directory))).toEqual(ALL);
  });

  it('is completed where an earlier version has issued and forgotten tokens since', async () => {
    const directory = await openDirectory();
    const accounts = await withTokens(directory);
    const [first, second] = accounts.listTokens();
    await directory.transact((tx) => {
      tx.remove('tokens', first?.id ?? '');
      for (const { key } of tx.range('tokenIndex', { values: false }))
        if (String(key).endsWith(second?.id ?? '')) tx.remove('tokenIndex', key);
      tx.put('tokenIndex', 'app one gone', true);
    });
    const again = await reopened(directory);
    expect(again.read((tx) => [tx.count('tokens'), tx.count('tokenIndex')])).toEqual([9, 27]);
  });

  it('is completed now and then, where as many tokens were issued as were forgotten', async () => {
    const directory = await openDirectory();
    const accounts = await withTokens(directory);
    const [token] = accounts.listTokens();
    await directory.transact((tx) => {
      for (const { key } of tx.range('tokenIndex', { values: false }))
        if (String(key).endsWith(token?.id ?? '')) tx.remove('tokenIndex', key);
    });
    await accounts.purgeExpired();
    expect(indexed(directory)).toEqual(ALL);
  });

  it('is in no backup, and made anew of the tokens that a restore leaves', async () => {
    const directory = await openDirectory();
    const accounts = await withTokens(directory);
    const file = join(await mkdtemp(join(tmpdir(), 'chartgraph-index-')), randomBytes(4).toString('hex'));
    await writeBackup(directory, file);
    await directory.transact((tx) => accounts.removeUser(tx, 'clinician'));
    await restoreBackup(directory, file);
    // The tokens of the clinician were removed since, and stay so.
    expect(indexed(directory)).toEqual({ one: 3, person: 5, first: 3, entries: 18 });
  });
});
