// How long a refused signature takes against an accepted one, for each reason: who is refused must not learn why.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { openAccounts } from '../../dist/access/accounts/accounts.js';
import { loadSecretKey } from '../../dist/access/accounts/secret-key.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { openNonces } from '../../dist/store/disk/nonces.js';
import { signRequest } from '../../dist/access/oauth/sign-request.js';
import { createVerification } from '../../dist/access/oauth/verify.js';
import { base, scratch } from '../lib/data.mjs';
import { figure, inTurn, short } from '../lib/measure.mjs';

const APP = 'bench@apps.example.org';
const TARGET = '/records/1/medications/?limit=5';
/** One round of a measurement, so that a clock that ticks coarsely does not decide. */
const BATCH = 200;

export async function measure({ quick }) {
  const dir = await mkdtemp(scratch('refusals-'));
  const directory = await openDataDirectory(dir, { create: true });
  const nonces = await openNonces(dir);
  try {
    const accounts = openAccounts(directory, await loadSecretKey(dir, {}));
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { secret } = await directory.transact((tx) =>
      accounts.putApp(tx, { id: APP, mode: 'ui', publicKey: pem }),
    );
    const [good, revoked] = [
      await accounts.issueToken({ app: APP, record: '1' }),
      await accounts.issueToken({ app: APP, record: '1' }),
    ];
    await accounts.revoke(revoked.id);
    const right = { consumerKey: APP, consumerSecret: secret, token: good.token, tokenSecret: good.secret };
    const verify = createVerification({ accounts, nonces, baseUrl: base });
    const rsa = { signatureMethod: 'RSA-SHA256', privateKey };
    const now = () => Math.floor(Date.now() / 1000);
    /** By reason: what is changed, and whether the accepted one beside it is signed by RSA. */
    const reasons = {
      'wrong consumer secret': [{ consumerSecret: 'wrong' }],
      'wrong token secret': [{ tokenSecret: 'wrong' }],
      'unknown app': [{ consumerKey: 'nobody@example.org' }],
      'unknown token': [{ token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
      'revoked token': [{ token: revoked.token, tokenSecret: revoked.secret }],
      'old timestamp': [{ timestamp: now() - 3600 }],
      'unknown app, RSA': [{ ...rsa, consumerKey: 'nobody@example.org' }, rsa],
      'unknown token, RSA': [{ ...rsa, token: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }, rsa],
    };
    const rounds = quick ? 10 : 16;
    const batch = (change, accepted) => async () => {
      for (const request of change.requests.splice(0, BATCH)) await expect(verify, request, accepted);
    };
    const signed = (change) => ({
      requests: Array.from({ length: BATCH * (rounds * 2 + 2) }, () => arriving({ ...right, ...change })),
    });
    const results = [];
    for (const [reason, [change, peer = {}]] of Object.entries(reasons)) {
      const [refused, accepted] = await inTurn(
        [batch(signed(change), false), batch(signed(peer), true)],
        rounds,
      );
      results.push({ reason, ratio: refused / accepted, refused, accepted });
    }
    const off = ({ ratio }) => Math.max(ratio, 1 / ratio);
    results.sort((a, b) => off(b) - off(a));
    return [
      figure('refusals', results[0].ratio, {
        goal: null,
        better: 'lower',
        details: results.map(
          ({ reason, ratio, refused, accepted }) =>
            `${short(ratio).padEnd(6)} ${reason}: ${short((refused / BATCH) * 1000)} µs, accepted ${short((accepted / BATCH) * 1000)}`,
        ),
      }),
    ];
  } finally {
    await nonces.close();
    await directory.close();
  }
}

function arriving(change) {
  const authorization = [signRequest({ method: 'GET', url: base + TARGET, ...change })];
  return { method: 'GET', rawTarget: TARGET, authorization, secure: false };
}

async function expect(verify, request, accepted) {
  try {
    await verify(request);
  } catch (error) {
    if (error.kind === 'unauthorized' && !accepted) return;
    throw error;
  }
  if (!accepted) throw new Error('a request that should be refused was accepted');
}
