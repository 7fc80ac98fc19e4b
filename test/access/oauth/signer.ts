import { sign } from 'oauth-sign';
import { header } from '../../http/oauth/raw-request.js';

export interface Signing {
  readonly method?: string;
  readonly url: string;
  readonly consumer: { readonly key: string; readonly secret: string };
  readonly token?: { readonly key: string; readonly secret: string };
  readonly signatureMethod?: string;
  /** Protocol parameters that are set by hand. */
  readonly set?: Readonly<Record<string, string>>;
}

/** Signs with oauth-sign, which shares no code with this project nor with oauth-1.0a, and gives the header. */
export function signElsewhere(signing: Signing): string {
  const { method = 'GET', url, consumer, token, signatureMethod = 'HMAC-SHA1', set } = signing;
  const { searchParams } = new URL(url);
  const protocol: Record<string, string> = {
    oauth_consumer_key: consumer.key,
    ...(token && { oauth_token: token.key }),
    oauth_signature_method: signatureMethod,
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_nonce: `n${Math.random()}`,
    oauth_version: '1.0',
    ...set,
  };
  const covered = { ...protocol, ...Object.fromEntries(searchParams) };
  const signature = sign(
    signatureMethod,
    method,
    url.replace(/\?.*/, ''),
    covered,
    consumer.secret,
    token?.secret ?? '',
  );
  return header([...Object.entries(protocol), ['oauth_signature', signature]]);
}
