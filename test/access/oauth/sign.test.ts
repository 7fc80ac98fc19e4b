import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../src/access/oauth/sign-request.js';
import { runs } from '../../setup/runs.js';
import { app, arrive, BASE, memory, NOW, rsaApp, rsaKeys, verifier } from './known.js';
import { signElsewhere } from './signer.js';

const consumer = { key: app.id, secret: app.secret };
const token = { key: 'good', secret: 'token-secret' };
const seconds = String(NOW / 1000);
const origin = new URL(BASE).origin;
const principal = { app: app.id, token: { id: 'id-good', user: 'person', record: '1' } };

const sorted = (header: string) =>
  header
    .replace(/^OAuth (realm="test", )?/, '')
    .split(', ')
    .sort();

describe('the signer', () => {
  it.each(['HMAC-SHA1', 'HMAC-SHA256'])('signs with %s as oauth-sign does', (signatureMethod) => {
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
    expect(sign()).toMatch(
      /^OAuth oauth_consumer_key="a%40b", [\x20-\x7e]*oauth_signature="[\w%.~-]+", [\x20-\x7e]+$/,
    );
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

describe('every URL that is signed is proved', () => {
  const rsa = {
    consumerKey: rsaApp.id,
    consumerSecret: rsaApp.secret,
    token: 'foreign',
    privateKey: rsaKeys.privateKey,
  };
  const signers: [string, Parameters<typeof arrive>[0]][] = [
    ['HMAC-SHA1', {}],
    ['HMAC-SHA256', {}],
    ['RSA-SHA1', rsa],
    ['RSA-SHA256', rsa],
    ['PLAINTEXT', {}],
  ];
  // What oauth-1.0a by itself signs otherwise than RFC 5849 has it, and more of that kind.
  const urls: [what: string, signed: string, baseUrl: string][] = [
    ['a plus for a space', 'https://h.example/a?b=c+d&e+f=g', 'https://h.example'],
    ['an encoded plus', 'https://h.example/a?b=c%2Bd', 'https://h.example'],
    ['the default port of https', 'https://h.example:443/a?b=c', 'https://h.example'],
    ['the default port of http', 'http://h.example:80/a', 'http://h.example'],
    ['the default port of the other scheme', 'http://h.example:443/a', 'http://h.example:443'],
    ['another port', 'http://localhost:7000/a?b', 'http://localhost:7000'],
    ['an empty path', 'https://h.example', 'https://h.example'],
    ['an empty path before a query', 'https://h.example?a=b', 'https://h.example'],
    ['an equals sign in a value', 'https://h.example/a?b=c=d==&e==', 'https://h.example'],
    ['a host in capitals', 'HTTPS://H.EXAMPLE/a?B=C', 'https://h.example'],
    ['a literal IPv6 address', 'http://[::1]:7000/a?b=c', 'http://[::1]:7000'],
    ['a fragment', 'https://h.example/a?b=c#d?e=f', 'https://h.example'],
    ['a query without a name', 'https://h.example/a?=b&&c&', 'https://h.example'],
    ['a question mark in the query', 'https://h.example/a??b=c?d', 'https://h.example'],
    ['repeated names', 'https://h.example/a?b=2&b=10&b=1&a=&b=', 'https://h.example'],
    ['names that sort by bytes', 'https://h.example/a?a-b=1&a=1&B=2&a%20=3&%C3%A9=4', 'https://h.example'],
    [
      'names of what objects have',
      'https://h.example/a?constructor=1&toString=2&length=3',
      'https://h.example',
    ],
    [
      'dots, slashes and raw marks in its path',
      "https://h.example/a/.//b/..;c=d/!$&'()*@:",
      'https://h.example',
    ],
    ['an encoded path', 'https://h.example/%C3%A9/%2F/%7e', 'https://h.example'],
    ['a base path', 'https://h.example/base/records/1/?limit=1%7C2', 'https://h.example/base'],
  ];
  it.each(signers.flatMap(([method, signer]) => urls.map((url) => [method, ...url, signer] as const)))(
    'with %s, with %s: %s',
    async (signatureMethod, _, url, baseUrl, signer) => {
      const target = url.replace(/^\w+:\/\/[^/?#]*/, '').replace(/#.*/, '');
      const request = {
        ...arrive({ ...signer, url, signatureMethod }),
        rawTarget: target.startsWith('/') ? target : `/${target}`,
      };
      await expect(verifier(memory(), baseUrl)(request)).resolves.toMatchObject({
        token: { user: 'person' },
      });
    },
  );

  it('and so are the parameters of a form beside those of its query, repeated ones too', async () => {
    const request = arrive({
      method: 'POST',
      url: `${BASE}/a?b=2&c=x+y`,
      contentType: 'application/x-www-form-urlencoded; charset=UTF-8',
      body: '?b=1&b=3=&c=%2B&&d',
    });
    await expect(verifier()(request)).resolves.toEqual(principal);
  });

  it('but for a parameter whose name oauth-1.0a would lose', () => {
    expect(() => arrive({ url: `${BASE}/a?__proto__=b` })).toThrow('named __proto__');
  });
});

describe('whatever is signed', () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const segment = fc.string({ unit: 'binary', maxLength: 8 }).map((part) => encodeURIComponent(part));
  const method = fc.constantFrom('GET', 'PUT', 'POST', 'DELETE');

  it('by oauth-sign for a simple request is proved', async () => {
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
            set: { oauth_timestamp: seconds },
          });
          const request = { method: verb, rawTarget: target, authorization: [header], secure: false };
          await expect(verifier()(request)).resolves.toEqual(principal);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('by oauth-1.0a is proved, with any names, values, repetitions, paths and secrets of the query and form', async () => {
    const pairs = fc.array(fc.tuple(text, text), { maxLength: 5 });
    const encode = (list: [string, string][]) => new URLSearchParams(list).toString();
    const wellFormed = (list: [string, string][]) =>
      list.every((pair) =>
        pair.every((part) => !/\p{Surrogate}/u.test(part) && !/^oauth_|^__proto__$/.test(part)),
      );
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
      { numRuns: runs(200) },
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
