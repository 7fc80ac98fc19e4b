import { describe, expect, it } from 'vitest';
import { digestOfAllowance } from '../../../src/access/accounts/allowances.js';
import { openAccounts, type Accounts } from '../../../src/access/accounts/accounts.js';
import { REQUEST_LIFETIME } from '../../../src/access/accounts/request-tokens.js';
import { SESSION_IDLE, SESSION_LIFETIME } from '../../../src/access/accounts/sessions.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import { openGrants, type Grants } from '../../../src/access/accounts/grants.js';
import type { DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDirectory } from './open-directory.js';

interface World {
  readonly directory: DataDirectory;
  readonly accounts: Accounts;
  readonly grants: Grants;
  now: number;
}

const MINUTE = 60 * 1000;

async function world(): Promise<World> {
  const directory = await openDirectory();
  const key = secretKey(Buffer.alloc(32, 7));
  const clock = (): number => made.now;
  const made: World = {
    directory,
    accounts: openAccounts(directory, key, clock),
    grants: openGrants(directory, key, clock),
    now: Date.UTC(2026, 0, 1),
  };
  await directory.transact((tx) => {
    made.accounts.putApp(tx, { id: 'app', mode: 'ui' });
    made.accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
    made.accounts.putUser(tx, { id: 'other', role: 'person', records: ['1'] });
  });
  return made;
}

/** Everything in the tables of grants, as text. */
const stored = ({ directory }: World): string =>
  directory.read((tx) =>
    JSON.stringify([...tx.range('sessions'), ...tx.range('requests'), ...tx.range('consents')]),
  );

describe('a session', () => {
  it('ends when it is not used for half an hour', async () => {
    const here = await world();
    const id = await here.grants.signIn(here.grants.newId(), 'person');
    for (let use = 0; use < 5; use++) {
      here.now += SESSION_IDLE - 1;
      expect(here.grants.session(id)?.user).toBe('person');
      await here.grants.touch(id);
    }
    here.now += SESSION_IDLE;
    expect(here.grants.session(id)).toBeUndefined();
  });

  it('ends after twelve hours, however much it is used', async () => {
    const here = await world();
    const id = await here.grants.signIn(here.grants.newId(), 'person');
    for (let spent = 0; spent < SESSION_LIFETIME; spent += 10 * MINUTE) {
      expect(here.grants.session(id)?.user).toBe('person');
      here.now += 10 * MINUTE;
      await here.grants.touch(id);
    }
    expect(here.grants.session(id)).toBeUndefined();
    await here.grants.purgeExpired();
    expect(stored(here)).toBe('[]');
  });

  it('ends with its user, and does not come back with another of that name', async () => {
    const here = await world();
    const id = await here.grants.signIn(here.grants.newId(), 'person');
    await here.accounts.setPassword('person', 'battery staple');
    expect(here.grants.session(id)).toBeUndefined();
    const second = await here.grants.signIn(here.grants.newId(), 'person');
    await here.directory.transact((tx) => here.accounts.removeUser(tx, 'person'));
    expect(here.grants.session(second)).toBeUndefined();
    await here.directory.transact((tx) =>
      here.accounts.putUser(tx, { id: 'person', role: 'person', records: [] }),
    );
    expect(here.grants.session(second)).toBeUndefined();
  });

  it('ends with a user without a password, as what they proved does', async () => {
    const here = await world();
    const { accounts, directory, grants } = here;
    const add = () =>
      directory.transact((tx) => accounts.putUser(tx, { id: 'third', role: 'person', records: [] }));
    await add();
    const id = await grants.signIn(grants.newId(), 'third');
    const proof = grants.issueProof('third', 'browser');
    await add();
    expect([grants.session(id)?.user, grants.readProof(proof, 'browser')?.user]).toEqual(['third', 'third']);
    await directory.transact((tx) => accounts.removeUser(tx, 'third'));
    expect(stored(here)).toBe('[]');
    await add();
    expect([grants.session(id), grants.readProof(proof, 'browser')]).toEqual([undefined, undefined]);
  });

  it('ends with a new role of its user, and with nothing else that is written of them', async () => {
    const { accounts, directory, grants } = await world();
    const put = (change: object) =>
      directory.transact((tx) =>
        accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'], ...change }),
      );
    const id = await grants.signIn(grants.newId(), 'person');
    const others = await grants.signIn(grants.newId(), 'other');
    await put({ records: ['1', '2'] });
    expect(grants.session(id)?.user).toBe('person');
    await put({ role: 'clinician' });
    expect(grants.session(id)).toBeUndefined();
    await put({});
    expect(grants.session(id)).toBeUndefined();
    expect(grants.session(others)?.user).toBe('other');
  });

  it('is not begun by a password that was changed while it was checked', async () => {
    const { accounts, directory, grants } = await world();
    const mark = grants.passwordMark('person');
    await accounts.setPassword('person', 'battery staple');
    await expect(grants.signIn(grants.newId(), 'person', mark)).rejects.toThrow('changed meanwhile');
    expect(grants.readProof(grants.issueProof('person', 'browser', mark), 'browser')).toBeUndefined();
    const replaces = mark;
    await expect(accounts.setPassword('person', 'another staple', { replaces })).rejects.toThrow(
      'changed meanwhile',
    );
    expect(await accounts.checkPassword('person', 'battery staple')).toBe(true);
    const now = grants.passwordMark('person');
    expect(grants.session(await grants.signIn(grants.newId(), 'person', now))?.user).toBe('person');
    expect(grants.passwordMark('nobody')).toBeUndefined();
    await directory.transact((tx) => accounts.removeUser(tx, 'person'));
    await expect(grants.signIn(grants.newId(), 'person', now)).rejects.toThrow('changed meanwhile');
  });

  it('ends with the password, and the tokens of its user with it where that is asked for', async () => {
    const here = await world();
    const { accounts, grants } = here;
    const approval = { user: 'person', record: '1', wording: 'w', allowed: 'everything' } as const;
    const { id } = await accounts.issueToken({ app: 'app', user: 'person', record: '1' });
    const { token } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a', 'person');
    const { verifier } = (await grants.approveRequest(token, 'a', approval)) as { verifier: string };
    const isRevoked = () => accounts.listTokens().find((each) => each.id === id)?.revoked;

    const session = await grants.signIn(grants.newId(), 'person');
    await accounts.setPassword('person', 'battery staple');
    expect(grants.session(session)).toBeUndefined();
    expect(isRevoked()).toBe(false);
    await accounts.setPassword('person', 'battery staple', { revokeTokens: true });
    expect(isRevoked()).toBe(true);
    const taken = await here.directory.transact((tx) => grants.takeApproved(tx, token, 'app', verifier));
    expect(taken).toBeUndefined();
  });

  it('takes along what the same browser opened before it, and nothing from another user', async () => {
    const { grants } = await world();
    const anonymous = grants.newId();
    const before = grants.browserBinding(anonymous);
    const first = await grants.signIn(anonymous, 'person');
    expect(grants.session(first)?.browserBinding).toBe(before);
    const again = await grants.signIn(first, 'person');
    expect(grants.session(again)?.browserBinding).toBe(before);
    expect(grants.session(first)).toBeUndefined();
    const other = await grants.signIn(again, 'other');
    expect(grants.session(other)?.browserBinding).not.toBe(before);
  });

  it('is stored by a digest only', async () => {
    const here = await world();
    const id = await here.grants.signIn(here.grants.newId(), 'person');
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(stored(here)).not.toContain(id);
    expect(here.grants.csrfToken(id)).not.toBe(here.grants.csrfToken(here.grants.newId()));
  });
});

describe('a request token', () => {
  const approval = { user: 'person', record: '1', wording: 'w', allowed: 'everything' } as const;

  it.each<[what: string, end: (here: World, token: string) => Promise<unknown>, isLeft: boolean]>([
    [
      'its user is removed',
      ({ directory, accounts }) => directory.transact((tx) => accounts.removeUser(tx, 'person')),
      false,
    ],
    [
      'another user is removed',
      ({ directory, accounts }) => directory.transact((tx) => accounts.removeUser(tx, 'other')),
      true,
    ],
    [
      'its app is removed',
      ({ directory, accounts }) => directory.transact((tx) => accounts.removeApp(tx, 'app')),
      false,
    ],
    [
      'its app works without people now',
      ({ directory, accounts }) =>
        directory.transact((tx) => accounts.putApp(tx, { id: 'app', mode: 'background' })),
      false,
    ],
    [
      'its app is told anew',
      ({ directory, accounts }) => directory.transact((tx) => accounts.putApp(tx, { id: 'app', mode: 'ui' })),
      true,
    ],
    [
      'the token that its user gave before is revoked',
      ({ accounts }, token) => accounts.revoke(token),
      false,
    ],
  ])('that was approved is exchanged when %s: %s', async (_, end, isLeft) => {
    const here = await world();
    const { directory, accounts, grants } = here;
    const { id } = await accounts.issueToken({ app: 'app', user: 'person', record: '1' });
    const { token } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a', 'person');
    const { verifier } = (await grants.approveRequest(token, 'a', approval)) as { verifier: string };
    await end(here, id);
    const taken = await directory.transact((tx) => grants.takeApproved(tx, token, 'app', verifier));
    expect(taken !== undefined).toBe(isLeft);
  });

  it('that nobody has approved goes with its app', async () => {
    const { directory, accounts, grants } = await world();
    const { token } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a', 'person');
    await directory.transact((tx) => {
      accounts.removeApp(tx, 'app');
      accounts.putApp(tx, { id: 'app', mode: 'ui' });
    });
    expect(await grants.approveRequest(token, 'a', approval)).toBe('gone');
  });

  it('stays when a token for another record is revoked', async () => {
    const { directory, accounts, grants } = await world();
    await directory.transact((tx) =>
      accounts.putUser(tx, { id: 'person', role: 'person', records: ['1', '2'] }),
    );
    const { id } = await accounts.issueToken({ app: 'app', user: 'person', record: '2' });
    const { token } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a', 'person');
    const { verifier } = (await grants.approveRequest(token, 'a', approval)) as { verifier: string };
    await accounts.revoke(id);
    expect(await directory.transact((tx) => grants.takeApproved(tx, token, 'app', verifier))).toBeDefined();
  });

  it('belongs to the browser that opened it first', async () => {
    const { grants } = await world();
    const { token } = await grants.issueRequest({ app: 'app', record: '1' });
    expect(await grants.approveRequest(token, 'a', approval)).toBe('gone');
    expect(await grants.openRequest(token, 'a')).toEqual({ app: 'app', record: '1' });
    expect(await grants.openRequest(token, 'b')).toBe('foreign');
    expect(await grants.approveRequest(token, 'b', approval)).toBe('foreign');
    expect(await grants.denyRequest(token, 'b')).toBe('foreign');
    expect(await grants.approveRequest(token, 'a', { ...approval, record: '2' })).toBe('foreign');
    expect(await grants.approveRequest(token, 'a', approval)).toMatchObject({ verifier: expect.any(String) });
  });

  it('belongs to the first person who was signed in there, even if another has the same session id', async () => {
    const { grants } = await world();
    const { token } = await grants.issueRequest({ app: 'app' });
    const request = { app: 'app' };
    expect(await grants.openRequest(token, 'a')).toEqual(request);
    expect(await grants.openRequest(token, 'a', 'person')).toEqual(request);
    expect(await grants.openRequest(token, 'a', 'other')).toBe('foreign');
    expect(await grants.approveRequest(token, 'a', { ...approval, user: 'other' })).toBe('foreign');
    expect(await grants.openRequest(token, 'a', 'person')).toEqual(request);
    expect(await grants.approveRequest(token, 'a', approval)).toMatchObject({ verifier: expect.any(String) });
  });

  it('that was approved is gone when the person ends the access before the exchange', async () => {
    const { grants, directory } = await world();
    const approve = async (record: string) => {
      const { token } = await grants.issueRequest({ app: 'app' });
      await grants.openRequest(token, 'a', 'person');
      const approved = await grants.approveRequest(token, 'a', { ...approval, record });
      if (typeof approved === 'string') throw new Error(approved);
      return () => directory.transact((tx) => grants.takeApproved(tx, token, 'app', approved.verifier));
    };
    const [ended, kept] = [await approve('1'), await approve('2')];
    await grants.revokeAccess({ user: 'person', app: 'app', record: '1' });
    expect(await ended()).toBeUndefined();
    expect(await kept()).toMatchObject({ record: '2' });
  });

  it('lives ten minutes, in every state', async () => {
    const here = await world();
    const { grants } = here;
    const { token } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a');
    const approved = await grants.approveRequest(token, 'a', approval);
    if (typeof approved === 'string') throw new Error(approved);
    here.now += REQUEST_LIFETIME;
    expect(await grants.openRequest(token, 'a')).toBe('gone');
    expect(await grants.denyRequest(token, 'a')).toBe('gone');
    const taken = await here.directory.transact((tx) =>
      grants.takeApproved(tx, token, 'app', approved.verifier),
    );
    expect(taken).toBeUndefined();
    await grants.purgeExpired();
    expect(stored(here)).toBe('[]');
  });

  it('is taken once, with the newest verifier, by its own app', async () => {
    const here = await world();
    const { grants, directory } = here;
    const { token, secret } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a');
    const [old, fresh] = [
      await grants.approveRequest(token, 'a', approval),
      await grants.approveRequest(token, 'a', approval),
    ];
    if (typeof old === 'string' || typeof fresh === 'string') throw new Error();
    const take = (app: string, verifier: string) =>
      directory.transact((tx) => grants.takeApproved(tx, token, app, verifier));
    for (const text of [token, secret, fresh.verifier]) expect(stored(here)).not.toContain(text);
    expect(await take('app', old.verifier)).toBeUndefined();
    expect(await take('other', fresh.verifier)).toBeUndefined();
    const allowed = digestOfAllowance('everything');
    expect(await take('app', fresh.verifier)).toEqual({ app: 'app', ...approval, allowed });
    expect(await take('app', fresh.verifier)).toBeUndefined();
  });

  it('is denied for good, also after it was allowed', async () => {
    const { grants, directory } = await world();
    const { token } = await grants.issueRequest({ app: 'app' });
    await grants.openRequest(token, 'a');
    const approved = await grants.approveRequest(token, 'a', approval);
    if (typeof approved === 'string') throw new Error();
    expect(await grants.denyRequest(token, 'a')).toEqual({ app: 'app' });
    expect(await grants.approveRequest(token, 'a', approval)).toBe('denied');
    expect(
      await directory.transact((tx) => grants.takeApproved(tx, token, 'app', approved.verifier)),
    ).toBeUndefined();
    expect(directory.read((tx) => grants.requestCredentials(tx, token)?.revoked)).toBe(true);
  });
});

describe('a consent', () => {
  it('ends when its token does', async () => {
    const here = await world();
    const { grants, accounts, directory } = here;
    const consent = { user: 'person', app: 'app', record: '1', wording: 'w' };
    await directory.transact((tx) => {
      grants.putConsent(tx, consent, accounts.putToken(tx, { ...consent, lifetime: 1000 }).id);
    });
    here.now += 999;
    expect(grants.isConsented(consent)).toBe(true);
    here.now += 1;
    expect(grants.isConsented(consent)).toBe(false);
  });

  it('lasts until its token is revoked, wherever that happens', async () => {
    const { grants, accounts, directory } = await world();
    const consent = { user: 'person', app: 'app', record: '1', wording: 'w' };
    const give = (): Promise<string> =>
      directory.transact((tx) => {
        const { id } = accounts.putToken(tx, consent);
        grants.putConsent(tx, consent, id);
        return id;
      });
    const id = await give();
    expect(grants.isConsented(consent)).toBe(true);
    expect(grants.isConsented({ ...consent, wording: 'more' })).toBe(false);
    expect(grants.isConsented({ ...consent, record: '2' })).toBe(false);
    await accounts.revoke(id);
    expect(grants.isConsented(consent)).toBe(false);
    await give();
    await give();
    expect(await grants.revokeAccess(consent)).toBe(2);
    expect(grants.isConsented(consent)).toBe(false);
    await give();
    await directory.transact((tx) => accounts.removeUser(tx, 'person'));
    expect(grants.isConsented(consent)).toBe(false);
  });
});

describe('records taken from a user', () => {
  it('are taken from the apps that they let into them, and nothing else is', async () => {
    const { accounts, directory } = await world();
    const put = (user: Parameters<Accounts['putUser']>[1]) =>
      directory.transact((tx) => accounts.putUser(tx, user));
    await put({ id: 'person', role: 'person', records: ['1', '2'] });
    const issue = async (record: string, user = 'person') =>
      (await accounts.issueToken({ app: 'app', user, record })).token;
    await expect(issue('3')).rejects.toThrow('Record 3 is not given to person');
    const [one, two, others] = [await issue('1'), await issue('2'), await issue('1', 'other')];
    await put({ id: 'person', role: 'person', records: ['2', '4'] });
    expect([one, two, others].map((token) => accounts.token(token) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    await put({ id: 'person', role: 'analyst', records: ['2'] });
    expect([two, others].map((token) => accounts.token(token) !== undefined)).toEqual([false, true]);
  });
});
