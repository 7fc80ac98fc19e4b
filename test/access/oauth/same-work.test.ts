import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrive, rsaApp, rsaKeys, verifier } from './known.js';
import type { UnsignedRequest } from '../../../src/access/oauth/sign-request.js';
import { matchesPassword, hashPassword } from '../../../src/access/accounts/passwords.js';

/** The cryptographic work since it was last emptied. */
const work: string[] = [];

const { createHmac, verify, timingSafeEqual, scrypt } = crypto;
const real = { createHmac, verify, timingSafeEqual, scrypt };
const recording: typeof real = {
  createHmac: (...given) => {
    work.push(`hmac ${given[0]}`);
    return createHmac(...given);
  },
  verify: ((...given: Parameters<typeof verify>) => {
    work.push(`verify ${String(given[0])}`);
    return verify(...given);
  }) as typeof verify,
  timingSafeEqual: (...given) => {
    work.push('compare');
    return timingSafeEqual(...given);
  },
  scrypt: (...given: unknown[]) => {
    work.push(`scrypt ${JSON.stringify(given[3])}`);
    Reflect.apply(scrypt, crypto, given);
  },
};

/** Puts functions into the place of those of Node.js, for all that imported them. */
function replace(functions: typeof real): void {
  Object.assign(crypto, functions);
  syncBuiltinESMExports();
}
beforeAll(() => replace(recording));
afterAll(() => replace(real));
beforeEach(() => work.splice(0));

const workOf = async (change: Partial<UnsignedRequest>): Promise<string[]> => {
  const request = arrive(change);
  const verify = verifier();
  work.splice(0);
  await expect(verify(request)).rejects.toThrow();
  return work.splice(0);
};

describe('every refused signature costs the same', () => {
  const refused: [string, Partial<UnsignedRequest>][] = [
    ['wrong consumer secret', { consumerSecret: 'wrong' }],
    ['wrong token secret', { tokenSecret: 'wrong' }],
    ['unknown app', { consumerKey: 'nobody' }],
    ['unknown token', { token: 'nothing' }],
    ['unknown app and token', { consumerKey: 'nobody', token: 'nothing' }],
    ['expired token', { token: 'expired' }],
    ['revoked token', { token: 'revoked' }],
    ['token of another app', { token: 'foreign' }],
    ['changed nonce length', { nonce: 'n'.repeat(100), consumerSecret: 'wrong' }],
  ];
  it.each(['HMAC-SHA1', 'HMAC-SHA256'])('with %s', async (signatureMethod) => {
    const works = new Set<string>();
    for (const [, change] of refused) works.add((await workOf({ ...change, signatureMethod })).join());
    expect([...works]).toEqual([`hmac ${signatureMethod.slice(5).toLowerCase()},compare`]);
  });

  it.each(['RSA-SHA1', 'RSA-SHA256'])(
    'with %s, whether or not the app has a public key',
    async (signatureMethod) => {
      const { privateKey } = rsaKeys;
      const works = new Set<string>();
      for (const consumerKey of [rsaApp.id, 'app@example.org', 'nobody']) {
        const change = { consumerKey, token: 'nothing', privateKey, signatureMethod };
        works.add((await workOf(change)).join());
      }
      expect([...works]).toEqual([`verify ${signatureMethod.slice(4).toLowerCase()}`]);
    },
  );
});

describe('every refused password costs the same', () => {
  it('whether or not there is a user, and whatever the password is', async () => {
    const stored = await hashPassword('right');
    const works = new Set<string>();
    for (const [password, hash] of [
      ['wrong', stored],
      ['wrong', undefined],
      ['', stored],
      ['x'.repeat(1000), undefined],
    ] as const) {
      work.splice(0);
      expect(await matchesPassword(password, hash)).toBe(false);
      works.add(work.join());
    }
    expect(works.size).toBe(1);
  });
});
