import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { AccountError } from './account-ids.js';

/** NIST SP 800-63B-4 §3.1.1.2 asks for 8 characters, and for 15 without a second factor. */
const LEAST_CHARACTERS = 12;
/** On zxcvbn's scale of 0 to 4, 3 means more than 10⁸ guesses even for an attacker who knows common patterns. */
const LEAST_SCORE = 3;
/** The estimator's work grows with the length, so it sees only this many characters. */
const ESTIMATED = 64;

/**
 * Hashes a new password.
 * @param user whose name the password must not be built from
 * @throws AccountError when it is too short or too easy to guess; the message never quotes it
 */
export async function hashNewPassword(user: string, password: string): Promise<string> {
  const characters = [...password.normalize('NFC')];
  if (characters.length < LEAST_CHARACTERS)
    throw new AccountError(`A password has at least ${LEAST_CHARACTERS} characters.`);
  const estimate = await estimator();
  const { score } = estimate.check(characters.slice(0, ESTIMATED).join(''), [user, 'chartgraph']);
  if (score < LEAST_SCORE)
    throw new AccountError(
      'This password is easy to guess: take several words that have nothing to do with each other, or let a password manager make one.',
    );
  return hashPassword(password);
}

/** The list of common passwords is large, so it is loaded only when a password is set. */
async function estimator() {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

/** 32 MiB of memory, three passes. */
const COST = { N: 32768, r: 8, p: 3 };
const HASH_BYTES = 32;

/** Checking against this hash, which no password has, takes as long as checking a real one. */
const NOBODYS = write(COST, Buffer.alloc(16), randomBytes(HASH_BYTES));

/** Hashes with scrypt (RFC 7914) and a random salt: `scrypt$N$r$p$salt$hash`, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return write(COST, salt, await derive(password, salt, COST, HASH_BYTES));
}

/** @param stored from hashPassword; undefined (no such user or password) takes as long and returns false */
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
