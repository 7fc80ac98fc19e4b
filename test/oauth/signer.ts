import { createHmac } from 'node:crypto';
import OAuth from 'oauth-1.0a';

/** Digests of a signature, as the third-party signer wants them. */
const digests: Readonly<Record<string, string>> = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' };

export interface Signing {
  readonly method?: string;
  readonly url: string;
  readonly consumer: { readonly key: string; readonly secret: string };
  readonly token?: { readonly key: string; readonly secret: string };
  readonly signatureMethod?: string;
  readonly form?: Record<string, string>;
  /** Protocol parameters that are set by hand; undefined ones are left out. */
  readonly set?: Readonly<Record<string, string | undefined>>;
  readonly realm?: string;
}

/** Signs a request with oauth-1.0a, which shares no code with this project, and gives the Authorization header. */
export function signElsewhere(signing: Signing): string {
  const { method = 'GET', url, consumer, token, signatureMethod = 'HMAC-SHA1', form, realm } = signing;
  const signer = new OAuth({
    consumer,
    signature_method: signatureMethod,
    ...(realm === undefined ? {} : { realm }),
    hash_function: (text, key) =>
      createHmac(digests[signatureMethod] ?? 'sha1', key)
        .update(text)
        .digest('base64'),
  });
  const data = { ...form, ...signing.set };
  const authorized = signer.authorize({ url, method, data }, token);
  const kept = Object.entries(authorized).filter(([name]) => name.startsWith('oauth_'));
  return signer.toHeader(Object.fromEntries(kept) as unknown as OAuth.Authorization).Authorization;
}
