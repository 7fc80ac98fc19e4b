import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../src/model/problem.js';
import type { RefusalReason, SignatureRefusal } from '../../../src/access/oauth/signature-refusal.js';
import type { IncomingSignature } from '../../../src/access/oauth/signed-request.js';
import {
  accounts,
  app,
  arrive,
  BASE,
  createVerifier,
  memory,
  NOW,
  rsaApp,
  rsaKeys,
  tokens,
  verifier,
} from './known.js';

type Arrival = () => IncomingSignature;

const FORM = 'application/x-www-form-urlencoded';
const good = arrive();
const [goodHeader = ''] = good.authorization;
const seconds = NOW / 1000;

/** The good request with its header changed. */
const header =
  (change: (text: string) => string): Arrival =>
  () => ({ ...good, authorization: [change(goodHeader)] });
/** The good request without one of its protocol parameters, unsigned ones and all else as before. */
const missing = (name: string) =>
  header((text) => text.replace(new RegExp(`${name}="[^"]*"(, |$)`), '').replace(/, $/, ''));
/** A request signed with a protocol parameter set by hand: the signature itself is right. */
const signedWith =
  (extra: Record<string, string>, change: Parameters<typeof arrive>[0] = {}): Arrival =>
  () =>
    arrive({ extra, ...change });
const target =
  (rawTarget: string): Arrival =>
  () => ({ ...good, rawTarget });
const plaintext = { signatureMethod: 'PLAINTEXT' };
const asQuery = goodHeader.replace('OAuth ', '').replaceAll('"', '').replaceAll(', ', '&');

const table: [what: string, arrival: Arrival, reason: RefusalReason][] = [
  // credentials
  ['an unknown consumer', () => arrive({ consumerKey: 'nobody' }), 'consumer'],
  [
    'an unknown consumer with the token of an app',
    () => arrive({ consumerKey: 'nobody', token: 'foreign' }),
    'consumer',
  ],
  ['a consumer key in other letters', () => arrive({ consumerKey: app.id.toUpperCase() }), 'consumer'],
  ['a wrong consumer secret', () => arrive({ consumerSecret: 'guess' }), 'signature'],
  ['an empty consumer secret', () => arrive({ consumerSecret: '' }), 'signature'],
  ['an unknown token', () => arrive({ token: 'none' }), 'token'],
  ['an unknown token with an empty secret', () => arrive({ token: 'none', tokenSecret: '' }), 'token'],
  ['a wrong token secret', () => arrive({ tokenSecret: 'guess' }), 'signature'],
  ['no token secret', () => arrive({ tokenSecret: '' }), 'signature'],
  ['an expired token', () => arrive({ token: 'expired' }), 'token'],
  ['a revoked token', () => arrive({ token: 'revoked' }), 'token'],
  ['a token of another app', () => arrive({ token: 'foreign' }), 'token'],
  ['the id of a token in its place', () => arrive({ token: tokens.good.id }), 'token'],
  ['swapped secrets', () => arrive({ consumerSecret: 'token-secret', tokenSecret: app.secret }), 'signature'],
  ['the secret of another app', () => arrive({ consumerSecret: rsaApp.secret }), 'signature'],

  // what was signed is not what came
  ['another method', () => ({ ...good, method: 'DELETE' }), 'signature'],
  ['HEAD for GET', () => ({ ...good, method: 'HEAD' }), 'signature'],
  ['another path', target('/base/records/2/medications/?limit=5'), 'signature'],
  ['a path in other letters', target('/base/Records/1/medications/?limit=5'), 'signature'],
  ['a path without its last slash', target('/base/records/1/medications?limit=5'), 'signature'],
  ['a path encoded in another way', target('/base/records/%31/medications/?limit=5'), 'signature'],
  ['a path without the base path', target('/records/1/medications/?limit=5'), 'signature'],
  ['another query value', target('/base/records/1/medications/?limit=50'), 'signature'],
  ['no query', target('/base/records/1/medications/'), 'signature'],
  ['a query parameter more', target('/base/records/1/medications/?limit=5&offset=1'), 'signature'],
  ['an empty query parameter more', target('/base/records/1/medications/?limit=5&offset='), 'signature'],
  ['a query parameter twice', target('/base/records/1/medications/?limit=5&limit=5'), 'signature'],
  ['a form parameter more', () => ({ ...good, contentType: FORM, body: Buffer.from('a=1') }), 'signature'],
  [
    'a signature for another scheme',
    () => arrive({ url: good.rawTarget.replace(/^/, 'http://chart.example.org') }),
    'signature',
  ],
  [
    'a signature for another host',
    () => arrive({ url: `https://other.example.org${good.rawTarget}` }),
    'signature',
  ],
  [
    'a signature for another port',
    () => arrive({ url: `https://chart.example.org:8443${good.rawTarget}` }),
    'signature',
  ],
  ['a changed nonce', header((text) => text.replace(/oauth_nonce="./, 'oauth_nonce="z')), 'signature'],
  ['a changed timestamp', header((text) => text.replace(`"${seconds}"`, `"${seconds + 1}"`)), 'signature'],
  ['a changed signature method', header((text) => text.replace('HMAC-SHA1', 'HMAC-SHA256')), 'signature'],
  ['a protocol parameter more', header((text) => `${text}, oauth_verifier="x"`), 'signature'],
  ['a header parameter more', header((text) => `${text}, smart_record_id="1"`), 'signature'],
  ['no version where it was signed', missing('oauth_version'), 'signature'],
  [
    'a changed body',
    () => ({ ...arrive({ method: 'PUT', body: 'one' }), body: Buffer.from('two') }),
    'body_hash',
  ],
  [
    'no body where one was signed',
    () => ({ ...arrive({ method: 'PUT', body: 'one' }), body: new Uint8Array() }),
    'body_hash',
  ],
  [
    'a body where none was signed',
    () => ({
      ...arrive({ extra: { oauth_body_hash: '2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }),
      body: Buffer.from('x'),
    }),
    'body_hash',
  ],
  [
    'a body hash in hexadecimal',
    signedWith({ oauth_body_hash: createHash('sha1').digest('hex') }),
    'body_hash',
  ],
  ['an empty body hash', signedWith({ oauth_body_hash: '' }), 'body_hash'],
  [
    'a SHA-256 body hash beside HMAC-SHA1',
    signedWith({ oauth_body_hash: createHash('sha256').digest('base64') }),
    'body_hash',
  ],

  // the signature itself
  [
    'an empty signature',
    header((text) => text.replace(/oauth_signature="[^"]*"/, 'oauth_signature=""')),
    'malformed',
  ],
  [
    // Cut between characters: half a percent-encoding would be malformed.
    'half a signature',
    header((text) => text.replace(/(oauth_signature="(?:%[0-9A-F]{2}|[^"%]){8})[^"]*/, '$1')),
    'signature',
  ],
  [
    'a signature with more after it',
    header((text) => text.replace(/(oauth_signature="[^"]*)/, '$1AA')),
    'signature',
  ],
  [
    'a signature with a line end after it',
    header((text) => text.replace(/(oauth_signature="[^"]*)/, '$1%0A')),
    'signature',
  ],
  [
    'a signature that is no base64',
    header((text) => text.replace(/oauth_signature="[^"]*/, 'oauth_signature="%00%01')),
    'signature',
  ],
  [
    'a signature of immense length',
    header((text) => text.replace(/oauth_signature="[^"]*/, `oauth_signature="${'A'.repeat(4000)}`)),
    'malformed',
  ],
  ['an unknown method', header((text) => text.replace('HMAC-SHA1', 'HMAC-MD5')), 'method'],
  ['a method in other letters', header((text) => text.replace('HMAC-SHA1', 'hmac-sha1')), 'method'],
  [
    'the name of an object property as method',
    header((text) => text.replace('HMAC-SHA1', 'constructor')),
    'method',
  ],
  ['PLAINTEXT without TLS', () => ({ ...arrive(plaintext), secure: false }), 'method'],
  ['PLAINTEXT with a wrong secret', () => arrive({ ...plaintext, tokenSecret: 'guess' }), 'signature'],
  ['PLAINTEXT with half a secret', () => arrive({ ...plaintext, tokenSecret: 'token' }), 'signature'],
  [
    'PLAINTEXT with a timestamp and no nonce',
    () => ({
      ...good,
      authorization: arrive(plaintext).authorization.map((text) => text.replace(/ oauth_nonce="[^"]*",/, '')),
    }),
    'malformed',
  ],
  [
    'RSA-SHA1 for an app without a public key',
    () => arrive({ signatureMethod: 'RSA-SHA1', privateKey: rsaKeys.privateKey }),
    'signature',
  ],
  [
    'RSA-SHA256 with another private key',
    () =>
      arrive({
        consumerKey: rsaApp.id,
        token: 'foreign',
        signatureMethod: 'RSA-SHA256',
        privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
      }),
    'signature',
  ],
  [
    'HMAC with the public key as secret',
    () => arrive({ consumerKey: rsaApp.id, token: 'foreign', consumerSecret: rsaApp.publicKey }),
    'signature',
  ],

  // missing, repeated, misplaced, malformed
  ['no consumer key', missing('oauth_consumer_key'), 'malformed'],
  ['no signature method', missing('oauth_signature_method'), 'malformed'],
  ['no signature', missing('oauth_signature'), 'malformed'],
  ['no timestamp', missing('oauth_timestamp'), 'malformed'],
  ['no nonce', missing('oauth_nonce'), 'malformed'],
  ['a signed request whose token was cut out', missing('oauth_token'), 'signature'],
  ['an empty consumer key', () => arrive({ consumerKey: '' }), 'malformed'],
  ['an empty nonce', () => arrive({ nonce: '' }), 'malformed'],
  ['version 2.0', header((text) => text.replace('oauth_version="1.0"', 'oauth_version="2.0"')), 'version'],
  ['an empty version', header((text) => text.replace('oauth_version="1.0"', 'oauth_version=""')), 'version'],
  ['a timestamp of 0', () => arrive({ timestamp: 0 }), 'malformed'],
  ['a negative timestamp', () => arrive({ timestamp: -seconds }), 'malformed'],
  ['a timestamp with a fraction', () => arrive({ timestamp: seconds + 0.5 }), 'malformed'],
  [
    'a timestamp with a leading zero',
    header((text) => text.replace(`"${seconds}"`, `"0${seconds}"`)),
    'malformed',
  ],
  ['a timestamp in words', header((text) => text.replace(`"${seconds}"`, '"now"')), 'malformed'],
  ...['consumer_key', 'token', 'signature_method', 'signature', 'timestamp', 'nonce', 'version'].flatMap(
    (name): [string, Arrival, RefusalReason][] => {
      const again = new RegExp(`oauth_${name}="[^"]*"`).exec(goodHeader)?.[0] ?? '';
      const inQuery = again.replaceAll('"', '');
      return [
        [`oauth_${name} twice in the header`, header((text) => `${text}, ${again}`), 'malformed'],
        [`oauth_${name} in the query too`, target(`${good.rawTarget}&${inQuery}`), 'malformed'],
        [
          `oauth_${name} in the form body too`,
          () => ({ ...good, contentType: FORM, body: Buffer.from(inQuery) }),
          'malformed',
        ],
      ];
    },
  ),
  ['a name twice by another encoding', header((text) => `${text}, oauth%5Fnonce="x"`), 'malformed'],
  [
    'all parameters twice in the query',
    () => ({ ...good, authorization: [], rawTarget: `${good.rawTarget}&${asQuery}&${asQuery}` }),
    'malformed',
  ],
  ['an escaped protocol name in the query', target(`${good.rawTarget}&%6fauth_token=x`), 'malformed'],
  ['an unknown oauth_ name in the query', target(`${good.rawTarget}&oauth_other=x`), 'malformed'],
  [
    'oauth_callback in the query beside a header',
    target(`${good.rawTarget}&oauth_callback=oob`),
    'malformed',
  ],
  [
    'oauth_callback in header and form body',
    () => ({
      ...arrive({ extra: { oauth_callback: 'oob' }, contentType: FORM, body: 'oauth_callback=oob' }),
    }),
    'malformed',
  ],
  ['two Authorization headers', () => ({ ...good, authorization: [goodHeader, goodHeader] }), 'malformed'],
  [
    'an Authorization header of another scheme beside it',
    () => ({ ...good, authorization: [goodHeader, 'Bearer x'] }),
    'malformed',
  ],
  ['Basic', header(() => 'Basic YTpi'), 'malformed'],
  ['Bearer', header(() => 'Bearer abc'), 'malformed'],
  ['another scheme that begins alike', header((text) => text.replace('OAuth', 'OAuth2')), 'malformed'],
  ['an empty header', header(() => ''), 'malformed'],
  ['OAuth alone', header(() => 'OAuth '), 'malformed'],
  ['a realm alone', header(() => `OAuth realm="${BASE}"`), 'malformed'],
  ['two realms', header((text) => text.replace('OAuth ', 'OAuth realm="a", realm="b", ')), 'malformed'],
  ['values without quotes', header((text) => text.replaceAll('"', '')), 'malformed'],
  ['a quote that does not end', header((text) => text.slice(0, -1)), 'malformed'],
  ['no commas', header((text) => text.replaceAll(',', '')), 'malformed'],
  ['a comma at the end', header((text) => `${text},`), 'malformed'],
  ['an empty element', header((text) => text.replace(', ', ', , ')), 'malformed'],
  ['semicolons', header((text) => text.replaceAll(',', ';')), 'malformed'],
  ['a name without a value', header((text) => `${text}, oauth_other`), 'malformed'],
  ['text after the last value', header((text) => `${text} x`), 'malformed'],
  [
    'a broken percent-encoding in the header',
    header((text) => text.replace(/oauth_nonce="/, 'oauth_nonce="%zz')),
    'malformed',
  ],
  [
    'a cut percent-encoding in the header',
    header((text) => text.replace(/oauth_nonce="[^"]*/, 'oauth_nonce="%4')),
    'malformed',
  ],
  [
    'bytes that are no UTF-8 in the header',
    header((text) => text.replace(/oauth_nonce="/, 'oauth_nonce="%FF')),
    'malformed',
  ],
  ['a broken percent-encoding in a header name', header((text) => `${text}, %zz="1"`), 'malformed'],
  ['a broken percent-encoding in the query', target(`${good.rawTarget}&a=%zz`), 'malformed'],
  ['bytes that are no UTF-8 in the query', target(`${good.rawTarget}&a=%FF`), 'malformed'],
  [
    'a broken percent-encoding in the form body',
    () => ({ ...good, contentType: FORM, body: Buffer.from('a=%') }),
    'malformed',
  ],
  [
    'raw bytes beyond ASCII in the form body',
    () => ({ ...good, contentType: FORM, body: Buffer.from('a=é') }),
    'malformed',
  ],
  ['raw bytes beyond ASCII in the target', target(`${good.rawTarget}&a=é`), 'malformed'],
  ['the target *', target('*'), 'signature'],
  [
    'a token in the query alone',
    () => ({ ...good, authorization: [], rawTarget: '/base/manifest?oauth_token=good' }),
    'malformed',
  ],
  [
    'a consumer key in the form body alone',
    () => ({
      ...good,
      authorization: [],
      method: 'POST',
      contentType: FORM,
      body: Buffer.from('oauth_consumer_key=a'),
    }),
    'malformed',
  ],
];

/** What is said of every request with a body that is labelled as a form, whatever was wrong with it. */
const formHint = ({ contentType, body }: IncomingSignature): string =>
  body instanceof Uint8Array && contentType?.includes('urlencoded')
    ? ' The body is labelled as a form, so its fields belong to the signature: sign them, or send the Content-Type that the body has.'
    : '';

describe('a refused signature', () => {
  it('is tried in at least 60 ways', () => {
    expect(table.length).toBeGreaterThanOrEqual(60);
    expect(new Set(table.map(([what]) => what)).size).toBe(table.length);
  });

  it.each(table)('with %s gets the one answer to all, and spends no nonce', async (_, arrival, reason) => {
    const nonces = memory();
    const arrived = arrival();
    const error: unknown = await verifier(nonces)(arrived).then(
      (principal) => principal ?? 'unsigned',
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Problem);
    const { status, kind, message, headers, extra, cause } = error as Problem;
    expect({ status, kind, message, headers, extra }).toEqual({
      status: 401,
      kind: 'unauthorized',
      message: `The OAuth 1.0a signature of this request was not accepted.${formHint(arrived)}`,
      headers: { 'WWW-Authenticate': `OAuth realm="${BASE}"` },
      extra: {},
    });
    expect((cause as SignatureRefusal).reason).toBe(reason);
    expect(nonces.used.size).toBe(0);
  });

  it('is told of its timestamp or nonce only when it is proved', async () => {
    const cases: [Arrival, string | undefined][] = [
      [() => arrive({ timestamp: seconds - 301 }), 'timestamp_refused'],
      [() => arrive({ timestamp: seconds + 301 }), 'timestamp_refused'],
      [() => arrive({ ...plaintext, timestamp: seconds - 301 }), 'timestamp_refused'],
      [() => arrive({ timestamp: seconds - 301, tokenSecret: 'guess' }), undefined],
      [() => arrive({ timestamp: seconds - 301, token: 'expired' }), undefined],
      [() => arrive({ timestamp: seconds - 301, consumerKey: 'nobody' }), undefined],
      // After a power failure what was signed before the restart may be a repetition.
      [() => arrive({ timestamp: seconds - 100 }), 'timestamp_refused'],
    ];
    for (const [arrival, told] of cases) {
      const nonces = memory(NOW - 50_000);
      const error = (await verifier(nonces)(arrival()).catch((thrown: unknown) => thrown)) as Problem;
      expect(error.extra['oauth_problem']).toBe(told);
      expect(error.headers['WWW-Authenticate']).toBe(
        `OAuth realm="${BASE}"${told === undefined ? '' : `, oauth_problem="${told}"`}`,
      );
      expect(nonces.used.size).toBe(0);
    }
  });

  it('is told of a used nonce when all else is right, and of nothing when it is not', async () => {
    const verify = verifier();
    await verify(good);
    await expect(verify(good)).rejects.toMatchObject({ status: 401, extra: { oauth_problem: 'nonce_used' } });
    await expect(verify({ ...good, method: 'PUT' })).rejects.toMatchObject({ extra: {} });
  });

  it('looks for the token of an unknown app too, and signs with a dummy key', async () => {
    const asked: unknown[] = [];
    const verify = createVerifier({
      accounts: { credentials: (key, token) => (asked.push([key, token]), accounts.credentials(key, token)) },
      nonces: memory(),
      baseUrl: BASE,
      clock: () => NOW,
    });
    await expect(verify(arrive({ consumerKey: 'nobody' }))).rejects.toThrow();
    await expect(verify(arrive({ token: 'none' }))).rejects.toThrow();
    expect(asked).toEqual([
      ['nobody', 'good'],
      [app.id, 'none'],
    ]);
  });
});
