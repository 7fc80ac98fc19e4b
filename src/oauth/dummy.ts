import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto';

/** Keys that nobody has. */
export interface DummyKeys {
  readonly secret: string;
  readonly publicKey: KeyObject;
}

/**
 * Keys to check the signature of an unknown app or token against, so that refusing it is the same work. The RSA
 * key is a random modulus of 2048 bits: nobody knows its factors, and making it takes no search for primes.
 */
export function dummyKeys(): DummyKeys {
  const modulus = randomBytes(256);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[255] = (modulus[255] ?? 0) | 1;
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' };
  return {
    secret: randomBytes(24).toString('base64url'),
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
  };
}
