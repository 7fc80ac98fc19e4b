import type { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openAccounts, type Accounts } from '../../../src/access/accounts/accounts.js';
import { signInProofs, PROOF_LIFETIME } from '../../../src/access/accounts/sessions.js';
import { secondFactors, type SecondFactors } from '../../../src/access/accounts/second-factor.js';
import { secretKey } from '../../../src/access/accounts/secret-key.js';
import type { DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDirectory } from './open-directory.js';

const key = secretKey(Buffer.alloc(32, 7));
const STEP = 30;
let now: number;
let directory: DataDirectory;
let accounts: Accounts;
let factors: SecondFactors;
const clock = (): number => now * 1000;

/** RFC 6238, appendix B: the seed of its SHA-1 vectors, and their last six of eight digits. */
const SEED = Buffer.from('12345678901234567890');
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

beforeEach(async () => {
  now = 0;
  directory = await openDirectory();
  accounts = openAccounts(directory, key, clock);
  await directory.transact((tx) => {
    accounts.putUser(tx, { id: 'anne', role: 'clinician', records: [] });
    accounts.putUser(tx, { id: 'bert', role: 'person', records: [] });
  });
  let made = 0;
  factors = secondFactors({ directory, key, clock }, ((bytes: number) =>
    bytes === SEED.byteLength ? SEED : Buffer.alloc(bytes, ++made)) as typeof randomBytes);
});

/** Puts the seed of the vectors into force at a moment before them. */
async function enrolled(): Promise<readonly string[]> {
  await factors.enrol('anne', 'Chart');
  now = 29;
  // The code of step 0, RFC 4226 appendix D.
  return (await factors.confirm('anne', '755224')) ?? [];
}

describe('a second factor', () => {
  it('is enrolled by what authenticator apps read, and in force when it is confirmed', async () => {
    const { secret, uri } = await factors.enrol('anne', 'Chart');
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(uri).toBe(
      `otpauth://totp/Chart:anne?issuer=Chart&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(factors.has('anne')).toBe(false);
    expect(await factors.verify('anne', '755224')).toBeUndefined();
    expect(await factors.confirm('anne', '000000')).toBeUndefined();
    expect(factors.has('anne')).toBe(false);
    expect(await factors.confirm('anne', '755224')).toHaveLength(10);
    expect(factors.has('anne')).toBe(true);
    expect(factors.has('bert')).toBe(false);
    expect(await factors.confirm('anne', '287082')).toBeUndefined();
  });

  it.each(vectors)('takes the code of RFC 6238 at %i s, once', async (seconds, code) => {
    await enrolled();
    now = seconds;
    expect(await factors.verify('anne', code)).toBe('code');
    expect(await factors.verify('anne', code)).toBeUndefined();
    now += STEP;
    expect(await factors.verify('anne', code)).toBeUndefined();
  });

  it.each([
    [-2, undefined],
    [-1, 'code'],
    [0, 'code'],
    [1, 'code'],
    [2, undefined],
  ])('takes a code %i steps away: %s', async (steps, expected) => {
    await enrolled();
    now = 1234567890 - steps * STEP;
    expect(await factors.verify('anne', '005 924')).toBe(expected);
  });

  it('does not take an older code after a newer one', async () => {
    await enrolled();
    now = 1111111111;
    expect(await factors.verify('anne', '050471')).toBe('code');
    // One step older, within the window, never used.
    expect(await factors.verify('anne', '081804')).toBeUndefined();
  });

  it('takes a code once also when it comes twice at the same time', async () => {
    await enrolled();
    now = 59;
    const both = await Promise.all([factors.verify('anne', '287082'), factors.verify('anne', '287082')]);
    expect(both.filter((found) => found !== undefined)).toEqual(['code']);
  });

  it('stays in force while a new one waits to be confirmed', async () => {
    await enrolled();
    await factors.enrol('anne', 'Chart');
    now = 59;
    expect(await factors.verify('anne', '287082')).toBe('code');
  });

  it('is read with no key but its own, and not for another user', async () => {
    await enrolled();
    expect(directory.read((tx) => JSON.stringify([...tx.range('factors')]))).not.toContain('GEZDGNBV');
    await directory.transact((tx) => tx.put('factors', 'bert', tx.get('factors', 'anne')));
    now = 59;
    await expect(factors.verify('bert', '287082')).rejects.toThrow('cannot be opened');
  });

  it('is nothing for nobody', async () => {
    await expect(factors.enrol('nobody', 'Chart')).rejects.toThrow('There is no user "nobody".');
    for (const user of ['nobody', '']) {
      expect(await factors.verify(user, '755224')).toBeUndefined();
      expect(await factors.confirm(user, '755224')).toBeUndefined();
      expect(await factors.remove(user)).toBe(false);
    }
  });

  it('ends when it is removed, and with its user', async () => {
    await enrolled();
    expect(await factors.remove('anne')).toBe(true);
    expect(await factors.remove('anne')).toBe(false);
    expect(factors.has('anne')).toBe(false);
    await enrolled();
    await directory.transact((tx) => accounts.removeUser(tx, 'anne'));
    expect(factors.has('anne')).toBe(false);
  });
});

describe('recovery codes', () => {
  it('are ten, each right once, however they are typed, and stored by digests only', async () => {
    const codes = await enrolled();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const stored = directory.read((tx) => JSON.stringify([...tx.range('factors')]));
    for (const code of codes) expect(stored).not.toContain(code.replaceAll('-', ''));
    const [first = '', second = ''] = codes;
    expect(await factors.verify('anne', ` ${first.toUpperCase().replaceAll('-', ' ')} `)).toBe(
      'recovery-code',
    );
    expect(await factors.verify('anne', first)).toBeUndefined();
    expect(factors.recoveryCodesLeft('anne')).toBe(9);
    expect(await factors.verify('bert', second)).toBeUndefined();
    expect(await factors.verify('anne', '')).toBeUndefined();
    expect(await factors.verify('anne', 'aaaa-aaaa-aaaa-aaaa')).toBeUndefined();
    expect(await factors.verify('anne', second.replaceAll('-', ''))).toBe('recovery-code');
  });

  it('end with the next enrolment', async () => {
    const [first = ''] = await enrolled();
    await factors.enrol('anne', 'Chart');
    now = 59;
    expect(await factors.confirm('anne', '287082')).toHaveLength(10);
    expect(await factors.verify('anne', first)).toBeUndefined();
    expect(factors.recoveryCodesLeft('anne')).toBe(10);
  });
});

describe('a proof of the password', () => {
  it('counts for five minutes in the browser that it was made for, until the password changes', async () => {
    const proofs = signInProofs({ directory, key, clock });
    const proof = proofs.issueProof('anne', 'browser');
    expect(proofs.readProof(proof, 'browser')?.user).toBe('anne');
    expect(proofs.readProof(proof, 'other')).toBeUndefined();
    expect(proofs.readProof(proof.slice(0, -4), 'browser')).toBeUndefined();
    expect(proofs.readProof('', 'browser')).toBeUndefined();
    now += PROOF_LIFETIME / 1000 - 1;
    expect(proofs.readProof(proof, 'browser')?.user).toBe('anne');
    now += 1;
    expect(proofs.readProof(proof, 'browser')).toBeUndefined();
    const second = proofs.issueProof('anne', 'browser');
    await accounts.setPassword('anne', 'battery staple');
    expect(proofs.readProof(second, 'browser')).toBeUndefined();
  });
});
