import { randomBytes } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closeRecord, keyOf, openAccounts } from '../../../src/access/accounts/accounts.js';
import { openGrants } from '../../../src/access/accounts/grants.js';
import { secondFactors } from '../../../src/access/accounts/second-factor.js';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { startPostgres, withoutPostgres, type PostgresServer } from '../postgres/postgres.js';
import { temporaryFolder } from './temporary.js';

const HOUR = 60 * 60 * 1000;
const person = { user: 'person', app: 'app', record: '1' };
const question = { ...person, wording: 'words' };
const GATES = ['token', 'other', 'analyst', 'session', 'consent', 'request', 'subscription'] as const;

/** A directory with everything that lets somebody in, of one person, one app and one analyst; `alive` says what does. */
async function granted(store?: string) {
  const dir = await temporaryFolder();
  await writeFile(join(dir, 'secret.key'), randomBytes(32).toString('hex'));
  const directory = await openDataDirectory(dir, { create: true, store });
  onTestFinished(() => directory.close());
  const accounts = openAccounts(directory, keyOf(directory));
  const grants = openGrants(directory, keyOf(directory));
  await directory.transact((tx) => {
    accounts.putApp(tx, { id: 'app', mode: 'ui' });
    accounts.putUser(tx, { id: 'person', role: 'person', records: ['1', '2'] });
    accounts.putUser(tx, { id: 'analyst', role: 'analyst', records: [] });
  });
  await accounts.setPassword('person', 'seventeen grey herons');
  const token = await accounts.issueToken(person);
  const other = await accounts.issueToken({ ...person, record: '2' });
  await directory.transact((tx) => grants.putConsent(tx, question, token.id));
  const study = { user: 'analyst', purpose: 'study', isIdentified: true, lifetime: HOUR };
  const analyst = await accounts.issueAnalystToken(study);
  const session = await grants.signIn(grants.newId(), 'person');
  const browser = grants.browserBinding(session);
  const request = await grants.issueRequest({ app: 'app', record: '1' });
  await grants.openRequest(request.token, browser, 'person');
  const url = 'https://app.example.org/hook';
  const { subscription } = await accounts.subscribe({ ...person, token: token.id, url, position: 0 });
  const alive = (): string[] => {
    const gates: Record<(typeof GATES)[number], boolean> = {
      token: accounts.isTokenAlive(token.id),
      other: accounts.isTokenAlive(other.id),
      analyst: accounts.analystToken(analyst.token) !== undefined,
      session: grants.session(session) !== undefined,
      consent: grants.isConsented(question),
      // Whom a request belongs to and whether it was denied.
      request:
        JSON.stringify(directory.read((tx) => [...tx.range('requests')])).includes('"denied"') === false,
      subscription: accounts.subscription(subscription.id) !== undefined,
    };
    return GATES.filter((gate) => gates[gate]);
  };
  const file = join(await temporaryFolder(), 'backup');
  await writeBackup(directory, file);
  return {
    directory,
    accounts,
    grants,
    alive,
    file,
    token,
    analyst,
    session,
    browser,
    request,
    subscription,
  };
}

type World = Awaited<ReturnType<typeof granted>>;

/** What ends, and by what. */
const endings: [string, (world: World) => Promise<unknown>, (typeof GATES)[number][]][] = [
  ['nothing', () => Promise.resolve(), []],
  ['a revoked token', ({ accounts, token }) => accounts.revoke(token.id), ['token', 'consent']],
  [
    'a revoked token of an analyst',
    ({ accounts, analyst }) => accounts.revokeAnalystToken(analyst.id),
    ['analyst'],
  ],
  [
    'a new password',
    ({ accounts }) => accounts.setPassword('person', 'eleven herons by the weir'),
    ['session'],
  ],
  [
    'a new password that revokes tokens',
    ({ accounts }) => accounts.setPassword('person', 'eleven herons by the weir', { revokeTokens: true }),
    ['token', 'other', 'session', 'consent'],
  ],
  [
    'a user who was removed',
    ({ directory, accounts }) => directory.transact((tx) => accounts.removeUser(tx, 'person')),
    ['token', 'other', 'session', 'consent'],
  ],
  [
    'an analyst who was removed',
    ({ directory, accounts }) => directory.transact((tx) => accounts.removeUser(tx, 'analyst')),
    ['analyst'],
  ],
  [
    'a record that was removed',
    ({ directory }) => directory.transact((tx) => closeRecord(tx, '1')),
    ['token', 'consent'],
  ],
  ['a consent that was withdrawn', ({ grants }) => grants.revokeAccess(person), ['token', 'consent']],
  [
    'a request that was denied',
    ({ grants, request, browser }) => grants.denyRequest(request.token, browser),
    ['request'],
  ],
  ['signing out', ({ grants, session }) => grants.signOut(session), ['session']],
  [
    'a subscription that was removed',
    ({ accounts, subscription }) => accounts.changeSubscription(subscription.id, () => undefined),
    ['subscription'],
  ],
];

const without = (ended: readonly string[]): string[] => GATES.filter((gate) => !ended.includes(gate));

describe('a restore', () => {
  test.each(endings)('begins nothing again that was ended by %s', async (_, end, ended) => {
    const world = await granted();
    await end(world);
    expect(world.alive()).toEqual(without(ended));
    await restoreBackup(world.directory, world.file);
    expect(world.alive()).toEqual(without(ended));
    // A second one changes no more than the first.
    await restoreBackup(world.directory, world.file);
    expect(world.alive()).toEqual(without(ended));
  });

  test('lists what was revoked as revoked', async () => {
    const { directory, accounts, file, token, analyst } = await granted();
    await accounts.revoke(token.id);
    await accounts.revokeAnalystToken(analyst.id);
    await restoreBackup(directory, file);
    expect(accounts.tokenById(token.id)?.revoked).toBe(true);
    expect(accounts.listAnalystTokens()).toMatchObject([{ id: analyst.id, revoked: true }]);
  });

  test('takes away what was given after the backup, with the state that it was given in', async () => {
    const { directory, accounts, grants, file } = await granted();
    const later = await accounts.issueToken(person);
    const session = await grants.signIn(grants.newId(), 'person');
    await restoreBackup(directory, file);
    expect(accounts.isTokenAlive(later.id)).toBe(false);
    expect(grants.session(session)).toBeUndefined();
  });

  test('leaves codes used that were used after the backup', async () => {
    const { directory } = await granted();
    const factors = secondFactors({ directory, key: keyOf(directory), clock: Date.now });
    const enrolled = async () => {
      const { secret } = await factors.enrol('person', 'A container');
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      const codes = await factors.confirm('person', totp.generate());
      return [...(codes ?? [])];
    };
    const [first = '', second = ''] = await enrolled();
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(directory, file);
    expect(await factors.verify('person', first)).toBe('recovery-code');
    await restoreBackup(directory, file);
    expect(await factors.verify('person', first)).toBeUndefined();
    expect(await factors.verify('person', second)).toBe('recovery-code');
    // Another enrolment is the backup's again, with the codes that it had then.
    const [later = ''] = await enrolled();
    await restoreBackup(directory, file);
    expect(await factors.verify('person', later)).toBeUndefined();
    expect(await factors.verify('person', first)).toBe('recovery-code');
  });

  test('into a new directory lets nobody in without asking again', async () => {
    const { directory, file } = await granted();
    const dir = await temporaryFolder();
    await copyFile(join(directory.dir, 'secret.key'), join(dir, 'secret.key'));
    const fresh = await openDataDirectory(dir, { create: true });
    onTestFinished(() => fresh.close());
    await restoreBackup(fresh, file);
    const tables = ['tokens', 'analystTokens', 'sessions', 'requests', 'consents', 'subscriptions'] as const;
    expect(fresh.read((tx) => tables.map((table) => tx.count(table)))).toEqual(tables.map(() => 0));
    expect(fresh.read((tx) => tx.count('users'))).toBe(2);
  });
});

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a restore into a shared store', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  test.each(endings.filter(([name]) => /revoked|password/u.test(name)))(
    'begins nothing again that was ended by %s',
    async (_, end, ended) => {
      const world = await granted(server.createDatabase());
      await end(world);
      await restoreBackup(world.directory, world.file);
      expect(world.alive()).toEqual(without(ended));
    },
  );
});
