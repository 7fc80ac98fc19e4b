import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openAccounts, type Accounts } from '../../../src/access/accounts/accounts.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import type { IssuedToken } from '../../../src/access/accounts/tokens.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openNonces } from '../../../src/store/disk/nonces.js';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import type { IncomingSignature } from '../../../src/access/oauth/signed-request.js';
import type { Principal } from '../../../src/access/oauth/verify.js';
import { createVerifier } from './known.js';
import { openDirectory } from '../accounts/open-directory.js';

const BASE = 'https://chart.example.org';
const key = secretKey(randomBytes(32));
const APP = 'demo-ui@apps.example.org';

describe('signatures against stored accounts', () => {
  let now = Date.now();
  let directory: DataDirectory;
  let accounts: Accounts;
  let secret: string;
  let token: IssuedToken;
  let verify: (request: IncomingSignature) => Promise<Principal | undefined>;

  const request = (): IncomingSignature => ({
    method: 'GET',
    rawTarget: '/records/1/problems/',
    authorization: [
      signRequest({
        method: 'GET',
        url: `${BASE}/records/1/problems/`,
        consumerKey: APP,
        consumerSecret: secret,
        token: token.token,
        tokenSecret: token.secret,
        timestamp: Math.floor(now / 1000),
      }),
    ],
    secure: true,
  });

  beforeEach(async () => {
    now = Date.now();
    directory = await openDirectory();
    const nonces = await openNonces(directory.dir, { clock: () => now });
    onTestFinished(() => nonces.close());
    accounts = openAccounts(directory, key, () => now);
    secret = await directory.transact((tx) => {
      accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
      return accounts.putApp(tx, { id: APP, mode: 'ui' }).secret;
    });
    token = await accounts.issueToken({ app: APP, user: 'person', record: '1' });
    verify = createVerifier({ accounts, nonces, baseUrl: BASE, clock: () => now });
  });

  it('prove app, user and record once', async () => {
    const signed = request();
    await expect(verify(signed)).resolves.toEqual({
      app: APP,
      token: { id: token.id, user: 'person', record: '1' },
    });
    await expect(verify(signed)).rejects.toMatchObject({ extra: { oauth_problem: 'nonce_used' } });
    await expect(verify(request())).resolves.toBeDefined();
  });

  it('prove nothing from the moment the token is revoked, also through another handle of the directory', async () => {
    await verify(request());
    const other = await openDataDirectory(directory.dir);
    onTestFinished(() => other.close());
    await openAccounts(other, key).revoke(token.id);
    await expect(verify(request())).rejects.toThrow('not accepted');
  });

  it('prove nothing once the token has expired', async () => {
    now = token.expires - 1;
    await expect(verify(request())).resolves.toBeDefined();
    now = token.expires;
    await expect(verify(request())).rejects.toThrow('not accepted');
  });

  it('prove nothing with a secret that was changed, and everything with the new one', async () => {
    await verify(request());
    await directory.transact((tx) => accounts.putApp(tx, { id: APP, mode: 'ui', secret: 'new' }));
    await expect(verify(request())).rejects.toThrow('not accepted');
    secret = 'new';
    await expect(verify(request())).resolves.toBeDefined();
  });

  it.each(['app', 'user'])('prove nothing once the %s is removed', async (what) => {
    await verify(request());
    await directory.transact((tx) =>
      what === 'app' ? accounts.removeApp(tx, APP) : accounts.removeUser(tx, 'person'),
    );
    await expect(verify(request())).rejects.toThrow('not accepted');
  });
});
