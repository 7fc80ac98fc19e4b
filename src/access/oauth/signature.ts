import {
  createHmac,
  createPublicKey,
  randomBytes,
  timingSafeEqual,
  verify,
  type KeyObject,
} from 'node:crypto';
import { percentEncode, type Parameter, readForm } from './percent.js';
import { replaceEach } from '../../rdf/replace-each.js';

/** The signature base string (RFC 5849 §3.4.1.1). @param uri from `baseStringUri` @param normalized from `normalize` */
export function baseString(method: string, uri: string, normalized: string): string {
  return `${method.toUpperCase()}&${percentEncode(uri)}&${percentEncode(normalized)}`;
}

/** RFC 5849 §3.4.1.3.2. Sorting the joined pairs would wrongly put `a-b=1` before `a=1`. */
export function normalize(parameters: readonly Parameter[]): string {
  return parameters
    .map(([name, value]): Parameter => [percentEncode(name), percentEncode(value)])
    .sort(byNameAndValue)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Sorts by byte value: encoded text is ASCII, so code units are bytes. */
function byNameAndValue([nameA, valueA]: Parameter, [nameB, valueB]: Parameter): number {
  if (nameA !== nameB) return nameA < nameB ? -1 : 1;
  return valueA === valueB ? 0 : valueA < valueB ? -1 : 1;
}

/** The base string URI (RFC 5849 §3.4.1.2). @param origin from `originOf` @param path raw */
export function baseStringUri(origin: string, path: string): string {
  return origin + (path === '' ? '/' : path);
}

/** Returns the normalized scheme, host and port of a URL (RFC 5849 §3.4.1.2). @throws TypeError for a malformed URL */
export function originOf(url: string): string {
  return new URL(url).origin;
}

/** Splits a raw request target; the absolute form (RFC 9112 §3.2.2) loses its origin. */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const question = local.indexOf('?');
  return question < 0
    ? { path: local, query: '' }
    : { path: local.slice(0, question), query: local.slice(question + 1) };
}

interface VerificationKeys {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
  readonly publicKey: KeyObject;
}

export interface SignatureMethod {
  /** Digests accepted for oauth_body_hash; the first is the method's own. */
  readonly bodyHashes: readonly string[];
  /** Whether the signature covers the request. If not, it is a password: it needs TLS, but no timestamp. */
  readonly coversRequest: boolean;
  /** Takes the same time wherever the signatures differ. */
  verify(base: string, keys: VerificationKeys, signature: string): boolean;
}

function keyOf({ consumerSecret, tokenSecret }: VerificationKeys): string {
  return `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`;
}

const hmac = (digest: string, bodyHashes: readonly string[]): SignatureMethod => ({
  bodyHashes,
  coversRequest: true,
  verify(base, keys, signature) {
    const expected = Buffer.from(createHmac(digest, keyOf(keys)).update(base).digest('base64'));
    const given = Buffer.from(signature);
    const hasLength = given.byteLength === expected.byteLength;
    return timingSafeEqual(expected, hasLength ? given : Buffer.alloc(expected.length));
  },
});

const rsa = (digest: string, bodyHashes: readonly string[]): SignatureMethod => ({
  bodyHashes,
  coversRequest: true,
  // RFC 5849 §3.4.3: RSASSA-PKCS1-v1_5.
  verify: (base, { publicKey }, signature) =>
    verify(digest, Buffer.from(base), publicKey, Buffer.from(signature, 'base64')),
});

/** Compares digests, because a password's length must stay secret, unlike a signature's. */
const plaintext: SignatureMethod = {
  bodyHashes: ['sha1'],
  coversRequest: false,
  verify: (_base, keys, signature) => timingSafeEqual(digestOf(keyOf(keys)), digestOf(signature)),
};

const digestOf = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();

// The body hash draft names SHA-1 for the SHA-1 methods only; for the others, signers disagree.
const OLD = ['sha1'];
const NEW = ['sha256', 'sha1'];

/** The verification of each signature method (RFC 5849 §3.4.2 to §3.4.4, and the SHA-256 methods in use). */
export const signatureMethods: ReadonlyMap<string, SignatureMethod> = new Map([
  ['HMAC-SHA1', hmac('sha1', OLD)],
  ['HMAC-SHA256', hmac('sha256', NEW)],
  ['RSA-SHA1', rsa('sha1', OLD)],
  ['RSA-SHA256', rsa('sha256', NEW)],
  ['PLAINTEXT', plaintext],
]);

/**
 * Returns keys that nobody has. Signatures of unknown apps and tokens are checked against them, so that refusing
 * takes the same work. A random RSA modulus needs no search for primes.
 */
export function dummyKeys(): { readonly secret: string; readonly publicKey: KeyObject } {
  const modulus = randomBytes(256);
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[255] = (modulus[255] ?? 0) | 1;
  const jwk = { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' };
  return {
    secret: randomBytes(24).toString('base64url'),
    publicKey: createPublicKey({ key: jwk, format: 'jwk' }),
  };
}

const MAX_PARTS = 20_000;

/**
 * Yields the possible normalized parameters of a request whose body is an RDF document labelled
 * `application/x-www-form-urlencoded`, as old clients label every POST. Some clients do not cover such a body
 * (RFC 5849 §3.4.1.3.1), others sign its text as if it were a form.
 *
 * Accepting the first way gives nothing away: an attacker who can change such a body can change one labelled as RDF,
 * too, and `oauth_body_hash` and TLS protect both. A signature of the second way never matches the first, since a
 * document always has a part. A document is read only as RDF: nothing in it is a protocol parameter.
 * @param sent the parameters of header and query
 * @param document its bytes, one character each
 */
export function* documentReadings(sent: readonly Parameter[], document: string): Generator<string> {
  yield normalize(sent);
  if ((document.match(/[&;]/g)?.length ?? 0) >= MAX_PARTS) return;
  const form = strictForm(document);
  if (form) yield normalize([...sent, ...form]);
  yield pythonForm(sent, document);
}

/** Reads a form as RFC 5849 does; undefined if the document is not a form. */
function strictForm(document: string): Parameter[] | undefined {
  if (!/^[\x00-\x7f]*$/.test(document)) return undefined;
  try {
    return readForm(document);
  } catch {
    return undefined;
  }
}

/**
 * Reads a form as Python 2.7 does: semicolons separate as well, a percent sign that encodes nothing stands for
 * itself, and parameters are sorted before they are encoded.
 */
function pythonForm(sent: readonly Parameter[], document: string): string {
  const parts = document.split(/[&;]/).filter((part) => part !== '');
  const form = parts.map((part): Parameter => {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    return [unquote(name), unquote(value)];
  });
  return [...sent.map(([name, value]): Parameter => [bytes(name), bytes(value)]), ...form]
    .sort(byNameAndValue)
    .map(([name, value]) => `${quote(name)}=${quote(value)}`)
    .join('&');
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

const unquote = (part: string): string =>
  part
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Differences between `escape`, the platform's only function that encodes bytes, and RFC 5849 §3.6. */
const ESCAPED_OTHERWISE = [
  ['%7E', '~'],
  ['@', '%40'],
  ['*', '%2A'],
  ['+', '%2B'],
  ['/', '%2F'],
] as const;

const quote = (text: string): string => replaceEach(escape(text), ESCAPED_OTHERWISE);
