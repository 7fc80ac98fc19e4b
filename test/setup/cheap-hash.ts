import { randomBytes, scryptSync } from 'node:crypto';

/** A hash as `hashPassword` makes them, at a low cost: for tests of what follows after a password was right. */
export function cheapHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 256, r: 8, p: 1 });
  return ['scrypt', 256, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
