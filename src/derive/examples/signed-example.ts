import { baseString, baseStringUri, originOf, splitTarget } from '../../oauth/base-string.js';
import { readForm } from '../../oauth/percent.js';
import { signRequest } from '../../oauth/sign-request.js';

/** Secrets that nobody has: with them a reader can work out a signature again. */
export const exampleSecrets = {
  consumerSecret: 'consumer-secret-of-the-example',
  token: 'token-of-the-example',
  tokenSecret: 'token-secret-of-the-example',
} as const;

const moment = { timestamp: 1_400_000_000, nonce: '5f2a9c01d7e84b36' } as const;

/** A signed request to be shown: the value of its Authorization header, and the text that was signed. */
export interface SignedExample {
  readonly authorization: string;
  readonly baseString: string;
}

/** Signs a request with the secrets of the examples, at one moment: HMAC-SHA1 (RFC 5849 §3.4.2). */
export function signedExample(method: string, url: string, consumerKey: string): SignedExample {
  const { consumerSecret, token, tokenSecret } = exampleSecrets;
  const { path, query } = splitTarget(url);
  const protocol: [string, string][] = [
    ['oauth_consumer_key', consumerKey],
    ['oauth_token', token],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(moment.timestamp)],
    ['oauth_nonce', moment.nonce],
    ['oauth_version', '1.0'],
  ];
  return {
    authorization: signRequest({ method, url, consumerKey, consumerSecret, token, tokenSecret, ...moment }),
    baseString: baseString(method, baseStringUri(originOf(url), path), [...protocol, ...readForm(query)]),
  };
}
