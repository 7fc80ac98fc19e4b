import { createHash, createHmac, sign, type KeyObject } from 'node:crypto';
import { prepareSignature, type UnsignedParts } from './unsigned-request.js';

/** A request to be signed. */
export interface UnsignedRequest extends Omit<UnsignedParts, 'signatureMethod' | 'form' | 'bodyHash'> {
  /** HMAC-SHA1 when left out. */
  readonly signatureMethod?: string;
  /** For RSA methods. */
  readonly privateKey?: KeyObject;
  /** A form body is signed by its parameters, any other by oauth_body_hash. */
  readonly body?: Uint8Array | string;
  readonly contentType?: string;
}

/** What a signature method signs with: the digest of its bodies, and how it signs a base string. */
interface Signing {
  readonly digest: string;
  sign(base: string, key: string, privateKey: KeyObject | undefined): string;
}

const hmac = (digest: string): Signing => ({
  digest,
  sign: (base, key) => createHmac(digest, key).update(base).digest('base64'),
});

const rsa = (digest: string): Signing => ({
  digest,
  sign(base, _key, privateKey) {
    if (!privateKey) throw new TypeError('An RSA signature needs a private key.');
    return sign(digest, Buffer.from(base), privateKey).toString('base64');
  },
});

/** RFC 5849 §3.4.2 to §3.4.4, and the SHA-256 methods in use. */
const methods: ReadonlyMap<string, Signing> = new Map([
  ['HMAC-SHA1', hmac('sha1')],
  ['HMAC-SHA256', hmac('sha256')],
  ['RSA-SHA1', rsa('sha1')],
  ['RSA-SHA256', rsa('sha256')],
  ['PLAINTEXT', { digest: 'sha1', sign: (_base, key) => key }],
]);

const FORM = /^application\/x-www-form-urlencoded *(;|$)/i;

/**
 * Signs a request (RFC 5849 §3.1 to §3.5.1).
 * @returns the value of its Authorization header
 * @throws TypeError when the URL is none, or the method is not known or lacks its key
 */
export function signRequest(request: UnsignedRequest): string {
  const { signatureMethod = 'HMAC-SHA1', body, contentType = '', privateKey, ...parts } = request;
  const method = methods.get(signatureMethod);
  if (!method) throw new TypeError(`There is no signature method ${signatureMethod}.`);
  const { base, key, header } = prepareSignature({ ...parts, signatureMethod, ...covered() });
  return header(method.sign(base, key, privateKey));

  function covered(): Pick<UnsignedParts, 'form' | 'bodyHash'> {
    if (body === undefined || method === undefined) return {};
    if (FORM.test(contentType)) return { form: Buffer.from(body).toString('utf8') };
    return { bodyHash: createHash(method.digest).update(body).digest('base64') };
  }
}
