import { isForm, prepareSignature, type RequestToSign, type UnsignedParts } from './unsigned-request.js';

/** A private key of node:crypto; browsers have none. */
interface ExportableKey {
  export(options: { readonly type: 'pkcs8'; readonly format: 'der' }): Uint8Array;
}

/** PKCS #8 in DER, or a private key of node:crypto. */
export type PrivateKey = Uint8Array | ExportableKey;

export interface WebRequest extends RequestToSign {
  readonly privateKey?: PrivateKey;
  readonly body?: Uint8Array;
}

type Digest = 'SHA-1' | 'SHA-256';

interface Signing {
  readonly digest: Digest;
  sign(base: string, key: string, privateKey: PrivateKey | undefined): Promise<string>;
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

const hmac = (hash: Digest): Signing => ({
  digest: hash,
  async sign(base, key) {
    const secret = await crypto.subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash }, false, [
      'sign',
    ]);
    return base64(await crypto.subtle.sign('HMAC', secret, bytesOf(base)));
  },
});

const rsa = (hash: Digest): Signing => ({
  digest: hash,
  async sign(base, _key, privateKey) {
    if (!privateKey) throw new TypeError('An RSA signature needs a private key.');
    const der =
      privateKey instanceof Uint8Array ? privateKey : privateKey.export({ type: 'pkcs8', format: 'der' });
    const name = 'RSASSA-PKCS1-v1_5';
    const key = await crypto.subtle.importKey('pkcs8', Uint8Array.from(der), { name, hash }, false, ['sign']);
    return base64(await crypto.subtle.sign(name, key, bytesOf(base)));
  },
});

/** RFC 5849 §3.4.2 to §3.4.4, and the SHA-256 methods in use. */
const methods: ReadonlyMap<string, Signing> = new Map([
  ['HMAC-SHA1', hmac('SHA-1')],
  ['HMAC-SHA256', hmac('SHA-256')],
  ['RSA-SHA1', rsa('SHA-1')],
  ['RSA-SHA256', rsa('SHA-256')],
  ['PLAINTEXT', { digest: 'SHA-1', sign: (_base, key) => Promise.resolve(key) }],
]);

/**
 * Signs a request with WebCrypto (RFC 5849 §3.1 to §3.5.1). @returns the Authorization header
 * @throws TypeError for a malformed URL, an unknown method or a missing key
 */
export async function signWebRequest(request: WebRequest): Promise<string> {
  const { signatureMethod = 'HMAC-SHA1', body, contentType = '', privateKey, ...parts } = request;
  const method = methods.get(signatureMethod);
  if (!method) throw new TypeError(`There is no signature method ${signatureMethod}.`);
  const covered = body && (await coveredBody(body, contentType, method.digest));
  const { base, key, header } = prepareSignature({ ...parts, signatureMethod, ...covered });
  return header(await method.sign(base, key, privateKey));
}

async function coveredBody(
  body: Uint8Array,
  contentType: string,
  digest: Digest,
): Promise<Pick<UnsignedParts, 'form' | 'bodyHash'>> {
  if (isForm(contentType)) return { form: new TextDecoder().decode(body) };
  return { bodyHash: base64(await crypto.subtle.digest(digest, Uint8Array.from(body))) };
}
