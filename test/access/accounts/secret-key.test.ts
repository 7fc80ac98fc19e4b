import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretKey } from '../../../src/access/accounts/secret-key.js';

const key = secretKey(randomBytes(32));
const place = 'apps/a/secret';

describe('sealing', () => {
  it.each(['', 'secret', 'ü € 𝒳', 'x'.repeat(10_000)])('gives back what was sealed', (text) => {
    const sealed = key.seal(text, place);
    expect(key.unseal(sealed, place)).toBe(text);
    expect(key.unseal(sealed, place)).toBe(text);
  });

  it('gives another text each time, in which the secret does not stand', () => {
    const [one, two] = [key.seal('secret', place), key.seal('secret', place)];
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64url').includes('secret')).toBe(false);
  });

  it('opens only in its own place', () => {
    const sealed = key.seal('secret', place);
    expect(key.unseal(sealed, place)).toBe('secret');
    expect(() => key.unseal(sealed, 'apps/b/secret')).toThrow('cannot be opened');
    expect(() => key.unseal(sealed, 'apps/a/other')).toThrow('cannot be opened');
  });

  it('opens only with its own key', () => {
    expect(() => secretKey(randomBytes(32)).unseal(key.seal('secret', place), place)).toThrow(
      'cannot be opened',
    );
  });

  it('shows every change of a byte', () => {
    const sealed = Buffer.from(key.seal('secret', place), 'base64url');
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => key.unseal(changed.toString('base64url'), place)).toThrow('cannot be opened');
    }
    for (const short of [0, 1, 12, 27, sealed.byteLength - 1]) {
      expect(() => key.unseal(sealed.subarray(0, short).toString('base64url'), place)).toThrow(
        'cannot be opened',
      );
    }
  });

  it('looks up by a digest that needs the key', () => {
    expect(key.lookup('token')).toMatch(/^[0-9a-f]{32}$/);
    expect(key.lookup('token')).toBe(key.lookup('token'));
    expect(key.lookup('token')).not.toBe(key.lookup('token2'));
    expect(key.lookup('token')).not.toBe(secretKey(randomBytes(32)).lookup('token'));
  });

  it('a secret key of another length than 32 bytes is refused', () => {
    expect(() => secretKey(randomBytes(31))).toThrow('32 bytes');
  });
});
