import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import { signWebRequest } from '../../../src/access/oauth/web-signature.js';
import { app, BASE, NOW, rsaKeys } from './known.js';

const parts = {
  method: 'POST',
  url: `${BASE}/records/1/medications/?limit=5&drug_name=a%20b`,
  consumerKey: app.id,
  consumerSecret: app.secret,
  token: 'good',
  tokenSecret: 'token-secret & more',
  timestamp: NOW / 1000,
  nonce: 'n',
};
const bodies: [contentType: string, body: string][] = [
  ['text/turtle', '<a> <b> "é" .'],
  ['application/x-www-form-urlencoded; charset=utf-8', 'a=b+c&a=%26&x'],
  ['text/plain', ''],
];

describe('a signature made by WebCrypto', () => {
  it.each(['HMAC-SHA1', 'HMAC-SHA256', 'RSA-SHA1', 'RSA-SHA256', 'PLAINTEXT'])(
    'with %s is the one that node:crypto makes',
    async (signatureMethod) => {
      const { privateKey } = rsaKeys;
      const key = { ...parts, signatureMethod, privateKey };
      expect(await signWebRequest(key)).toBe(signRequest(key));
      for (const [contentType, text] of bodies) {
        const signed = { ...key, contentType, body: Buffer.from(text) };
        expect(await signWebRequest(signed)).toBe(signRequest(signed));
      }
    },
  );

  it('takes an RSA key as PKCS #8, too', async () => {
    const der = rsaKeys.privateKey.export({ type: 'pkcs8', format: 'der' });
    const signed = { ...parts, signatureMethod: 'RSA-SHA256' };
    expect(await signWebRequest({ ...signed, privateKey: new Uint8Array(der) })).toBe(
      signRequest({ ...signed, privateKey: rsaKeys.privateKey }),
    );
  });

  it('covers a large body by its hash', async () => {
    const body = new Uint8Array(3_000_000).fill(7);
    const hash = createHash('sha1').update(body).digest('base64');
    const header = await signWebRequest({ ...parts, body, contentType: 'application/octet-stream' });
    expect(header).toContain(`oauth_body_hash="${encodeURIComponent(hash)}"`);
  });

  it('is refused without a method or a key that there is', async () => {
    await expect(signWebRequest({ ...parts, signatureMethod: 'MD5' })).rejects.toThrow(
      'There is no signature method MD5.',
    );
    await expect(signWebRequest({ ...parts, signatureMethod: 'RSA-SHA1' })).rejects.toThrow(
      'An RSA signature needs a private key.',
    );
  });
});
