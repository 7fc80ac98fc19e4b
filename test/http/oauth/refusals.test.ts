import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSecretKey } from '../../../src/access/accounts/secret-key.js';
import { openGrants } from '../../../src/access/accounts/grants.js';
import {
  BACKGROUND_APP,
  COPY_APP,
  startFlowContainer,
  UI_APP,
  type Answer,
  type FlowContainer,
} from './flow-container.js';
import {
  protocol,
  sendRaw,
  signRaw,
  type Pair,
  type RawMessage,
  type RawRequest,
  type RawResponse,
} from './raw-request.js';

let container: FlowContainer;
/** A request token that somebody approved, for requests that are right but for one thing. */
let approved: Answer & { verifier?: string };

beforeAll(async () => {
  container = await startFlowContainer();
  const request = await container.requestToken(UI_APP, '1000001');
  const { verifier } = await container.allow(
    await container.browser('clinician'),
    request['oauth_token'] ?? '',
  );
  approved = { ...request, verifier };
});
afterAll(() => container.stop());

/** Right requests to each endpoint. */
const endpoints: Record<string, () => RawRequest> = {
  request_token: () => ({
    method: 'POST',
    path: '/oauth/request_token',
    query: '',
    protocol: protocol(UI_APP),
    form: [
      ['smart_record_id', '1000001'],
      ['oauth_callback', 'oob'],
    ],
    consumerSecret: container.secrets[UI_APP] ?? '',
    tokenSecret: '',
  }),
  access_token: () => ({
    method: 'POST',
    path: '/oauth/access_token',
    query: '',
    protocol: protocol(UI_APP, {
      oauth_token: approved['oauth_token'] ?? '',
      oauth_verifier: approved.verifier ?? '',
    }),
    form: [],
    consumerSecret: container.secrets[UI_APP] ?? '',
    tokenSecret: approved['oauth_token_secret'] ?? '',
  }),
  background: () => ({
    method: 'POST',
    path: `/apps/${BACKGROUND_APP}/tokens/records/first`,
    query: '',
    protocol: protocol(BACKGROUND_APP),
    form: [],
    consumerSecret: container.secrets[BACKGROUND_APP] ?? '',
    tokenSecret: '',
  }),
};

const set =
  (name: string, value: string) =>
  (raw: RawRequest): RawRequest => ({
    ...raw,
    protocol: [...raw.protocol.filter(([known]) => known !== name), [name, value]],
  });
const drop =
  (name: string) =>
  (raw: RawRequest): RawRequest => ({ ...raw, protocol: raw.protocol.filter(([known]) => known !== name) });
const addForm =
  (...pairs: Pair[]) =>
  (raw: RawRequest): RawRequest => ({ ...raw, form: [...raw.form, ...pairs] });

/** What is wrong before signing. */
const before: Record<string, (raw: RawRequest) => RawRequest> = {
  'wrong consumer secret': (raw) => ({ ...raw, consumerSecret: 'wrong' }),
  'wrong token secret': (raw) => ({ ...raw, tokenSecret: 'wrong' }),
  'unknown consumer': set('oauth_consumer_key', 'nobody@apps.example.org'),
  'consumer key that can be none': set('oauth_consumer_key', '../../etc'),
  'unknown token': set('oauth_token', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
  'no consumer key': drop('oauth_consumer_key'),
  'empty consumer key': set('oauth_consumer_key', ''),
  'no nonce': drop('oauth_nonce'),
  'empty nonce': set('oauth_nonce', ''),
  'no timestamp': drop('oauth_timestamp'),
  'a timestamp that is text': set('oauth_timestamp', 'now'),
  'a negative timestamp': set('oauth_timestamp', '-1'),
  'no signature method': drop('oauth_signature_method'),
  'an unknown signature method': set('oauth_signature_method', 'HMAC-MD5'),
  'PLAINTEXT without TLS': set('oauth_signature_method', 'PLAINTEXT'),
  'RSA without a key': set('oauth_signature_method', 'RSA-SHA1'),
  'version 2.0': set('oauth_version', '2.0'),
  'signed for another method': (raw) => ({ ...raw, signedMethod: 'GET' }),
  'signed for another path': (raw) => ({ ...raw, signedPath: '/manifest' }),
  'a protocol parameter in the form too': addForm(['oauth_nonce', 'again']),
  'a protocol parameter in the query too': (raw) => ({ ...raw, query: 'oauth_timestamp=1' }),
  'a body hash that does not fit': set('oauth_body_hash', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='),
};

const authorization = (message: RawMessage): string => message.headers[0]?.[1] ?? '';
const withHeader = (message: RawMessage, ...values: string[]): RawMessage => ({
  ...message,
  headers: [...values.map((value) => ['Authorization', value] as const), ...message.headers.slice(1)],
});

/** What is wrong with what is sent. */
const after: Record<string, (message: RawMessage) => RawMessage> = {
  'no signature at all': (message) => withHeader(message),
  'another scheme': (message) => withHeader(message, 'Bearer abc'),
  'an empty OAuth header': (message) => withHeader(message, 'OAuth '),
  'two Authorization headers': (message) =>
    withHeader(message, authorization(message), authorization(message)),
  'a parameter twice in the header': (message) =>
    withHeader(message, `${authorization(message)}, oauth_version="1.0"`),
  'a broken percent-encoding in the header': (message) =>
    withHeader(message, authorization(message).replace('oauth_nonce="', 'oauth_nonce="%zz')),
  'a broken percent-encoding in the form': (message) => ({ ...message, body: `${message.body}&x=%zz` }),
  'a form parameter added': (message) => ({ ...message, body: `${message.body}&smart_record=1` }),
  'a query parameter added': (message) => ({ ...message, target: `${message.target}?x=1` }),
  'a changed signature': (message) =>
    withHeader(message, authorization(message).replace(/oauth_signature="./, 'oauth_signature="~')),
  'no signature parameter': (message) =>
    withHeader(message, authorization(message).replace(/, oauth_signature="[^"]*"/, '')),
  'a header that is cut off': (message) => withHeader(message, authorization(message).slice(0, -10)),
};

const cases = Object.keys(endpoints).flatMap((endpoint) => [
  ...Object.keys(before).map((what) => ({ endpoint, what })),
  ...Object.keys(after).map((what) => ({ endpoint, what })),
]);

/** Without what is said of every body that is labelled as a form, whatever was wrong. */
const same = ({ status, challenge, body }: RawResponse): string =>
  `${status} ${challenge} ${body.replace(/ The body is labelled as a form, [^"]*/u, '')}`;

describe('what token endpoints refuse', () => {
  it.each(cases)('$endpoint: $what is 401 with the one body', async ({ endpoint, what }) => {
    const right = endpoints[endpoint]?.();
    if (!right) throw new Error(endpoint);
    const changed = signRaw(container.url, before[what]?.(right) ?? right);
    const response = await sendRaw(container.url, after[what]?.(changed) ?? changed);
    const wrongSecret = await sendRaw(
      container.url,
      signRaw(container.url, { ...right, consumerSecret: 'wrong' }),
    );
    expect(response.status).toBe(401);
    expect(same(response)).toBe(same(wrongSecret));
    expect(response.body).not.toContain('oauth_problem');
  });

  it.each(Object.keys(endpoints))(
    '%s: names timestamp and nonce only to a proved signer',
    async (endpoint) => {
      const right = endpoints[endpoint]?.();
      if (!right) throw new Error(endpoint);
      const old = set('oauth_timestamp', String(Math.floor(Date.now() / 1000) - 301))(right);
      const refused = await sendRaw(container.url, signRaw(container.url, old));
      expect([refused.status, refused.challenge]).toEqual([
        401,
        expect.stringContaining('timestamp_refused'),
      ]);
      const ahead = set('oauth_timestamp', String(Math.floor(Date.now() / 1000) + 330))(right);
      expect((await sendRaw(container.url, signRaw(container.url, ahead))).challenge).toContain(
        'timestamp_refused',
      );
      const unproved = await sendRaw(
        container.url,
        signRaw(container.url, { ...old, consumerSecret: 'wrong' }),
      );
      expect(unproved.challenge).not.toContain('oauth_problem');
    },
  );

  it('refuses a nonce that was used, and names it', async () => {
    const right = endpoints['request_token']?.();
    if (!right) throw new Error();
    const message = signRaw(container.url, right);
    expect((await sendRaw(container.url, message)).status).toBe(200);
    const again = await sendRaw(container.url, message);
    expect([again.status, again.challenge]).toEqual([401, expect.stringContaining('nonce_used')]);
  });

  it.each(['/oauth/request_token', '/oauth/access_token'])('%s takes POST only', async (path) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(container.url + path, { method });
      expect([method, response.status, response.headers.get('Allow')]).toEqual([
        method,
        405,
        'POST, OPTIONS',
      ]);
    }
    expect((await fetch(container.url + path, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('has no debugging unless it is configured', async () => {
    expect((await fetch(`${container.url}/oauth/debug`)).status).toBe(404);
  });
});

describe('who gets no request token', () => {
  it.each([
    ['a background app', BACKGROUND_APP, 403],
    ['an app for people', UI_APP, 200],
    ['an app without a callback', COPY_APP, 200],
  ])('%s', async (_, app, status) => {
    expect(
      (await container.signed('/oauth/request_token', app, { form: { oauth_callback: 'oob' } })).status,
    ).toBe(status);
  });

  it('an app that signs with an access token', async () => {
    const { token = '', tokenSecret = '' } = await container.token('1000001');
    const signed = { oauth_token: token, oauth_token_secret: tokenSecret };
    expect((await container.signed('/oauth/request_token', UI_APP, { token: signed })).status).toBe(403);
  });

  it.each([
    ['two different records', { smart_record_id: '1000001', container_record_id: '1000002' }, 400],
    ['the same record by both names', { smart_record_id: '1000001', container_record_id: '1000001' }, 200],
    ['a record with an impossible id', { smart_record_id: '../users' }, 200],
    ['an empty record', { smart_record_id: '' }, 200],
  ])('%s', async (_, form, status) => {
    expect((await container.signed('/oauth/request_token', UI_APP, { form })).status).toBe(status);
  });

  it.each([
    ['a callback of somebody else', UI_APP, 'http://evil.example/', 400],
    ['a callback like its own', UI_APP, 'http://localhost:8000/medications/authorized/', 400],
    ['a callback where the manifest has none', COPY_APP, 'http://evil.example/', 400],
    ['its own callback', UI_APP, 'http://localhost:8000/medications/authorized', 200],
    ['an empty callback', UI_APP, '', 200],
  ])('%s', async (_, app, callback, status) => {
    const inForm = await container.signed('/oauth/request_token', app, {
      form: { oauth_callback: callback },
    });
    const inHeader = await container.signed('/oauth/request_token', app, {
      extra: { oauth_callback: callback },
    });
    expect([inForm.status, inHeader.status]).toEqual([status, status]);
    if (status !== 400) return;
    const { detail } = (await inForm.json()) as { detail: string };
    expect(detail).toBe('The oauth_callback is not the one of the app’s manifest; send that one or oob.');
  });

  it('one with more than a form of text', async () => {
    const form = { oauth_callback: 'x'.repeat(20_000) };
    expect((await container.signed('/oauth/request_token', UI_APP, { form })).status).toBe(413);
  });
});

describe('what is not exchanged', () => {
  const exchange = async (request: Answer, verifier: string | undefined, app = UI_APP): Promise<string> => {
    const extra: Record<string, string> = verifier === undefined ? {} : { oauth_verifier: verifier };
    const response = await container.signed('/oauth/access_token', app, { token: request, extra });
    return `${response.status} ${await response.text()}`;
  };
  const refused = async (): Promise<string> => {
    const response = await container.signed('/oauth/access_token', 'nobody@apps.example.org');
    return `${response.status} ${await response.text()}`;
  };

  it.each([
    ['a wrong verifier', async () => exchange(approved, 'wrong')],
    ['no verifier', async () => exchange(approved, undefined)],
    ['an empty verifier', async () => exchange(approved, '')],
    [
      'the verifier of another request',
      async () => exchange(await container.requestToken(), approved.verifier),
    ],
    ['a request that nobody answered', async () => exchange(await container.requestToken(), 'x')],
    ['a request of another app', async () => exchange(approved, approved.verifier, COPY_APP)],
    ['the app alone', async () => exchange({}, approved.verifier)],
    [
      'an access token',
      async () => {
        const { token = '', tokenSecret = '' } = await container.token('1000001');
        return exchange({ oauth_token: token, oauth_token_secret: tokenSecret }, approved.verifier);
      },
    ],
    [
      'a request that has expired',
      async () => {
        const key = await loadSecretKey(container.data, process.env);
        const past = openGrants(container.directory, key, () => Date.now() - 10 * 60 * 1000 - 1);
        const { token, secret } = await past.issueRequest({ app: UI_APP, record: '1000001' });
        await past.openRequest(token, 'browser');
        const allowed = await past.approveRequest(token, 'browser', {
          user: 'clinician',
          record: '1000001',
          wording: '',
          allowed: 'everything',
        });
        if (typeof allowed === 'string') throw new Error(allowed);
        return exchange({ oauth_token: token, oauth_token_secret: secret }, allowed.verifier);
      },
    ],
    [
      'a record that was taken from the person meanwhile',
      async () => {
        const { token, secret } = await container.grants.issueRequest({ app: UI_APP, record: '1000002' });
        await container.grants.openRequest(token, 'browser');
        const approval = { user: 'person', record: '1000002', wording: '', allowed: 'everything' } as const;
        const allowed = await container.grants.approveRequest(token, 'browser', approval);
        if (typeof allowed === 'string') throw new Error(allowed);
        return exchange({ oauth_token: token, oauth_token_secret: secret }, allowed.verifier);
      },
    ],
  ])('%s', async (_, attempt) => {
    expect(await attempt()).toBe(await refused());
  });

  it('and a request token signs no call', async () => {
    const request = await container.requestToken(UI_APP, '1000001');
    const read = await container.signed('/records/1000001/problems/', UI_APP, {
      method: 'GET',
      token: request,
    });
    expect(read.status).toBe(401);
  });
});
