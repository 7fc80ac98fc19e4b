import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OAuth } from 'oauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFlowContainer, UI_APP, type FlowContainer } from './flow-container.js';
import { protocol, sendRaw, signRaw } from './raw-request.js';
import { canImport } from '../can-import.js';

let container: FlowContainer;
beforeAll(async () => {
  container = await startFlowContainer();
});
afterAll(() => container.stop());

const hasPython = canImport('requests_oauthlib');
if (!hasPython)
  console.warn(
    'Python signers are skipped: requests-oauthlib cannot be imported (pip install requests-oauthlib).',
  );

describe('signers of others go the whole way', () => {
  it.each(['HMAC-SHA1', 'HMAC-SHA256'])('npm oauth-sign with %s', async (oauth_signature_method) => {
    const secret = container.secrets[UI_APP] ?? '';
    const step = async (
      path: string,
      more: Record<string, string>,
      form: [string, string][],
      tokenSecret = '',
      method = 'POST',
    ) =>
      sendRaw(
        container.url,
        signRaw(container.url, {
          method,
          path,
          query: '',
          protocol: protocol(UI_APP, { oauth_signature_method, ...more }),
          form,
          consumerSecret: secret,
          tokenSecret,
        }),
      );
    const first = await step('/oauth/request_token', {}, [
      ['container_record_id', '1000003'],
      ['oauth_callback', 'oob'],
    ]);
    const request = Object.fromEntries(new URLSearchParams(first.body));
    const browser = await container.browser('clinician');
    const { verifier, token } = await container.allow(browser, request['oauth_token'] ?? '');
    const second = await step(
      '/oauth/access_token',
      { oauth_token: token, oauth_verifier: verifier },
      [],
      request['oauth_token_secret'],
    );
    const access = Object.fromEntries(new URLSearchParams(second.body));
    expect(access).toMatchObject({ record_id: '1000003', user_id: 'clinician' });
    const read = await step(
      '/records/1000003/demographics',
      { oauth_token: access['oauth_token'] ?? '' },
      [],
      access['oauth_token_secret'],
      'GET',
    );
    expect(read.status).toBe(200);
  });

  it('the npm package oauth signs the whole flow', async () => {
    const client = new OAuth(
      `${container.url}/oauth/request_token`,
      `${container.url}/oauth/access_token`,
      UI_APP,
      container.secrets[UI_APP] ?? '',
      '1.0A',
      'oob',
      'HMAC-SHA1',
    );
    const [token, secret] = await new Promise<[string, string]>((resolve, reject) => {
      client.getOAuthRequestToken({ smart_record_id: '1000001' }, (error, key, value) => {
        if (error) reject(new Error(JSON.stringify(error)));
        else resolve([key, value]);
      });
    });
    const { verifier } = await container.allow(await container.browser('person'), token);
    const access = await new Promise<[string, string, Record<string, string>]>((resolve, reject) => {
      client.getOAuthAccessToken(token, secret, verifier, (error, key, value, rest: unknown) => {
        if (error) reject(new Error(JSON.stringify(error)));
        else resolve([key, value, rest as Record<string, string>]);
      });
    });
    expect({ ...access[2] }).toEqual({ record_id: '1000001', user_id: 'person' });
    const body = await new Promise<string>((resolve, reject) => {
      client.get(
        `${container.url}/records/1000001/medications/?limit=2`,
        access[0],
        access[1],
        (error, data) => {
          if (error) reject(new Error(JSON.stringify(error)));
          else resolve(String(data));
        },
      );
    });
    expect(body).toContain('rdf:RDF');
  });

  it.skipIf(!hasPython)('Python requests-oauthlib', async () => {
    const first = JSON.parse(
      await python(REQUESTS_FIRST, {
        url: container.url,
        app: UI_APP,
        secret: container.secrets[UI_APP] ?? '',
      }),
    ) as Record<string, string>;
    const { verifier } = await container.allow(
      await container.browser('clinician'),
      first['oauth_token'] ?? '',
    );
    const given = {
      url: container.url,
      app: UI_APP,
      secret: container.secrets[UI_APP] ?? '',
      verifier,
      ...first,
    };
    const last = JSON.parse(await python(REQUESTS_SECOND, given)) as Record<string, unknown>;
    expect(last).toMatchObject({ record_id: '1000002', user_id: 'clinician', read: 200, other: 403 });
  });

  it.skipIf(!hasPython)(
    'a client as of 2014, which signs the body, sends a realm and Content-Length: 0',
    async () => {
      const given = {
        url: container.url.replace('localhost', 'LocalHost'),
        app: UI_APP,
        secret: container.secrets[UI_APP] ?? '',
      };
      const first = JSON.parse(await python(OLD_CLIENT, { ...given, step: 'request' })) as Record<
        string,
        string
      >;
      expect(first['manifest']).toBe('200');
      const { verifier } = await container.allow(
        await container.browser('clinician'),
        first['oauth_token'] ?? '',
      );
      const last = JSON.parse(
        await python(OLD_CLIENT, { ...given, ...first, step: 'access', verifier }),
      ) as Record<string, string>;
      expect(last).toMatchObject({
        record_id: '1000001',
        user_id: 'clinician',
        read: '200',
        type: 'application/rdf+xml',
      });
    },
  );
});

async function python(program: string, given: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify(given)]);
  return stdout;
}

const REQUESTS_FIRST = `
import json, sys
from requests_oauthlib import OAuth1Session
g = json.loads(sys.argv[1])
s = OAuth1Session(g['app'], client_secret=g['secret'], callback_uri='oob')
print(json.dumps(s.fetch_request_token(g['url'] + '/oauth/request_token', data={'smart_record_id': '1000002'})))
`;

const REQUESTS_SECOND = `
import json, sys
from requests_oauthlib import OAuth1Session
g = json.loads(sys.argv[1])
s = OAuth1Session(g['app'], client_secret=g['secret'], resource_owner_key=g['oauth_token'],
                  resource_owner_secret=g['oauth_token_secret'], verifier=g['verifier'])
a = s.fetch_access_token(g['url'] + '/oauth/access_token')
s = OAuth1Session(g['app'], client_secret=g['secret'], resource_owner_key=a['oauth_token'],
                  resource_owner_secret=a['oauth_token_secret'])
a['read'] = s.get(g['url'] + '/records/1000002/medications/', params={'limit': '2'}).status_code
a['other'] = s.get(g['url'] + '/records/1000001/medications/').status_code
print(json.dumps(a))
`;

// What a client of that time was recorded to send: form parameters beside the header, a short decimal nonce, the
// realm and the host as the user typed them, oauth_body_hash on everything that is no form, Content-Length: 0 on GET.
const OLD_CLIENT = `
import base64, hashlib, hmac, http.client, json, random, sys, time
from urllib.parse import quote, urlsplit, parse_qsl
g = json.loads(sys.argv[1])
e = lambda t: quote(str(t), safe='~')
def call(method, path, form=None, token=None, secret='', more={}):
    p = {'oauth_consumer_key': g['app'], 'oauth_nonce': str(random.randrange(100000000)), 'oauth_version': '1.0',
         'oauth_timestamp': str(int(time.time())), 'oauth_signature_method': 'HMAC-SHA1'}
    p.update(more)
    if token: p['oauth_token'] = token
    if form is None: p['oauth_body_hash'] = base64.b64encode(hashlib.sha1(b'').digest()).decode()
    signed = sorted((e(k), e(v)) for k, v in list(p.items()) + list((form or {}).items()))
    base = '&'.join([method, e(g['url'] + path), e('&'.join('%s=%s' % kv for kv in signed))])
    key = e(g['secret']) + '&' + e(secret)
    p['oauth_signature'] = base64.b64encode(hmac.new(key.encode(), base.encode(), hashlib.sha1).digest()).decode()
    head = 'OAuth realm="%s"' % g['url'] + ''.join(', %s="%s"' % (k, e(v)) for k, v in p.items())
    body = '&'.join('%s=%s' % (e(k), e(v)) for k, v in (form or {}).items())
    headers = {'Authorization': head, 'Content-Length': str(len(body)), 'Accept-Encoding': 'gzip, deflate'}
    if form is not None: headers['Content-Type'] = 'application/x-www-form-urlencoded'
    c = http.client.HTTPConnection(urlsplit(g['url']).netloc.lower())
    c.request(method, path, body, headers)
    r = c.getresponse()
    return r, r.read()
if g['step'] == 'request':
    m, _ = call('GET', '/manifest')
    r, b = call('POST', '/oauth/request_token', {'smart_record_id': '1000001', 'oauth_callback': 'oob'})
    print(json.dumps(dict(parse_qsl(b.decode()), manifest=str(m.status))))
else:
    r, b = call('POST', '/oauth/access_token', {}, g['oauth_token'], g['oauth_token_secret'], {'oauth_verifier': g['verifier']})
    a = dict(parse_qsl(b.decode()))
    r, b = call('GET', '/records/1000001/medications/', None, a['oauth_token'], a['oauth_token_secret'])
    print(json.dumps(dict(a, read=str(r.status), type=r.getheader('Content-Type'))))
`;
