import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFlowContainer, UI_APP, type FlowContainer } from './flow-container.js';
import { protocol, sendRaw, signRaw, type RawRequest } from './raw-request.js';

let container: FlowContainer;
let token: { token?: string; tokenSecret?: string };
beforeAll(async () => {
  container = await startFlowContainer({ oauthDebug: true });
  token = await container.token('1000001');
});
afterAll(() => container.stop());

function request(change: Partial<RawRequest> = {}): RawRequest {
  return {
    method: 'POST',
    path: '/oauth/debug',
    query: 'a=1&b=x%20y',
    protocol: protocol(UI_APP, { oauth_token: token.token ?? '' }),
    form: [['smart_record_id', '1000001']],
    consumerSecret: container.secrets[UI_APP] ?? '',
    tokenSecret: token.tokenSecret ?? '',
    ...change,
  };
}

const report = async (raw: RawRequest, signedFor = container.url): Promise<string> =>
  (await sendRaw(container.url, signRaw(signedFor, raw))).body;

describe('the report about a signature', () => {
  it('says that a right one is right, and shows the parts of the base string', async () => {
    const text = await report(request());
    expect(text).toContain('The signature is right.');
    expect(text).toContain(`URL         ${container.url}/oauth/debug`);
    expect(text).toContain('b = "x y"');
  });

  it.each([
    [
      'another method',
      () => report(request({ signedMethod: 'GET' })),
      'The method differs: the signature was made for GET',
    ],
    [
      'a trailing slash',
      () => report(request({ signedPath: '/oauth/debug/' })),
      'The URL differs: the signature adds a trailing slash',
    ],
    ['https', () => report(request(), container.url.replace('http:', 'https:')), 'The URL differs'],
    [
      'no port',
      () => report(request(), container.url.replace(/:\d+$/, '')),
      'The URL differs: the signature leaves the port out',
    ],
    [
      'another host',
      () => report(request(), container.url.replace('localhost', '127.0.0.1')),
      'Method, URL and parameters may be right',
    ],
  ])('finds what differs: %s', async (_, made, expected) => {
    expect(await made()).toContain(expected);
  });

  it('finds parameters that were not covered', async () => {
    const whole = signRaw(container.url, request());
    const bare = signRaw(container.url, {
      ...request({ form: [], query: '' }),
      protocol: request().protocol,
    });
    const { body } = await sendRaw(container.url, { ...bare, target: whole.target, body: whole.body });
    expect(body).toContain('The parameters differ: the signature covers the protocol parameters only');
  });

  it('knows request tokens too, as the exchange is signed with one', async () => {
    const answer = await container.requestToken(UI_APP);
    const exchange = request({
      protocol: protocol(UI_APP, { oauth_token: answer['oauth_token'] ?? '', oauth_verifier: 'v' }),
      tokenSecret: answer['oauth_token_secret'] ?? '',
    });
    expect(await report(exchange)).toContain('The signature is right.');
    expect(await report({ ...exchange, signedMethod: 'GET' })).toContain('The method differs');
  });

  it('tells an old timestamp by its age', async () => {
    const old = String(Math.floor(Date.now() / 1000) - 1000);
    expect(await report(request({ protocol: protocol(UI_APP, { oauth_timestamp: old }) }))).toMatch(
      /timestamp is 100\d seconds old/,
    );
  });

  it('does not tell an unknown app or token from a wrong secret', async () => {
    const first = (text: string): string => text.split('\n')[0] ?? '';
    const texts = [
      await report(request({ consumerSecret: 'wrong' })),
      await report(request({ tokenSecret: 'wrong' })),
      await report(request({ protocol: protocol('nobody', { oauth_token: token.token ?? '' }) })),
      await report(request({ protocol: protocol(UI_APP, { oauth_token: 'unknown' }) })),
    ];
    expect(new Set(texts.map(first)).size).toBe(1);
  });

  it('explains what cannot be read, and an unsigned request', async () => {
    expect(await report(request({ protocol: [...protocol(UI_APP), ['oauth_nonce', 'again']] }))).toContain(
      'cannot be read',
    );
    const unsigned = await fetch(`${container.url}/oauth/debug`);
    expect([unsigned.status, unsigned.headers.get('Content-Type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    expect(await unsigned.text()).toContain('not signed');
  });

  it('never shows a secret, a token or a signature', async () => {
    for (const change of [{}, { signedMethod: 'GET' }, { consumerSecret: 'wrong secret' }]) {
      const raw = request(change);
      const message = signRaw(container.url, raw);
      const signature = decodeURIComponent(
        /oauth_signature="([^"]+)"/.exec(message.headers[0]?.[1] ?? '')?.[1] ?? '',
      );
      const { body } = await sendRaw(container.url, message);
      for (const secret of [
        container.secrets[UI_APP],
        token.token,
        token.tokenSecret,
        signature,
        'wrong secret',
      ]) {
        expect(body).not.toContain(secret);
      }
    }
  });
});
