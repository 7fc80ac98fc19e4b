import { addTo } from '../../rdf/by-key.js';
import { parseUrl } from '../../rdf/parse-url.js';
import OAuth from 'oauth-1.0a';

export interface UnsignedParts {
  readonly method: string;
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
  readonly signatureMethod: string;
  readonly form?: string;
  readonly bodyHash?: string;
  readonly extra?: Readonly<Record<string, string>>;
  readonly realm?: string;
  readonly timestamp?: number;
  readonly nonce?: string;
}

/** A request to sign; each signer adds its kind of private key. */
export interface RequestToSign extends Omit<UnsignedParts, 'signatureMethod' | 'form' | 'bodyHash'> {
  /** Default: HMAC-SHA1. */
  readonly signatureMethod?: string;
  /** A form body is signed through its parameters, any other through oauth_body_hash. */
  readonly body?: Uint8Array | string;
  readonly contentType?: string;
}

export const isForm = (contentType: string): boolean =>
  /^application\/x-www-form-urlencoded *(;|$)/i.test(contentType);

/**
 * Makes the text to sign, with oauth-1.0a. That package reads URLs and forms more simply than RFC 5849, so it gets a
 * normalized URL and decoded parameters. Works in browsers: it does not use node:crypto.
 * @returns the `base` to sign and the `key`, made of both secrets (RFC 5849 §3.4.2); an RSA key replaces the latter
 * @throws TypeError for a malformed URL, or one with a character that would be sent differently than signed
 */
export function prepareSignature(parts: UnsignedParts) {
  const { method, consumerKey, consumerSecret, tokenSecret, signatureMethod, realm, form = '' } = parts;
  const { uri, query } = readUrl(parts.url);
  const signer = new OAuth({
    consumer: { key: consumerKey, secret: consumerSecret },
    signature_method: signatureMethod,
    // Never called: the caller signs.
    hash_function: (_base, key) => key,
    ...(realm === undefined ? {} : { realm: realm.replace(/["\\]/g, '\\$&') }),
  });
  const protocol = {
    oauth_consumer_key: consumerKey,
    ...(parts.token === undefined ? {} : { oauth_token: parts.token }),
    oauth_signature_method: signatureMethod,
    oauth_timestamp: String(parts.timestamp ?? signer.getTimeStamp()),
    oauth_nonce: parts.nonce ?? newNonce(),
    oauth_version: '1.0',
    ...(parts.bodyHash === undefined ? {} : { oauth_body_hash: parts.bodyHash }),
    ...parts.extra,
  };
  // URLSearchParams drops a leading question mark, which in a form belongs to a name.
  const sent = [...query, ...new URLSearchParams(`&${form}`)];
  const data = byName([...Object.entries(protocol), ...sent]);
  return {
    base: signer.getBaseString({ method, url: uri, data }, {} as OAuth.Data),
    key: signer.getSigningKey(tokenSecret),
    header: (signature: string) =>
      signer.toHeader({ ...protocol, oauth_signature: signature } as unknown as OAuth.Authorization)
        .Authorization,
  };
}

/** The base string URI (RFC 5849 §3.4.1.2) and the decoded query of a URL. */
function readUrl(url: string): { uri: string; query: URLSearchParams } {
  const path = /^https?:\/\/[^/?#@]+(|[/][^?#]*)(?:[?#]|$)/i.exec(url)?.[1];
  const parsed = parseUrl(url);
  if (path === undefined || !parsed)
    throw new TypeError('An http or https URL without a password is signed.');
  if (!/^[\x21-\x7e]+$/.test(url))
    throw new TypeError('Percent-encode the URL first: it is signed as it is sent.');
  const { origin, searchParams } = parsed;
  return { uri: origin + (path === '' ? '/' : path), query: searchParams };
}

function byName(parameters: readonly (readonly [string, string])[]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of parameters) addTo(values, name, value);
  // The package puts the parameters into plain objects, which cannot hold this name.
  if (values.has('__proto__')) throw new TypeError('No parameter that is signed can be named __proto__.');
  return Object.fromEntries(values);
}

/** 128 random bits, because the nonces of oauth-1.0a can be guessed. */
function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
