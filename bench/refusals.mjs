// Refusing must not show why: each refusal of a signature and of a sign-in beside the one for a wrong secret.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '../dist/accounts/accounts.js';
import { loadSecretKey } from '../dist/accounts/key.js';
import { hashPassword } from '../dist/accounts/passwords.js';
import { openDataDirectory } from '../dist/disk/data-directory.js';
import { openNonces } from '../dist/disk/nonces.js';
import { signRequest } from '../dist/oauth/sign.js';
import { createVerifier } from '../dist/oauth/verify.js';
import { inTurn, result } from './measure.mjs';

const BASE = 'http://localhost:7000';
const APP = 'app@example.org';
/** One round of a measurement, so that a clock that ticks coarsely does not decide. */
const BATCH = 200;

/** Times of refusals against that of a wrong consumer secret. */
export async function refusals() {
  const dir = await mkdtemp(join(tmpdir(), 'chartgraph-refusals-'));
  const directory = await openDataDirectory(dir, { create: true });
  const nonces = await openNonces(dir);
  try {
    const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const passwordHash = await hashPassword('right');
    const secret = await directory.transact((tx) => {
      accounts.putUser(tx, { id: 'known', role: 'person', records: [], passwordHash });
      accounts.putApp(tx, { id: 'other@example.org', mode: 'ui' });
      return accounts.putApp(tx, { id: APP, mode: 'ui', publicKey: pem }).secret;
    });
    const [good, revoked] = [
      await accounts.issueToken({ app: APP, user: 'known', record: '1' }),
      await accounts.issueToken({ app: APP, user: 'known', record: '1' }),
    ];
    await accounts.revoke(revoked.id);
    const right = { consumerKey: APP, consumerSecret: secret, token: good.token, tokenSecret: good.secret };
    const verify = createVerifier({ accounts, nonces, baseUrl: BASE });

    const refusal = (change) => {
      const requests = Array.from({ length: BATCH }, () => arriving({ ...right, ...change }));
      return async () => {
        for (const request of requests) await refused(verify, request);
      };
    };
    const changes = {
      'unknown app': { consumerKey: 'nobody@example.org' },
      'unknown token': { token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      'revoked token': { token: revoked.token, tokenSecret: revoked.secret },
      'wrong token secret': { tokenSecret: 'wrong' },
    };
    const peer = refusal({ consumerSecret: 'wrong' });
    const [own, ...times] = await inTurn([peer, ...Object.values(changes).map(refusal)], 30);
    const signatures = Object.keys(changes).map((name, index) =>
      alike(`refusal: ${name}, against wrong consumer secret`, times[index] / BATCH, own / BATCH),
    );

    const rsa = (consumerKey) =>
      refusal({ consumerKey, signatureMethod: 'RSA-SHA256', privateKey, token: 'unknown' });
    const [known, unknown] = await inTurn([rsa(APP), rsa('nobody@example.org')], 12);
    const signIns = ['known', 'nobody'].map((user) => () => accounts.checkPassword(user, 'wrong'));
    const [ofUser, ofNobody] = await inTurn(signIns, 15);
    return [
      ...signatures,
      alike('refusal: RSA, unknown app against known app', unknown / BATCH, known / BATCH),
      alike('refused sign-in: unknown user against known user', ofNobody, ofUser),
    ];
  } finally {
    await nonces.close();
    await directory.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Two times that should be the same: the longer stands beside the shorter, since being faster tells as much. */
function alike(name, a, b) {
  return result(name, Math.max(a, b), Math.min(a, b), 1.3);
}

function arriving(change) {
  const url = `${BASE}/records/1/medications/?limit=5`;
  const authorization = [signRequest({ method: 'GET', url, ...change })];
  return { method: 'GET', rawTarget: '/records/1/medications/?limit=5', authorization, secure: false };
}

async function refused(verify, request) {
  try {
    await verify(request);
  } catch (error) {
    if (error.kind === 'unauthorized') return;
    throw error;
  }
  throw new Error('a request that should be refused was accepted');
}
