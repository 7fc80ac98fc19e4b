import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeRecord, openAccounts, type Accounts } from '../../../src/access/accounts/accounts.js';
import { openGrants } from '../../../src/access/accounts/grants.js';
import { allowsType, checkScope } from '../../../src/access/accounts/scopes.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import { TOKEN_LIFETIME } from '../../../src/access/accounts/tokens.js';
import type { DataDirectory, WriteTx } from '../../../src/store/disk/data-directory.js';
import { cheapHash } from '../../setup/cheap-hash.js';
import { openDirectory } from './open-directory.js';

const APP = 'demo@apps.example.org';
const NOW = Date.UTC(2026, 0, 1);
const key = secretKey(randomBytes(32));
let directory: DataDirectory;
let accounts: Accounts;
let now = NOW;
const write = <T>(work: (tx: WriteTx) => T) => directory.transact(work);
const everything = () =>
  directory.read((tx) =>
    JSON.stringify([tx.range('apps'), tx.range('users'), tx.range('tokens')].map((rows) => [...rows])),
  );

beforeEach(async () => {
  now = NOW;
  directory = await openDirectory();
  accounts = openAccounts(directory, key, () => now);
});

describe('apps', () => {
  it('are installed with a secret of their own, which lists do not show', async () => {
    const { secret } = await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect(accounts.app(APP)).toEqual({ id: APP, mode: 'ui' });
    expect(accounts.listApps()).toEqual([{ id: APP, mode: 'ui' }]);
    expect(accounts.credentials(APP, undefined).app).toEqual({ id: APP, mode: 'ui', secret });
    expect(everything()).not.toContain(secret);
  });

  it('keep their secret when they are installed again without one', async () => {
    const first = await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
    const again = await write((tx) => accounts.putApp(tx, { id: APP, mode: 'frame_ui' }));
    expect(again).toEqual({ ...first, mode: 'frame_ui' });
    const changed = await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui', secret: 'mine' }));
    expect(changed.secret).toBe('mine');
    expect(accounts.credentials(APP, undefined).app?.secret).toBe('mine');
  });

  it('may have an RSA public key of 2048 bits or more', async () => {
    const pem = (bits: number) =>
      generateKeyPairSync('rsa', { modulusLength: bits })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString();
    const publicKey = pem(2048);
    await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui', publicKey }));
    expect(accounts.app(APP)?.publicKey).toBe(publicKey);
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString();
    for (const wrong of [pem(1024), ec, 'no key']) {
      await expect(
        write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui', publicKey: wrong })),
      ).rejects.toThrow('RSA key');
    }
  });

  it.each([
    [{ id: 'a/b', mode: 'ui' as const }, 'cannot be the id of an app'],
    [{ id: 'search', mode: 'ui' as const }, 'cannot be the id of an app'],
    [{ id: 'a', mode: 'helper' as 'ui' }, 'mode'],
    [{ id: 'a', mode: 'ui' as const, secret: '' }, 'consumer secret'],
    [{ id: 'a', mode: 'ui' as const, secret: 'two words' }, 'consumer secret'],
  ])('are refused as %j', async (app, reason) => {
    await expect(write((tx) => accounts.putApp(tx, app))).rejects.toThrow(reason);
    expect(accounts.listApps()).toEqual([]);
  });

  it('are gone with their tokens', async () => {
    await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
    await write((tx) => accounts.putApp(tx, { id: 'other', mode: 'ui' }));
    const { token } = await accounts.issueToken({ app: APP, record: '1' });
    const kept = await accounts.issueToken({ app: 'other', record: '1' });
    expect(await write((tx) => accounts.removeApp(tx, APP))).toBe(true);
    expect(await write((tx) => accounts.removeApp(tx, APP))).toBe(false);
    expect(accounts.app(APP)).toBeUndefined();
    await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
    expect(accounts.token(token)).toBeUndefined();
    expect(accounts.listTokens().map(({ id }) => id)).toEqual([kept.id]);
  });

  it('with an impossible id are not looked for', () => {
    for (const id of ['', 'a/b', 'x'.repeat(5000), '\u0000']) {
      expect(accounts.app(id)).toBeUndefined();
      expect(accounts.credentials(id, id).app).toBeUndefined();
      expect(accounts.user(id)).toBeUndefined();
    }
  });
});

describe('users', () => {
  const person = { id: 'person', role: 'person' as const, records: ['1', '2'] };

  it('have a role, records and a password that only a check meets', async () => {
    await write((tx) => accounts.putUser(tx, person));
    expect(await accounts.checkPassword('person', '')).toBe(false);
    await accounts.setPassword('person', 'battery staple');
    expect(await accounts.checkPassword('person', 'battery staple')).toBe(true);
    expect(await accounts.checkPassword('person', 'batterystaple')).toBe(false);
    expect(await accounts.checkPassword('nobody', 'battery staple')).toBe(false);
    expect(accounts.user('person')).toEqual(person);
    expect(accounts.listUsers()).toEqual([person]);
    expect(everything()).not.toContain('scrypt');
  });

  it('keep their password when they are changed without one', async () => {
    const passwordHash = cheapHash('one');
    await write((tx) => accounts.putUser(tx, { ...person, passwordHash }));
    await write((tx) => accounts.putUser(tx, { ...person, role: 'admin', records: ['3', '3'] }));
    expect(accounts.user('person')).toEqual({ id: 'person', role: 'admin', records: ['3'] });
    expect(await accounts.checkPassword('person', 'one')).toBe(true);
  });

  it('are refused with a wrong id, role or record, and an empty password', async () => {
    const put = (change: object) => write((tx) => accounts.putUser(tx, { ...person, ...change }));
    await expect(put({ id: 'a b' })).rejects.toThrow('cannot be the id of a user');
    await expect(put({ role: 'root' })).rejects.toThrow('role');
    await expect(put({ records: ['1', 'a@b'] })).rejects.toThrow('"a@b" cannot be the id of a record');
    await expect(accounts.setPassword('person', 'battery staple')).rejects.toThrow(
      'There is no user "person"',
    );
    await expect(accounts.setPassword('person', '')).rejects.toThrow('at least 12 characters');
  });

  it('are gone with the tokens given in their name', async () => {
    await write((tx) => {
      accounts.putApp(tx, { id: APP, mode: 'ui' });
      accounts.putUser(tx, person);
    });
    const { token } = await accounts.issueToken({ app: APP, user: 'person', record: '1' });
    expect(await write((tx) => accounts.removeUser(tx, 'person'))).toBe(true);
    expect(await write((tx) => accounts.removeUser(tx, 'person'))).toBe(false);
    expect(accounts.token(token)).toBeUndefined();
  });
});

describe('access tokens', () => {
  beforeEach(() =>
    write((tx) => {
      accounts.putApp(tx, { id: APP, mode: 'ui' });
      accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
    }),
  );

  it('are bound to app, user and record for 30 days, and stand nowhere in clear', async () => {
    const issued = await accounts.issueToken({ app: APP, user: 'person', record: '1' });
    const shown = {
      id: issued.id,
      app: APP,
      user: 'person',
      record: '1',
      issued: NOW,
      expires: NOW + TOKEN_LIFETIME,
      revoked: false,
    };
    expect(issued.expires).toBe(shown.expires);
    expect(accounts.token(issued.token)).toEqual(shown);
    expect(accounts.listTokens()).toEqual([shown]);
    expect(accounts.credentials(APP, issued.token).token).toEqual({ ...shown, secret: issued.secret });
    for (const secret of [issued.token, issued.secret]) {
      expect(everything()).not.toContain(secret);
      expect(issued.id).not.toContain(secret);
    }
    expect(accounts.token(issued.id)).toBeUndefined();
  });

  it('are revoked by their id and stay listed', async () => {
    const { id, token } = await accounts.issueToken({ app: APP, user: 'person', record: '1' });
    expect(await accounts.revoke(token)).toBe(false);
    expect(await accounts.revoke(id)).toBe(true);
    expect(accounts.token(token)?.revoked).toBe(true);
    expect(accounts.listTokens().map((listed) => listed.revoked)).toEqual([true]);
  });

  it('that need no signature are kept as a digest, narrowed by scopes, and end as others do', async () => {
    const bound = { app: APP, user: 'person', record: '1', scope: 'patient/*.rs' };
    const issue = (request = bound) => directory.transact((tx) => accounts.putBearer(tx, request));
    const { id, token } = await issue();
    expect(token).toMatch(/^cgb_[\w-]{32}$/u);
    expect(everything()).not.toContain(token);
    expect(accounts.bearer(token)).toMatchObject({ id, ...bound });
    expect(accounts.listTokens().map((listed) => listed.scope)).toEqual(['patient/*.rs']);
    // What signs travels in the clear and lets nobody in alone; what lets in alone signs nothing.
    const signing = await accounts.issueToken({ app: APP, user: 'person', record: '1' });
    expect(accounts.bearer(signing.token)).toBeUndefined();
    expect(accounts.credentials(APP, token).token).toBeUndefined();
    await accounts.revoke(id);
    expect(accounts.bearer(token)).toBeUndefined();
    const endings = [
      () => write((tx) => accounts.removeApp(tx, APP)),
      () => write((tx) => accounts.removeUser(tx, 'person')),
      () => write((tx) => accounts.putUser(tx, { id: 'person', role: 'person', records: [] })),
      () => write((tx) => closeRecord(tx, '1')),
      () => openGrants(directory, key).revokeAccess({ app: APP, user: 'person', record: '1' }),
      () => accounts.setPassword('person', 'correct horse battery', { revokeTokens: true }),
      () => void (now += TOKEN_LIFETIME),
    ];
    for (const end of endings) {
      await write((tx) => {
        accounts.putApp(tx, { id: APP, mode: 'ui' });
        accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
      });
      const issued = await issue();
      expect(accounts.bearer(issued.token)?.id).toBe(issued.id);
      await end();
      expect(accounts.bearer(issued.token), String(end)).toBeUndefined();
    }
  });

  it.each([
    ['patient/*.rs', 'Observation', true],
    ['user/Observation.rs patient/Condition.rs', 'Observation', true],
    ['user/Observation.rs patient/Condition.rs', 'Obs', false],
    ['patient/Condition.rs', 'Observation', false],
    [undefined, 'Observation', true],
  ])('with the scope %s cover %s: %s', (scope, type, covered) => {
    expect(allowsType({ scope }, type)).toBe(covered);
  });

  it.each(['', 'openid', 'patient/*.cruds', 'patient/Observation.rs?code=1', 'patient/*.rs  user/*.rs', '*'])(
    'have no scope %j',
    (scope) => {
      expect(() => checkScope(scope, true)).toThrow(/^A scope is patient\/\*\.rs/u);
    },
  );

  it('are for a patient only with a record', () => {
    expect(() => checkScope('user/*.rs patient/*.rs', false)).toThrow('give the record');
    checkScope('user/*.rs', false);
  });

  it('are listed from the oldest to the newest, until long after they expired', async () => {
    const ids: string[] = [];
    for (let day = 0; day < 5; day++) {
      now = NOW + day * 1000;
      ids.push((await accounts.issueToken({ app: APP, user: 'person', lifetime: 500 })).id);
    }
    expect(accounts.listTokens().map(({ id }) => id)).toEqual(ids);
    now = NOW + TOKEN_LIFETIME + 2600;
    await accounts.purgeExpired();
    expect(accounts.listTokens().map(({ id }) => id)).toEqual(ids.slice(3));
  });

  it('of background apps are forgotten a day after they expired', async () => {
    const day = 24 * 60 * 60 * 1000;
    const { id } = await accounts.issueToken({ app: APP, lifetime: day });
    for (const [later, listed] of [
      [2 * day, [id]],
      [2 * day + 1, []],
    ] as const) {
      now = NOW + later;
      await accounts.purgeExpired();
      expect(accounts.listTokens().map((token) => token.id)).toEqual(listed);
    }
  });

  it('are read of a user, and forgotten, while others have their turn', async () => {
    await directory.transact((tx) => {
      accounts.putUser(tx, { id: 'other', role: 'person', records: [] });
      for (let at = 0; at < 1000; at++)
        accounts.putToken(tx, { app: APP, user: at % 2 === 0 ? 'person' : 'other', lifetime: at + 1 });
    });
    let turns = 0;
    const count = (): void => {
      turns++;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const found = await accounts.tokensOf('person');
    const read = turns;
    now = NOW + TOKEN_LIFETIME + 700;
    await accounts.purgeExpired();
    clearImmediate(turn);
    expect(found).toHaveLength(500);
    expect(new Set(found.map(({ user }) => user))).toEqual(new Set(['person']));
    expect(read).toBeGreaterThanOrEqual(4);
    expect(turns - read).toBeGreaterThanOrEqual(4);
    expect((await accounts.tokensOf(undefined)).map(({ expires }) => expires).sort((a, b) => a - b)[0]).toBe(
      NOW + 700,
    );
    expect(accounts.listTokens()).toHaveLength(301);
  });

  it('are refused for an unknown app or user, a wrong record id or no lifetime', async () => {
    await expect(accounts.issueToken({ app: 'none' })).rejects.toThrow('There is no app "none"');
    await expect(accounts.issueToken({ app: APP, user: 'none' })).rejects.toThrow('There is no user "none"');
    await expect(accounts.issueToken({ app: APP, record: 'a/b' })).rejects.toThrow(
      'cannot be the id of a record',
    );
    await expect(accounts.issueToken({ app: APP, lifetime: 0 })).rejects.toThrow('lifetime');
    expect(accounts.listTokens()).toEqual([]);
  });
});

describe('a data directory sealed with another key', () => {
  it('is refused when it is opened and when a secret is written', async () => {
    const other = secretKey(randomBytes(32));
    const early = openAccounts(directory, other);
    await write((tx) => accounts.putApp(tx, { id: APP, mode: 'ui' }));
    expect(() => openAccounts(directory, other)).toThrow('not the one that sealed the secrets');
    await expect(write((tx) => early.putApp(tx, { id: 'b', mode: 'ui' }))).rejects.toThrow(
      'not the one that sealed',
    );
    expect(openAccounts(directory, key).listApps()).toHaveLength(1);
  });
});
