import { describe, expect, it } from 'vitest';
import { openGrants, type Grants } from '../../../src/access/accounts/grants.js';
import { openAccounts } from '../../../src/access/accounts/accounts.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import { openDirectory } from './open-directory.js';

const MINUTE = 60 * 1000;
const YEAR = 365 * 24 * 60 * MINUTE;

interface World {
  readonly grants: Grants;
  now: number;
}

async function world(): Promise<World> {
  const directory = await openDirectory();
  const key = secretKey(Buffer.alloc(32, 7));
  const accounts = openAccounts(directory, key);
  await directory.transact((tx) => {
    accounts.putApp(tx, { id: 'app', mode: 'ui' });
    accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
  });
  const made: World = { now: Date.UTC(2026, 0, 1), grants: openGrants(directory, key, () => made.now) };
  return made;
}

describe('after a clock that was ahead is set back', () => {
  it.each([2 * 60 * MINUTE, YEAR])('a session of that time is over, by %d ms', async (ahead) => {
    const here = await world();
    here.now += ahead;
    const id = await here.grants.signIn(here.grants.newId(), 'person');
    expect(here.grants.session(id)?.user).toBe('person');
    here.now -= ahead;
    expect(here.grants.session(id)).toBeUndefined();
    expect(here.grants.listSessions('person', id)).toEqual([]);
  });

  it('a session goes on where the clock is set back by some minutes only', async () => {
    const here = await world();
    const id = await here.grants.signIn(here.grants.newId(), 'person');
    here.now -= 5 * MINUTE;
    expect(here.grants.session(id)?.user).toBe('person');
  });

  it('a request token of that time is over, and no approval of it is exchanged', async () => {
    const here = await world();
    here.now += YEAR;
    const { token } = await here.grants.issueRequest({ app: 'app' });
    expect(await here.grants.openRequest(token, 'browser', 'person')).toEqual({ app: 'app' });
    here.now -= YEAR;
    expect(await here.grants.openRequest(token, 'browser', 'person')).toBe('gone');
    await here.grants.forgetExpiredRequests();
    here.now += YEAR;
    expect(await here.grants.openRequest(token, 'browser', 'person')).toBe('gone');
  });
});
