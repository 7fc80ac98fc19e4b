import { beforeAll, describe, expect, it } from 'vitest';
import { hashPassword, matchesPassword } from '../../../src/access/accounts/passwords.js';
import { processTime } from '../../setup/cpu-time.js';

describe('passwords', () => {
  let stored: string;
  // Each hash takes a third of a second.
  beforeAll(async () => {
    stored = await hashPassword('correct horse');
  });

  it('match their own hash, which holds its parameters and not the password', async () => {
    expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await matchesPassword('correct horse', stored)).toBe(true);
    expect(await matchesPassword('Correct horse', stored)).toBe(false);
    expect(await matchesPassword('', stored)).toBe(false);
  });

  it('hash differently each time', async () => {
    expect(await hashPassword('correct horse')).not.toBe(stored);
  });

  it('match a hash that was made with other parameters', async () => {
    // scrypt of "pleaseletmein" with salt "SodiumChloride", N 16384, r 8, p 1: RFC 7914 §12
    const hash = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      'hex',
    ).toString('base64url');
    const other = `scrypt$16384$8$1$${Buffer.from('SodiumChloride').toString('base64url')}$${hash}`;
    expect(await matchesPassword('pleaseletmein', other)).toBe(true);
    expect(await matchesPassword('pleaseletmeout', other)).toBe(false);
  });

  it('match however their accents are composed', async () => {
    expect(await matchesPassword('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true);
  });

  it('of nobody never match, after the same work', async () => {
    const time = async (hash: string | undefined) => {
      const start = processTime();
      expect(await matchesPassword('y', hash)).toBe(false);
      return processTime() - start;
    };
    await time(stored);
    const [known, unknown] = [await time(stored), await time(undefined)];
    expect(unknown).toBeGreaterThan(known / 4);
    expect(unknown).toBeLessThan(known * 4);
  });
});
