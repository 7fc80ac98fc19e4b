import { createHmac, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { percentEncode } from './percent.js';

/** The secrets of a signature; an absent token has an empty secret. */
export interface SigningSecrets {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

/** What a signature is checked with. */
export interface VerificationKeys extends SigningSecrets {
  readonly publicKey: KeyObject;
}

/** One row of the table of signature methods. */
export interface SignatureMethod {
  /** What the digest of oauth_body_hash may be; the first is the method's own. */
  readonly bodyHashes: readonly string[];
  /** Whether the signature covers the request; if not, it is a password and needs TLS, but no timestamp. */
  readonly coversRequest: boolean;
  /** Whether `base` was signed so; takes the same time wherever the signatures differ. */
  verify(base: string, keys: VerificationKeys, signature: string): boolean;
}

function key({ consumerSecret, tokenSecret }: SigningSecrets): string {
  return `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`;
}

/** Compares texts without showing where they differ; a signature's length is no secret, a password's is. */
function equal(expected: string, given: string): boolean {
  const [a, b] = [expected, given].map((text) => createHmac('sha256', 'compare').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const hmac = (digest: string, bodyHashes: readonly string[]): SignatureMethod => ({
  bodyHashes,
  coversRequest: true,
  verify(base, keys, signature) {
    const expected = Buffer.from(createHmac(digest, key(keys)).update(base).digest('base64'));
    const given = Buffer.from(signature);
    return timingSafeEqual(
      expected,
      given.byteLength === expected.byteLength ? given : Buffer.alloc(expected.length),
    );
  },
});

const rsa = (digest: string, bodyHashes: readonly string[]): SignatureMethod => ({
  bodyHashes,
  coversRequest: true,
  // RFC 5849 §3.4.3: RSASSA-PKCS1-v1_5, which is what node:crypto does with an RSA key.
  verify: (base, { publicKey }, signature) =>
    verify(digest, Buffer.from(base), publicKey, Buffer.from(signature, 'base64')),
});

const plaintext: SignatureMethod = {
  bodyHashes: ['sha1'],
  coversRequest: false,
  verify: (_base, keys, signature) => equal(key(keys), signature),
};

// The body hash draft names SHA-1 for the SHA-1 methods only. For the others signers in use disagree between
// SHA-1 and the method's own digest; both are hashes of the whole body.
const OLD = ['sha1'];
const NEW = ['sha256', 'sha1'];

/** How each signature method is verified (RFC 5849 §3.4.2 to §3.4.4, and the SHA-256 ones in use): a row adds one. */
export const signatureMethods: ReadonlyMap<string, SignatureMethod> = new Map([
  ['HMAC-SHA1', hmac('sha1', OLD)],
  ['HMAC-SHA256', hmac('sha256', NEW)],
  ['RSA-SHA1', rsa('sha1', OLD)],
  ['RSA-SHA256', rsa('sha256', NEW)],
  ['PLAINTEXT', plaintext],
]);
