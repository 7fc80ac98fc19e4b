import { parseUrl } from '../rdf/parse-url.js';
import OAuth from 'oauth-1.0a';

/** What a signature covers, and whose it is. */
export interface UnsignedParts {
  readonly method: string;
  /** With its query, exactly as it will be sent. */
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
  readonly signatureMethod: string;
  /** The text of a form body. */
  readonly form?: string;
  /** The digest of any other body. */
  readonly bodyHash?: string;
  /** Protocol parameters beyond the usual ones, as oauth_callback or oauth_verifier. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly realm?: string;
  /** Seconds since 1970. */
  readonly timestamp?: number;
  readonly nonce?: string;
}

/** What is left to do: sign `base` with `key`, in whatever way, and write the header. */
export interface PreparedSignature {
  /** The signature base string (RFC 5849 §3.4.1). */
  readonly base: string;
  /** Both secrets, encoded and joined (RFC 5849 §3.4.2); an RSA key stands in their place. */
  readonly key: string;
  /** The value of the Authorization header. */
  header(signature: string): string;
}

/**
 * Makes the text of a signature with oauth-1.0a. That package reads URLs and forms more simply than RFC 5849 has
 * them, so it is given a normalized URL and parameters that the platform has decoded; it encodes, sorts, joins and
 * writes. Without node:crypto, so that signatures may also be made elsewhere, as by WebCrypto.
 * @throws TypeError when the URL is none, or holds a character that would be sent in another form than it is signed
 */
export function prepareSignature(parts: UnsignedParts): PreparedSignature {
  const { method, consumerKey, consumerSecret, tokenSecret, signatureMethod, realm, form = '' } = parts;
  const { uri, query } = readUrl(parts.url);
  const signer = new OAuth({
    consumer: { key: consumerKey, secret: consumerSecret },
    signature_method: signatureMethod,
    // Never called: whoever prepared a signature makes it.
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
  // URLSearchParams takes a question mark at the beginning away; of a form it is the first letter of a name.
  const sent = [...query, ...new URLSearchParams(`&${form}`)];
  const data = byName([...Object.entries(protocol), ...sent]);
  return {
    base: signer.getBaseString({ method, url: uri, data }, {} as OAuth.Data),
    key: signer.getSigningKey(tokenSecret),
    header: (signature) =>
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

/** All values of each parameter, as oauth-1.0a takes them. */
function byName(parameters: readonly (readonly [string, string])[]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  // The package puts the parameters into plain objects, where this name is none.
  if (values.has('__proto__')) throw new TypeError('No parameter that is signed can be named __proto__.');
  return Object.fromEntries(values);
}

/** 128 random bits: oauth-1.0a takes its own from Math.random, which can be guessed. */
function newNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
