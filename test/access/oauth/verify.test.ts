import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import type { IncomingSignature } from '../../../src/access/oauth/signed-request.js';
import { app, arrive, BASE, memory, NOW, rsaApp, rsaKeys, verifier } from './known.js';

const seconds = NOW / 1000;
const FORM = 'application/x-www-form-urlencoded';
const principal = { app: app.id, token: { id: 'id-good', user: 'person', record: '1' } };
const alone = { consumerKey: app.id, consumerSecret: app.secret };
const asRsaApp = {
  consumerKey: rsaApp.id,
  consumerSecret: rsaApp.secret,
  token: 'foreign',
  privateKey: rsaKeys.privateKey,
};
const rsaPrincipal = { app: rsaApp.id, token: { id: 'id-foreign', user: 'person', record: '1' } };

/** A request of the app alone, without a token. */
function arriveAlone(change: Parameters<typeof arrive>[0] = {}): IncomingSignature {
  const { authorization, ...rest } = arrive(change);
  void authorization;
  const url = new URL(BASE).origin + rest.rawTarget;
  const request = { method: rest.method, url, timestamp: seconds, ...alone, ...change };
  return { ...rest, authorization: [signRequest(request)] };
}

const plain = arrive();
const signedId = arrive({ url: `${BASE}/records/1/medications/?limit=5&smart_record_id=1` });

describe('a signed request', () => {
  it.each<[string, IncomingSignature, object]>([
    ['HMAC-SHA1', arrive(), principal],
    ['HMAC-SHA256', arrive({ signatureMethod: 'HMAC-SHA256' }), principal],
    ['PLAINTEXT over TLS', arrive({ signatureMethod: 'PLAINTEXT' }), principal],
    ['RSA-SHA1', arrive({ ...asRsaApp, signatureMethod: 'RSA-SHA1' }), rsaPrincipal],
    ['RSA-SHA256', arrive({ ...asRsaApp, signatureMethod: 'RSA-SHA256' }), rsaPrincipal],
    ['HMAC-SHA1 of an app that has a public key too', arrive(asRsaApp), rsaPrincipal],
    ['the app alone', arriveAlone(), { app: app.id }],
    ['the app alone with an empty token', arriveAlone({ extra: { oauth_token: '' } }), { app: app.id }],
    ['a realm', arrive({ realm: 'https://chart.example.org' }), principal],
    ['a realm with quotes', arrive({ realm: 'a "b" \\ , c="d"' }), principal],
    [
      'a realm in other letters that was not signed for',
      arrive({ realm: 'HTTPS://Chart.example.org' }),
      principal,
    ],
    [
      'another letter case of the scheme name',
      { ...arrive(), authorization: arrive().authorization.map((text) => text.replace('OAuth', 'oauth')) },
      principal,
    ],
    ['a form body', arrive({ method: 'POST', contentType: FORM, body: 'a=1&b=x+y&a=%C3%A9' }), principal],
    ['an empty form body', arrive({ method: 'POST', contentType: FORM, body: '' }), principal],
    [
      'callback and record in the form body beside the header',
      arrive({ method: 'POST', contentType: FORM, body: 'smart_record_id=1&oauth_callback=oob' }),
      principal,
    ],
    [
      'a callback in the header',
      arrive({ method: 'POST', extra: { oauth_callback: 'http://a.example/?b=c&d' } }),
      principal,
    ],
    [
      // The base string does not show where a parameter stands.
      'a parameter of the API in the header',
      {
        ...signedId,
        rawTarget: plain.rawTarget,
        authorization: [`${signedId.authorization}, smart_record_id="1"`],
      },
      principal,
    ],
    ['a body hash', arrive({ method: 'PUT', body: '{"a":"é"}', contentType: 'application/json' }), principal],
    [
      'the body hash of no body',
      arrive({ extra: { oauth_body_hash: '2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }),
      principal,
    ],
    [
      'a SHA-256 body hash beside HMAC-SHA256',
      arrive({ method: 'PUT', body: 'x', signatureMethod: 'HMAC-SHA256' }),
      principal,
    ],
    [
      'a SHA-1 body hash beside HMAC-SHA256',
      arrive({
        signatureMethod: 'HMAC-SHA256',
        extra: { oauth_body_hash: createHash('sha1').digest('base64') },
      }),
      principal,
    ],
    [
      'a body that was not read and will be refused',
      { ...arrive({ method: 'PUT', body: 'x' }), body: 'too-large' },
      principal,
    ],
    [
      'raw and encoded characters in its path',
      arrive({ url: `${BASE}/users/a@b.example/x%20y/%C3%A9/'!*()` }),
      principal,
    ],
    ['a repeated parameter', arrive({ url: `${BASE}/r?b=2&a=2&a=1&b=&b` }), principal],
    ['an empty query', arrive({ url: `${BASE}/r?` }), principal],
    [
      'the absolute form of its target',
      { ...arrive(), rawTarget: `http://proxy.example${arrive().rawTarget}` },
      principal,
    ],
    ['a clock that is 300 s behind', arrive({ timestamp: seconds - 300 }), principal],
    ['a clock that is 300 s ahead', arrive({ timestamp: seconds + 300 }), principal],
  ])('with %s is proved', async (_, request, expected) => {
    await expect(verifier()(request)).resolves.toEqual(expected);
  });

  it('may hold its protocol parameters in query or form body', async () => {
    const asForm = (text: string) => text.replace('OAuth ', '').replaceAll('"', '').replaceAll(', ', '&');
    const [header = ''] = arrive().authorization;
    const query = { ...arrive(), authorization: [], rawTarget: `${arrive().rawTarget}&${asForm(header)}` };
    await expect(verifier()(query)).resolves.toEqual(principal);
    const post = arrive({ method: 'POST' });
    const form = {
      ...post,
      contentType: FORM,
      body: Buffer.from(asForm(post.authorization[0] ?? '')),
      authorization: [],
    };
    await expect(verifier()(form)).resolves.toEqual(principal);
  });

  it('may leave out timestamp and nonce with PLAINTEXT', async () => {
    const request = arrive({ signatureMethod: 'PLAINTEXT' });
    const authorization = request.authorization.map((text) =>
      text.replace(/ oauth_(timestamp|nonce)="[^"]*",/g, ''),
    );
    await expect(verifier()({ ...request, authorization })).resolves.toEqual(principal);
  });

  it('may be signed for the base URL in the letters of its realm', async () => {
    const url = 'https://Chart.EXAMPLE.org/base/manifest';
    const sign = (realm: string) => {
      // The signer lowers the host; what the Python client does is done here by hand.
      const uri = url;
      const request = arrive({ url, realm });
      const [header = ''] = request.authorization;
      const covered = header
        .slice(6)
        .split(', ')
        .map((pair) => pair.replaceAll('"', ''))
        .filter((pair) => !/^(realm|oauth_signature)=/.test(pair));
      const base = `GET&${encodeURIComponent(uri)}&${encodeURIComponent(covered.sort().join('&'))}`;
      const signature = createHmac('sha1', `${encodeURIComponent(app.secret)}&token-secret`)
        .update(base)
        .digest('base64');
      return {
        ...request,
        authorization: [
          header.replace(/oauth_signature="[^"]*"/, `oauth_signature="${encodeURIComponent(signature)}"`),
        ],
      };
    };
    for (const realm of [
      'https://Chart.EXAMPLE.org',
      'https://Chart.EXAMPLE.org:443',
      'https://Chart.EXAMPLE.org/',
      'https://Chart.EXAMPLE.org/base',
    ]) {
      await expect(verifier()(sign(realm)), realm).resolves.toEqual(principal);
    }
    for (const realm of [
      'https://chart.example.org',
      'https://Chart.EXAMPLE.com',
      'https://Chart.EXAMPLE.org:8443',
      'http://Chart.EXAMPLE.org',
      'https://Chart.EXAMPLE.org/other',
      'Photos',
    ]) {
      await expect(verifier()(sign(realm)), realm).rejects.toThrow();
    }
  });
});

describe('a request without a signature', () => {
  const bare = { method: 'GET', rawTarget: '/base/manifest', authorization: [], secure: false };
  it.each<[string, IncomingSignature]>([
    ['nothing at all', bare],
    ['a query', { ...bare, rawTarget: '/base/users/search?given_name=oauth_token&xoauth_token=1' }],
    ['a query that cannot be decoded', { ...bare, rawTarget: '/base/users/search?given_name=%zz' }],
    [
      'a callback for a browser',
      { ...bare, method: 'POST', contentType: FORM, body: Buffer.from('oauth_callback=oob') },
    ],
    ['a form', { ...bare, method: 'POST', contentType: FORM, body: Buffer.from('a=%zz') }],
    [
      'a body that speaks of tokens',
      { ...bare, method: 'POST', contentType: 'text/plain', body: Buffer.from('oauth_token=x') },
    ],
  ])('but with %s comes from nobody', async (_, request) => {
    await expect(verifier()(request)).resolves.toBeUndefined();
  });
});

describe('a nonce', () => {
  it('is remembered until its timestamp is refused anyway', async () => {
    const nonces = memory();
    await verifier(nonces)(arrive({ timestamp: seconds + 300 }));
    expect([...nonces.used.values()]).toEqual([(seconds + 601) * 1000]);
  });

  it('may come again with another timestamp, token or app, but not with another method', async () => {
    const verify = verifier();
    const nonce = 'n';
    await verify(arrive({ nonce }));
    await verify(arrive({ nonce, timestamp: seconds + 1 }));
    await verify(arrive({ ...asRsaApp, nonce }));
    await verify(arriveAlone({ nonce }));
    await expect(verify(arrive({ nonce, method: 'DELETE' }))).rejects.toThrow();
    await expect(verify(arriveAlone({ nonce, url: `${BASE}/manifest` }))).rejects.toThrow();
  });

  it('a nonce may be any text', async () => {
    for (const nonce of ['a b', 'é"&=+%,', 'x'.repeat(2000), '0']) {
      await expect(verifier()(arrive({ nonce }))).resolves.toEqual(principal);
    }
  });
});
