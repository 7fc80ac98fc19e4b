import { createHash, createHmac, sign, type KeyObject } from 'node:crypto';
import { isForm, prepareSignature, type RequestToSign, type UnsignedParts } from './unsigned-request.js';

export interface UnsignedRequest extends RequestToSign {
  readonly privateKey?: KeyObject;
}

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

/**
 * Signs a request (RFC 5849 §3.1 to §3.5.1). @returns the Authorization header
 * @throws TypeError for a malformed URL, an unknown method or a missing key
 */
export function signRequest(request: UnsignedRequest): string {
  const { signatureMethod = 'HMAC-SHA1', body, contentType = '', privateKey, ...parts } = request;
  const method = methods.get(signatureMethod);
  if (!method) throw new TypeError(`There is no signature method ${signatureMethod}.`);
  const covered = body === undefined ? {} : coveredBody(body, contentType, method.digest);
  const { base, key, header } = prepareSignature({ ...parts, signatureMethod, ...covered });
  return header(method.sign(base, key, privateKey));
}

function coveredBody(
  body: Uint8Array | string,
  contentType: string,
  digest: string,
): Pick<UnsignedParts, 'form' | 'bodyHash'> {
  if (isForm(contentType)) return { form: Buffer.from(body).toString('utf8') };
  return { bodyHash: createHash(digest).update(body).digest('base64') };
}
