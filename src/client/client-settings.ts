import { parseUrl } from '../rdf/parse-url.js';
import type { PrivateKey } from '../oauth/web-signature.js';
import type { GraphFormat } from './graph-format.js';

/** Where the container is and who asks. Without a consumer key requests are not signed; open calls need none. */
export interface ClientSettings {
  /** Base URL of the container as the container knows it: signatures cover it. */
  readonly baseUrl: string;
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenSecret?: string | undefined;
  /** What an analyst's tool sends in the place of a signature (RFC 6750). */
  readonly bearerToken?: string | undefined;
  /** HMAC-SHA1 when left out. */
  readonly signatureMethod?:
    'HMAC-SHA1' | 'HMAC-SHA256' | 'RSA-SHA1' | 'RSA-SHA256' | 'PLAINTEXT' | undefined;
  /** For the RSA methods: PKCS #8 in DER, or a private key of node:crypto. */
  readonly privateKey?: PrivateKey | undefined;
  /** What sends requests: the global fetch when left out. */
  readonly fetch?: typeof fetch | undefined;
  /** The format in which graphs are asked for, one of `chartgraph-client/formats`: N-Triples when left out. */
  readonly format?: GraphFormat | undefined;
}

/** Where the container is, and the token of an analyst. */
export type AnalystSettings = Pick<ClientSettings, 'baseUrl' | 'fetch'> & { readonly bearerToken: string };

/**
 * The base URL without a slash at the end.
 * @throws TypeError when it is none; the message never repeats it, for it may hold a password
 */
export function readBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http or https URL without a password, query or fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
