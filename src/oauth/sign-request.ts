import { createHash, randomBytes, type KeyObject } from 'node:crypto';
import { baseString, baseStringUri, originOf, splitTarget } from './base-string.js';
import { percentEncode, readForm, type Parameter } from './percent.js';
import { signatureMethods } from './signature.js';

/** A request to be signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** With its query, exactly as it will be sent. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
  /** Default HMAC-SHA1. */
  readonly signatureMethod?: string;
  /** For RSA methods. */
  readonly privateKey?: KeyObject;
  /** Protocol parameters beyond the usual ones, as oauth_callback or oauth_verifier. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly realm?: string;
  /** A form body is signed by its parameters, any other by oauth_body_hash. */
  readonly body?: Uint8Array | string;
  readonly contentType?: string;
  /** Seconds since 1970. */
  readonly timestamp?: number;
  readonly nonce?: string;
}

/**
 * Signs a request (RFC 5849 §3.1 to §3.5.1).
 * @returns the value of its Authorization header
 * @throws TypeError when the URL is none, or holds a character that would be sent in another form than it is signed
 */
export function signRequest(request: UnsignedRequest): string {
  const { path, query } = readUrl(request.url);
  const methodName = request.signatureMethod ?? 'HMAC-SHA1';
  const method = signatureMethods.get(methodName);
  if (!method) throw new TypeError(`There is no signature method ${methodName}.`);
  const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(request.contentType ?? '');
  const { body } = request;
  const protocol: Parameter[] = [
    ['oauth_consumer_key', request.consumerKey],
    ...(request.token === undefined ? [] : [['oauth_token', request.token] as const]),
    ['oauth_signature_method', methodName],
    ['oauth_timestamp', String(request.timestamp ?? Math.floor(Date.now() / 1000))],
    ['oauth_nonce', request.nonce ?? randomBytes(16).toString('hex')],
    ['oauth_version', '1.0'],
    ...(body === undefined || isForm ? [] : [['oauth_body_hash', hash(method.bodyHashes[0], body)] as const]),
    ...Object.entries(request.extra ?? {}),
  ];
  const form = isForm && body !== undefined ? readForm(Buffer.from(body).toString('utf8')) : [];
  const base = baseString(request.method, baseStringUri(originOf(request.url), path), [
    ...protocol,
    ...readForm(query),
    ...form,
  ]);
  const signature = method.sign(base, {
    consumerSecret: request.consumerSecret,
    tokenSecret: request.tokenSecret ?? '',
    ...(request.privateKey ? { privateKey: request.privateKey } : {}),
  });
  const realm = request.realm === undefined ? [] : [`realm="${request.realm.replace(/["\\]/g, '\\$&')}"`];
  const written = [...protocol, ['oauth_signature', signature] as const].map(
    ([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`,
  );
  return `OAuth ${[...realm, ...written].join(', ')}`;
}

function readUrl(url: string): { path: string; query: string } {
  if (!/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url))
    throw new TypeError('An http or https URL without a password is signed.');
  if (!/^[\x21-\x7e]+$/.test(url))
    throw new TypeError('Percent-encode the URL first: it is signed as it is sent.');
  return splitTarget(url.split('#', 1)[0] ?? url);
}

function hash(digest: string | undefined, body: Uint8Array | string): string {
  return createHash(digest ?? 'sha1')
    .update(body)
    .digest('base64');
}
