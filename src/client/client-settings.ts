import { parseUrl } from '../rdf/parse-url.js';
import type { PrivateKey } from '../access/oauth/web-signature.js';
import type { GraphFormat } from './graph-format.js';

/** The address and credentials of a client. Without a consumer key, requests are not signed; open calls need none. */
export interface ClientSettings {
  /** The base URL as the container itself knows it, because signatures cover it. */
  readonly baseUrl: string;
  readonly consumerKey?: string | undefined;
  readonly consumerSecret?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenSecret?: string | undefined;
  /** An analyst's token, sent instead of a signature (RFC 6750). */
  readonly bearerToken?: string | undefined;
  /** Default: HMAC-SHA1. */
  readonly signatureMethod?:
    'HMAC-SHA1' | 'HMAC-SHA256' | 'RSA-SHA1' | 'RSA-SHA256' | 'PLAINTEXT' | undefined;
  /** For the RSA methods: PKCS #8 in DER, or a private key of node:crypto. */
  readonly privateKey?: PrivateKey | undefined;
  /** Sends requests; default: the global fetch. */
  readonly fetch?: typeof fetch | undefined;
  /** The format to request graphs in, from `chartgraph-client/formats`; default: N-Triples. */
  readonly format?: GraphFormat | undefined;
}

export type AnalystSettings = Pick<ClientSettings, 'baseUrl' | 'fetch'> & { readonly bearerToken: string };

/**
 * Returns the base URL without a trailing slash.
 * @throws TypeError for an invalid one; the message never repeats it, because it may contain a password
 */
export function readBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http or https URL without a password, query or fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
