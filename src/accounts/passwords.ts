import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** How much work a new password hash costs: 32 MiB of memory, three passes. */
const COST = { N: 32768, r: 8, p: 3 };
const HASH_BYTES = 32;

/** A hash that no password has; checking against it costs what checking a real one costs. */
const NOBODYS = write(COST, Buffer.alloc(16), randomBytes(HASH_BYTES));

/**
 * Hashes a password with scrypt (RFC 7914) and a random salt.
 * @returns `scrypt$N$r$p$salt$hash`: the parameters stand with the hash, so that they can grow later
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return write(COST, salt, await derive(password, salt, COST, HASH_BYTES));
}

/**
 * Whether a password is the one that was hashed.
 * @param stored what hashPassword gave; undefined (no such user, no password) costs the same and is false
 */
export async function matchesPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt = '', hash = ''] = (stored ?? NOBODYS).split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64url'), cost, expected.byteLength);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

function write({ N, r, p }: typeof COST, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function derive(password: string, salt: Buffer, cost: typeof COST, length: number): Promise<Buffer> {
  // RFC 8265 §4.2: the same characters typed on another keyboard are the same password.
  const text = password.normalize('NFC');
  const options = { ...cost, maxmem: 2 * 128 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(text, salt, length, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
