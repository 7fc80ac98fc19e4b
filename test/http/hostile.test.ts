import { request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { sharedContainer, type Credentials, type TestContainer } from './container.js';

let container: TestContainer;
let token: Credentials;

beforeAll(async () => {
  container = await sharedContainer();
  token = await container.token('1000001');
});
afterAll(() => container.stop());

/** Sends a target as it stands: fetch would clean it first. */
function raw(target: string, signed = true): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(container.url);
  const headers = signed
    ? { Authorization: signRequest({ method: 'GET', url: container.url + target, ...token }) }
    : {};
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, path: target, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

const paths = [
  '/records/1000001/medications/..',
  '/records/1000001/medications/.',
  '/records/../1000002/medications/',
  '/records/1000001/../1000002/medications/',
  '/records/1000001/medications/%2e%2e',
  '/records/1000001%2F..%2F1000002/medications/',
  '/records/1000001/medications/..%2F..%2F1000002%2Fmedications',
  '/records/1000001/medications/%00',
  '/records/1000001/medications/%zz',
  '/records/1000001/medications/%C3',
  '/records/1000001/medications/%22',
  '/records/1000001/medications/%3E',
  '/records/1000001/medications/x%3E%20%7D%20%3Fs%20%3Fp%20%3Fo%20%23',
  '/records/1000001/medications/%3Cx%3E',
  '/records/1000001/medications/a%20b',
  '/records/1000001/medications/%EF%BF%BF',
  `/records/1000001/medications/${'a'.repeat(5000)}`,
  '/users/%22%20.%20%3Fs%20%3Fp%20%3Fo',
  '/users/%2e%2e',
  '/apps/%22/manifest',
  '/apps/..%2F..%2Frecords/manifest',
];

const queries = [
  'x=1',
  'limit=%00',
  'date_from=%22%20%7D%20%3Fs%20%3Fp%20%3Fo',
  'rxnorm=%3E%20%7D%20UNION%20%7B%20%3Fs%20%3Fp%20%3Fo',
  '%00=1',
  'rxnorm=a%22b',
];

describe('hostile paths and parameters', () => {
  it.each(paths)('%s is 400, 403 or 404', async (path) => {
    const { status, body } = await raw(path, path.startsWith('/records/1000001/'));
    expect([400, 401, 403, 404]).toContain(status);
    expect(body).not.toContain('1000002/');
  });

  it.each(queries)('?%s is 400', async (query) => {
    const { status } = await raw(`/records/1000001/medications/?${query}`);
    expect(status).toBe(400);
  });

  it.each(['*) } #', "'\\", '"', '%', '\\u0022', '?x', '$record', '^^<x>', '@en'])(
    'a search for %s finds nobody and changes no query',
    async (text) => {
      const response = await container.request(`/records/search?family_name=${encodeURIComponent(text)}`);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain('Demographics');
    },
  );

  it('a broken percent-encoding in a query is 400 on an open call, and no valid signature on a signed one', async () => {
    expect((await raw('/records/search?family_name=%zz', false)).status).toBe(400);
    const target = '/records/1000001/medications/';
    const { hostname, port } = new URL(container.url);
    const Authorization = signRequest({ method: 'GET', url: container.url + target, ...token });
    const status = await new Promise((resolve) => {
      send({ hostname, port, path: `${target}?date_from=%zz`, headers: { Authorization } }, (response) => {
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(401);
  });

  it('every refusal is a problem document', async () => {
    const response = await container.request('/records/1000001/medications/');
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(Object.keys((await response.json()) as object)).toEqual([
      'type',
      'title',
      'status',
      'detail',
      'call',
    ]);
  });
});
