import { describe, expect, it } from 'vitest';
import { openAccounts, type Accounts } from '../../src/accounts/accounts.js';
import { REQUEST_LIFETIME } from '../../src/accounts/request-tokens.js';
import { SESSION_IDLE, SESSION_LIFETIME } from '../../src/accounts/sessions.js';
import { secretKey } from '../../src/accounts/secret-key.js';
import { openVisits, type Visits } from '../../src/accounts/visits.js';
import type { DataDirectory } from '../../src/disk/data-directory.js';
import { openDirectory } from './open-directory.js';

interface World {
  readonly directory: DataDirectory;
  readonly accounts: Accounts;
  readonly visits: Visits;
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
    visits: openVisits(directory, key, clock),
    now: Date.UTC(2026, 0, 1),
  };
  await directory.transact((tx) => {
    made.accounts.putApp(tx, { id: 'app', mode: 'ui' });
    made.accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
    made.accounts.putUser(tx, { id: 'other', role: 'person', records: ['1'] });
  });
  return made;
}

/** Everything in the tables of visits, as text. */
const stored = ({ directory }: World): string =>
  directory.read((tx) =>
    JSON.stringify([...tx.range('sessions'), ...tx.range('requests'), ...tx.range('consents')]),
  );

describe('a session', () => {
  it('ends when it is not used for half an hour', async () => {
    const here = await world();
    const id = await here.visits.signIn(here.visits.newId(), 'person');
    for (let use = 0; use < 5; use++) {
      here.now += SESSION_IDLE - 1;
      expect(here.visits.session(id)?.user).toBe('person');
      await here.visits.touch(id);
    }
    here.now += SESSION_IDLE;
    expect(here.visits.session(id)).toBeUndefined();
  });

  it('ends after twelve hours, however much it is used', async () => {
    const here = await world();
    const id = await here.visits.signIn(here.visits.newId(), 'person');
    for (let spent = 0; spent < SESSION_LIFETIME; spent += 10 * MINUTE) {
      expect(here.visits.session(id)?.user).toBe('person');
      here.now += 10 * MINUTE;
      await here.visits.touch(id);
    }
    expect(here.visits.session(id)).toBeUndefined();
    await here.visits.forgetPast();
    expect(stored(here)).toBe('[]');
  });

  it('ends with its user, and does not come back with another of that name', async () => {
    const here = await world();
    const id = await here.visits.signIn(here.visits.newId(), 'person');
    await here.accounts.setPassword('person', 'one');
    expect(here.visits.session(id)).toBeUndefined();
    const second = await here.visits.signIn(here.visits.newId(), 'person');
    await here.directory.transact((tx) => here.accounts.removeUser(tx, 'person'));
    expect(here.visits.session(second)).toBeUndefined();
    await here.directory.transact((tx) =>
      here.accounts.putUser(tx, { id: 'person', role: 'person', records: [] }),
    );
    expect(here.visits.session(second)).toBeUndefined();
  });

  it('takes along what the same browser opened before it, and nothing from another user', async () => {
    const { visits } = await world();
    const anonymous = visits.newId();
    const before = visits.lineage(anonymous);
    const first = await visits.signIn(anonymous, 'person');
    expect(visits.session(first)?.lineage).toBe(before);
    const again = await visits.signIn(first, 'person');
    expect(visits.session(again)?.lineage).toBe(before);
    expect(visits.session(first)).toBeUndefined();
    const other = await visits.signIn(again, 'other');
    expect(visits.session(other)?.lineage).not.toBe(before);
  });

  it('is stored by a digest only', async () => {
    const here = await world();
    const id = await here.visits.signIn(here.visits.newId(), 'person');
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(stored(here)).not.toContain(id);
    expect(here.visits.csrfToken(id)).not.toBe(here.visits.csrfToken(here.visits.newId()));
  });
});

describe('a request token', () => {
  const approval = { user: 'person', record: '1', wording: 'w' };

  it('belongs to the browser that opened it first', async () => {
    const { visits } = await world();
    const { token } = await visits.issueRequest({ app: 'app', record: '1' });
    expect(await visits.approveRequest(token, 'a', approval)).toBe('gone');
    expect(await visits.openRequest(token, 'a')).toEqual({ app: 'app', record: '1' });
    expect(await visits.openRequest(token, 'b')).toBe('foreign');
    expect(await visits.approveRequest(token, 'b', approval)).toBe('foreign');
    expect(await visits.denyRequest(token, 'b')).toBe('foreign');
    expect(await visits.approveRequest(token, 'a', { ...approval, record: '2' })).toBe('foreign');
    expect(await visits.approveRequest(token, 'a', approval)).toMatchObject({ verifier: expect.any(String) });
  });

  it('belongs to the first person who was signed in there, even if another has the same session id', async () => {
    const { visits } = await world();
    const { token } = await visits.issueRequest({ app: 'app' });
    const request = { app: 'app' };
    expect(await visits.openRequest(token, 'a')).toEqual(request);
    expect(await visits.openRequest(token, 'a', 'person')).toEqual(request);
    expect(await visits.openRequest(token, 'a', 'other')).toBe('foreign');
    expect(await visits.approveRequest(token, 'a', { ...approval, user: 'other' })).toBe('foreign');
    expect(await visits.openRequest(token, 'a', 'person')).toEqual(request);
    expect(await visits.approveRequest(token, 'a', approval)).toMatchObject({ verifier: expect.any(String) });
  });

  it('that was approved is gone when the person ends the access before the exchange', async () => {
    const { visits, directory } = await world();
    const approve = async (record: string) => {
      const { token } = await visits.issueRequest({ app: 'app' });
      await visits.openRequest(token, 'a', 'person');
      const approved = await visits.approveRequest(token, 'a', { ...approval, record });
      if (typeof approved === 'string') throw new Error(approved);
      return () => directory.transact((tx) => visits.takeApproved(tx, token, 'app', approved.verifier));
    };
    const [ended, kept] = [await approve('1'), await approve('2')];
    await visits.revokeAccess({ user: 'person', app: 'app', record: '1' });
    expect(await ended()).toBeUndefined();
    expect(await kept()).toMatchObject({ record: '2' });
  });

  it('lives ten minutes, in every state', async () => {
    const here = await world();
    const { visits } = here;
    const { token } = await visits.issueRequest({ app: 'app' });
    await visits.openRequest(token, 'a');
    const approved = await visits.approveRequest(token, 'a', approval);
    if (typeof approved === 'string') throw new Error(approved);
    here.now += REQUEST_LIFETIME;
    expect(await visits.openRequest(token, 'a')).toBe('gone');
    expect(await visits.denyRequest(token, 'a')).toBe('gone');
    const taken = await here.directory.transact((tx) =>
      visits.takeApproved(tx, token, 'app', approved.verifier),
    );
    expect(taken).toBeUndefined();
    await visits.forgetPast();
    expect(stored(here)).toBe('[]');
  });

  it('is taken once, with the newest verifier, by its own app', async () => {
    const here = await world();
    const { visits, directory } = here;
    const { token, secret } = await visits.issueRequest({ app: 'app' });
    await visits.openRequest(token, 'a');
    const [old, fresh] = [
      await visits.approveRequest(token, 'a', approval),
      await visits.approveRequest(token, 'a', approval),
    ];
    if (typeof old === 'string' || typeof fresh === 'string') throw new Error();
    const take = (app: string, verifier: string) =>
      directory.transact((tx) => visits.takeApproved(tx, token, app, verifier));
    for (const text of [token, secret, fresh.verifier]) expect(stored(here)).not.toContain(text);
    expect(await take('app', old.verifier)).toBeUndefined();
    expect(await take('other', fresh.verifier)).toBeUndefined();
    expect(await take('app', fresh.verifier)).toEqual({ app: 'app', ...approval });
    expect(await take('app', fresh.verifier)).toBeUndefined();
  });

  it('is denied for good, also after it was allowed', async () => {
    const { visits, directory } = await world();
    const { token } = await visits.issueRequest({ app: 'app' });
    await visits.openRequest(token, 'a');
    const approved = await visits.approveRequest(token, 'a', approval);
    if (typeof approved === 'string') throw new Error();
    expect(await visits.denyRequest(token, 'a')).toEqual({ app: 'app' });
    expect(await visits.approveRequest(token, 'a', approval)).toBe('denied');
    expect(
      await directory.transact((tx) => visits.takeApproved(tx, token, 'app', approved.verifier)),
    ).toBeUndefined();
    expect(directory.read((tx) => visits.requestCredentials(tx, token)?.revoked)).toBe(true);
  });
});

describe('a consent', () => {
  it('ends when its token does', async () => {
    const here = await world();
    const { visits, accounts, directory } = here;
    const consent = { user: 'person', app: 'app', record: '1', wording: 'w' };
    await directory.transact((tx) => {
      visits.putConsent(tx, consent, accounts.putToken(tx, { ...consent, lifetime: 1000 }).id);
    });
    here.now += 999;
    expect(visits.isConsented(consent)).toBe(true);
    here.now += 1;
    expect(visits.isConsented(consent)).toBe(false);
  });

  it('lasts until its token is revoked, wherever that happens', async () => {
    const { visits, accounts, directory } = await world();
    const consent = { user: 'person', app: 'app', record: '1', wording: 'w' };
    const give = (): Promise<string> =>
      directory.transact((tx) => {
        const { id } = accounts.putToken(tx, consent);
        visits.putConsent(tx, consent, id);
        return id;
      });
    const id = await give();
    expect(visits.isConsented(consent)).toBe(true);
    expect(visits.isConsented({ ...consent, wording: 'more' })).toBe(false);
    expect(visits.isConsented({ ...consent, record: '2' })).toBe(false);
    await accounts.revoke(id);
    expect(visits.isConsented(consent)).toBe(false);
    await give();
    await give();
    expect(await visits.revokeAccess(consent)).toBe(2);
    expect(visits.isConsented(consent)).toBe(false);
    await give();
    await directory.transact((tx) => accounts.removeUser(tx, 'person'));
    expect(visits.isConsented(consent)).toBe(false);
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
    // The operator may issue a token for a record that the user cannot let apps into; it is not touched.
    const [one, two, issued, others] = [
      await issue('1'),
      await issue('2'),
      await issue('3'),
      await issue('1', 'other'),
    ];
    await put({ id: 'person', role: 'person', records: ['2', '4'] });
    expect([one, two, issued, others].map((token) => accounts.token(token) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    await put({ id: 'person', role: 'analyst', records: ['2'] });
    expect([two, issued].map((token) => accounts.token(token) !== undefined)).toEqual([false, true]);
  });
});
