import type * as crypto from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { arrive, rsaApp, rsaKeys, verifier } from './known.js';
import type { UnsignedRequest } from '../../src/oauth/sign-request.js';
import { matchesPassword, hashPassword } from '../../src/accounts/passwords.js';

/** The cryptographic work since it was last emptied. */
const work: string[] = vi.hoisted(() => []);

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return {
    ...real,
    createHmac: (...given: Parameters<typeof real.createHmac>) => {
      work.push(`hmac ${given[0]}`);
      return real.createHmac(...given);
    },
    verify: (...given: Parameters<typeof real.verify>) => {
      work.push(`verify ${String(given[0])}`);
      return real.verify(...given);
    },
    timingSafeEqual: (...given: Parameters<typeof real.timingSafeEqual>) => {
      work.push('compare');
      return real.timingSafeEqual(...given);
    },
    scrypt: (...given: Parameters<typeof real.scrypt>) => {
      work.push(`scrypt ${JSON.stringify(given[3])}`);
      real.scrypt(...given);
    },
  };
});
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
