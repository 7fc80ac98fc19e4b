import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../src/oauth/sign-request.js';
import { app, arrive, BASE, NOW, verifier } from './known.js';
import { signElsewhere } from './signer.js';

const consumer = { key: app.id, secret: app.secret };
const token = { key: 'good', secret: 'token-secret' };
const seconds = String(NOW / 1000);
const origin = new URL(BASE).origin;
const principal = { app: app.id, token: { id: 'id-good', user: 'person', record: '1' } };

const sorted = (header: string) => header.replace('OAuth ', '').split(', ').sort();

describe('the signer', () => {
  it.each(['HMAC-SHA1', 'HMAC-SHA256'])('signs with %s as oauth-1.0a does', (signatureMethod) => {
    const url = `${BASE}/records/1/medications/?limit=5&drug_name=acet`;
    const set = { oauth_timestamp: seconds, oauth_nonce: 'n' };
    const theirs = signElsewhere({ url, consumer, token, signatureMethod, set });
    const ours = signRequest({
      method: 'get',
      url,
      consumerKey: app.id,
      consumerSecret: app.secret,
      token: 'good',
      tokenSecret: 'token-secret',
      signatureMethod,
      timestamp: NOW / 1000,
      nonce: 'n',
    });
    expect(sorted(ours)).toEqual(sorted(theirs));
  });

  it('leaves a default port and a fragment out, and signs an empty path as a slash', () => {
    const sign = (url: string) =>
      signRequest({ method: 'GET', url, consumerKey: 'a', consumerSecret: 'b', timestamp: 1, nonce: 'n' });
    expect(sign('HTTPS://EXAMPLE.org:443#x')).toBe(sign('https://example.org/'));
    expect(sign('http://example.org?a=1')).toBe(sign('http://example.org:80/?a=1#a=2'));
    expect(sign('http://example.org:443/')).not.toBe(sign('http://example.org/'));
  });

  it('makes a header of one line that curl can send, with a new nonce each time', () => {
    const sign = () => signRequest({ method: 'GET', url: BASE, consumerKey: 'a@b', consumerSecret: 'b' });
    expect(sign()).toMatch(/^OAuth oauth_consumer_key="a%40b", [\x20-\x7e]*oauth_signature="[\w%.~-]+"$/);
    expect(sign()).not.toBe(sign());
  });

  it.each([
    '',
    'example.org/a',
    'ftp://example.org/',
    'http:///a',
    'http://u:p@example.org/',
    'http://example.org/a b',
    'http://example.org/é',
  ])('does not sign for %j', (url) => {
    expect(() => signRequest({ method: 'GET', url, consumerKey: 'a', consumerSecret: 'b' })).toThrow(
      TypeError,
    );
  });

  it('does not sign with an unknown method, nor with RSA without a key', () => {
    const request = { method: 'GET', url: BASE, consumerKey: 'a', consumerSecret: 'b' };
    expect(() => signRequest({ ...request, signatureMethod: 'MD5' })).toThrow('no signature method');
    expect(() => signRequest({ ...request, signatureMethod: 'RSA-SHA1' })).toThrow('private key');
  });
});

describe('whatever is signed', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const segment = fc.string({ unit: 'binary', maxLength: 8 }).map((part) => encodeURIComponent(part));
  const method = fc.constantFrom('GET', 'PUT', 'POST', 'DELETE');

  it('by oauth-1.0a for a simple request is proved', async () => {
    // What that signer gets right: unique names that need no encoding, and a path that needs none.
    const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((key) => !key.startsWith('oauth_'));
    const query = fc.dictionary(name, fc.stringMatching(/^[A-Za-z0-9 é€.~_@:/-]{0,8}$/), {
      noNullPrototype: true,
      maxKeys: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/),
        query,
        fc.constantFrom('HMAC-SHA1', 'HMAC-SHA256'),
        async (verb, id, parameters, signatureMethod) => {
          const encoded = Object.entries(parameters).map(
            ([key, value]) => `${key}=${encodeURIComponent(value)}`,
          );
          const target = `/base/records/${id}/x${encoded.length > 0 ? `?${encoded.join('&')}` : ''}`;
          const header = signElsewhere({
            method: verb,
            url: origin + target,
            consumer,
            token,
            signatureMethod,
            realm: BASE,
            set: { oauth_timestamp: seconds },
          });
          const request = { method: verb, rawTarget: target, authorization: [header], secure: false };
          await expect(verifier()(request)).resolves.toEqual(principal);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('by our signer is proved, with any names, values, repetitions, paths and secrets of the query and form', async () => {
    const pairs = fc.array(fc.tuple(text, text), { maxLength: 5 });
    const encode = (list: [string, string][]) => new URLSearchParams(list).toString();
    const wellFormed = (list: [string, string][]) =>
      list.every((pair) => pair.every((part) => !/\p{Surrogate}/u.test(part) && !part.startsWith('oauth_')));
    await fc.assert(
      fc.asyncProperty(
        method,
        fc.array(segment, { maxLength: 4 }),
        pairs.filter(wellFormed),
        pairs.filter(wellFormed),
        async (verb, path, query, form) => {
          const url = `${BASE}/${path.join('/')}?${encode(query)}`;
          const request = arrive({
            method: verb,
            url,
            contentType: 'application/x-www-form-urlencoded',
            body: encode(form),
          });
          await expect(verifier()(request)).resolves.toEqual(principal);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is refused when one byte of it changes', async () => {
    const request = arrive({ url: `${BASE}/records/1/problems/?limit=5&offset=10` });
    const { rawTarget } = request;
    for (let at = 1; at < rawTarget.length; at++) {
      const changed = String.fromCharCode(rawTarget.charCodeAt(at) ^ 1);
      const other = rawTarget.slice(0, at) + changed + rawTarget.slice(at + 1);
      await expect(verifier()({ ...request, rawTarget: other }), other).rejects.toThrow();
    }
  });
});
