import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  baseString,
  baseStringUri,
  normalize,
  originOf,
  splitTarget,
} from '../../src/access/oauth/signature.js';
import { readSignedParameters, type IncomingSignature } from '../../src/access/oauth/signed-request.js';
import { percentEncode, readForm } from '../../src/access/oauth/percent.js';

/** The base string of a request to a server whose base URL is given, and its HMAC-SHA1 signature. */
function signed(base: string, request: IncomingSignature, consumerSecret: string, tokenSecret: string) {
  const parameters = readSignedParameters(request);
  if (!parameters) throw new Error('not signed');
  const text = baseString(
    request.method,
    baseStringUri(originOf(base), parameters.path),
    normalize(parameters.covered),
  );
  return {
    text,
    // §3.4.2; none of these secrets needs encoding.
    signature: createHmac('sha1', `${consumerSecret}&${tokenSecret}`).update(text).digest('base64'),
    parameters,
  };
}

const get = { method: 'GET', secure: false };
const FORM = 'application/x-www-form-urlencoded';

describe('RFC 5849 §1.2: the three requests of the example', () => {
  const clientSecret = 'kd94hf93k423kf44';

  it.each([
    {
      name: 'temporary credentials',
      base: 'https://photos.example.net',
      method: 'POST',
      rawTarget: '/initiate',
      header: `OAuth realm="Photos",
        oauth_consumer_key="dpf43f3p2l4k3l03",
        oauth_signature_method="HMAC-SHA1",
        oauth_timestamp="137131200",
        oauth_nonce="wIjqoS",
        oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready",
        oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D"`,
      tokenSecret: '',
    },
    {
      name: 'token credentials',
      base: 'https://photos.example.net',
      method: 'POST',
      rawTarget: '/token',
      header: `OAuth realm="Photos",
        oauth_consumer_key="dpf43f3p2l4k3l03",
        oauth_token="hh5s93j4hdidpola",
        oauth_signature_method="HMAC-SHA1",
        oauth_timestamp="137131201",
        oauth_nonce="walatlh",
        oauth_verifier="hfdp7dh39dks9884",
        oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D"`,
      tokenSecret: 'hdhd0244k9j7ao03',
    },
    {
      name: 'a protected resource',
      base: 'http://photos.example.net',
      method: 'GET',
      rawTarget: '/photos?file=vacation.jpg&size=original',
      header: `OAuth realm="Photos",
        oauth_consumer_key="dpf43f3p2l4k3l03",
        oauth_token="nnch734d00sl2jdk",
        oauth_signature_method="HMAC-SHA1",
        oauth_timestamp="137131202",
        oauth_nonce="chapoH",
        oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D"`,
      tokenSecret: 'pfkkdhi9sl3r4s00',
    },
  ])(
    'the request for $name has the printed signature',
    ({ base, method, rawTarget, header, tokenSecret }) => {
      // The RFC breaks the header for print; HTTP carries it on one line.
      const authorization = [header.replace(/\n\s*/g, ' ')];
      const made = signed(
        base,
        { method, rawTarget, authorization, secure: true },
        clientSecret,
        tokenSecret,
      );
      expect(made.signature).toBe(made.parameters.protocol.get('oauth_signature'));
      expect(made.parameters.realm).toBe('Photos');
    },
  );
});

describe('RFC 5849 §3.4.1: the signature base string', () => {
  const request: IncomingSignature = {
    method: 'POST',
    rawTarget: '/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
    authorization: [
      'OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", ' +
        'oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", ' +
        'oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"',
    ],
    contentType: FORM,
    body: Buffer.from('c2&a3=2+q'),
    secure: false,
  };
  const made = () => signed('http://example.com', request, 'j49sk3j29djd', 'dh893hdasih9');

  it('is the one of §3.4.1.1', () => {
    expect(made().text).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26' +
        'c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
        'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    );
  });

  it('has the signature of erratum 2550, not the printed one', () => {
    expect(made().signature).toBe('r6/TJjbCOr97/+UU0NsvSne7s5g=');
  });

  it('covers the parameters of §3.4.1.3.1', () => {
    expect(new Set(made().parameters.covered.map(([name, value]) => `${name}=${value}`))).toEqual(
      new Set([
        'b5==%3D',
        'a3=a',
        'c@=',
        'a2=r b',
        'oauth_consumer_key=9djdj82h48djs9d2',
        'oauth_token=kkk9d7dh3k39sjv7',
        'oauth_signature_method=HMAC-SHA1',
        'oauth_timestamp=137131201',
        'oauth_nonce=7d8f3e4a',
        'c2=',
        'a3=2 q',
      ]),
    );
  });

  it('has them sorted as in §3.4.1.3.2', () => {
    expect(normalize(made().parameters.covered)).toBe(
      'a2=r%20b&a3=2%20q&a3=a&b5=%3D%253D&c%40=&c2=&oauth_consumer_key=9djdj82h48djs9d2&oauth_nonce=7d8f3e4a&' +
        'oauth_signature_method=HMAC-SHA1&oauth_timestamp=137131201&oauth_token=kkk9d7dh3k39sjv7',
    );
  });

  // §3.4.1.2
  it.each([
    ['http://EXAMPLE.COM:80', '/r%20v/X?id=123', 'http://example.com/r%20v/X'],
    ['https://www.example.net:8080', '/?q=1', 'https://www.example.net:8080/'],
    ['https://example.net:443', '/a', 'https://example.net/a'],
    ['http://example.net:443', '/a', 'http://example.net:443/a'],
    ['https://example.net', '', 'https://example.net/'],
    ['https://example.net', '?q=1', 'https://example.net/'],
    ['https://example.net/base', '/base/%7Ex//y/', 'https://example.net/base/%7Ex//y/'],
    ['http://example.net', 'http://other.example/a?b=c', 'http://example.net/a'],
    ['http://example.net', '/a?b=c?d', 'http://example.net/a'],
  ])('of a server at %s has for the target %s the URI %s', (base, target, uri) => {
    expect(baseStringUri(originOf(base), splitTarget(target).path)).toBe(uri);
  });

  it('has the method in upper case', () => {
    expect(baseString('post', 'http://a/', '')).toBe('POST&http%3A%2F%2Fa%2F&');
  });
});

describe('RFC 5849 §3.4.1.3: parameters', () => {
  it.each<[string, [string, string][]]>([
    ['', []],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=a', [['', 'a']]],
    ['a=b=c', [['a', 'b=c']]],
    [
      'a=1&a=1',
      [
        ['a', '1'],
        ['a', '1'],
      ],
    ],
    [
      '&a=1&&b=2&',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['a+b=c+d', [['a b', 'c d']]],
    ['a=%2B', [['a', '+']]],
    ['%61=%C3%A9', [['a', 'é']]],
    ['a=%F0%9D%92%B3', [['a', '𝒳']]],
  ])('of %j are %j', (text, parameters) => {
    expect(readForm(text)).toEqual(parameters);
  });

  it.each(['%', 'a=%2', 'a=%zz', '%C3=1', 'a=%FF', 'a=%C0%AF', 'a=%ED%A0%80'])(
    'of %j cannot be read',
    (text) => {
      expect(() => readForm(text)).toThrow(URIError);
    },
  );

  it('are sorted by name before value, by bytes of their encoded form', () => {
    const parameters = readForm('a=1&a-b=1&a=%C3%A9&a=z&B=1&a%20=1&a=');
    expect(normalize(parameters)).toBe('B=1&a=&a=%C3%A9&a=1&a=z&a%20=1&a-b=1');
  });

  it.each([
    ['abcXYZ019-._~', 'abcXYZ019-._~'],
    ["!*'()", '%21%2A%27%28%29'],
    [' +%&=', '%20%2B%25%26%3D'],
    ['/:@?', '%2F%3A%40%3F'],
    ['é€𝒳\u007f\u0000', '%C3%A9%E2%82%AC%F0%9D%92%B3%7F%00'],
  ])('§3.6: %j is encoded as %s', (text, encoded) => {
    expect(percentEncode(text)).toBe(encoded);
  });
});

describe('RFC 5849 §3.5: where protocol parameters stand', () => {
  const all = 'oauth_consumer_key=a&oauth_signature_method=PLAINTEXT&oauth_signature=s%26';
  const header = `OAuth ${all.replace(/=([^&]*)/g, '="$1"').replaceAll('&', ',')}`;
  it.each<[string, IncomingSignature]>([
    ['the header', { ...get, rawTarget: '/', authorization: [header] }],
    [
      'the form body',
      {
        ...get,
        method: 'POST',
        rawTarget: '/',
        authorization: [],
        contentType: `${FORM}; charset=UTF-8`,
        body: Buffer.from(all),
      },
    ],
    ['the query', { ...get, rawTarget: `/?${all}`, authorization: [] }],
  ])('may be %s', (_, request) => {
    const found = readSignedParameters(request);
    expect([...(found?.protocol ?? [])]).toEqual([
      ['oauth_consumer_key', 'a'],
      ['oauth_signature_method', 'PLAINTEXT'],
      ['oauth_signature', 's&'],
    ]);
    expect(found?.covered.map(([name]) => name)).toEqual(['oauth_consumer_key', 'oauth_signature_method']);
  });

  it('is no form body when the media type is another one', () => {
    const request = {
      ...get,
      rawTarget: '/',
      authorization: [],
      contentType: 'text/plain',
      body: Buffer.from(all),
    };
    expect(readSignedParameters(request)).toBeUndefined();
  });
});
