import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

let container: TestContainer;
const credentials: Record<string, Credentials | undefined> = {};

beforeAll(async () => {
  container = await startTestContainer();
  const right = await container.token('1000001');
  credentials['right'] = right;
  credentials['other record'] = await container.token('1000002');
  credentials['app only'] = { consumerKey: right.consumerKey, consumerSecret: right.consumerSecret };
  credentials['wrong secret'] = { ...right, consumerSecret: 'not the secret' };
  credentials['unknown token'] = { ...right, token: 'no-such-token', tokenSecret: 'x' };
  credentials['unknown app'] = { ...right, consumerKey: 'nobody@apps.example.org' };
});
afterAll(() => container.stop());

const states = [
  'none',
  'wrong secret',
  'unknown app',
  'unknown token',
  'app only',
  'other record',
  'right',
] as const;

describe('who may make which call', () => {
  it.each([
    //                                          none  wrong unkn. unkn. app   other right
    //                                                secret app  token only  record
    ['/records/1000001/medications/', /*     */ [401, 401, 401, 401, 403, 403, 200]],
    ['/records/1000001/demographics', /*     */ [401, 401, 401, 401, 403, 403, 200]],
    ['/records/1000001/medications/none', /* */ [401, 401, 401, 401, 403, 403, 404]],
    ['/records/9999999/medications/', /*     */ [401, 401, 401, 401, 403, 403, 403]],
    ['/manifest', /*                         */ [200, 401, 401, 401, 200, 200, 200]],
    ['/ontology', /*                         */ [200, 401, 401, 401, 200, 200, 200]],
    ['/apps/manifests/', /*                  */ [200, 401, 401, 401, 200, 200, 200]],
    ['/apps/none/manifest', /*               */ [404, 401, 401, 401, 404, 404, 404]],
    ['/users/clinician', /*                  */ [200, 401, 401, 401, 200, 200, 200]],
    ['/users/search', /*                     */ [200, 401, 401, 401, 200, 200, 200]],
    ['/records/search?family_name=x', /*     */ [200, 401, 401, 401, 200, 200, 200]],
  ])('%s', async (path, expected) => {
    const actual = [];
    for (const state of states)
      actual.push((await container.request(path, { as: credentials[state] })).status);
    expect(actual).toEqual(expected);
  });

  it('closes the container calls with containerAccess signed', async () => {
    const closed = await startTestContainer({ containerAccess: 'signed' });
    try {
      const token = await closed.token('1000001');
      expect((await closed.request('/manifest')).status).toBe(401);
      expect((await closed.request('/manifest', { as: token })).status).toBe(200);
      expect((await closed.request('/health/live')).status).toBe(200);
    } finally {
      await closed.stop();
    }
  });

  it('shows people of a signed container only to those who may see them', async () => {
    const closed = await startTestContainer({ containerAccess: 'signed' });
    try {
      const clinician = await closed.token('1000001');
      const person = await closed.token('1000001', undefined, 'person');
      const app = { consumerKey: clinician.consumerKey, consumerSecret: clinician.consumerSecret };
      const found = async (path: string, as: Credentials): Promise<string[]> => {
        const response = await closed.request(path, { as, headers: { Accept: 'application/n-triples' } });
        expect(response.status).toBe(200);
        const lines = (await response.text()).matchAll(
          /^<([^>]+)> <[^>]+type> <[^>]+#(?:Demographics|User)>/gm,
        );
        return [...lines].map(([, iri = '']) => iri.slice(closed.url.length)).sort();
      };
      expect((await found('/records/search', clinician)).length).toBeGreaterThan(7);
      expect((await found('/users/search', clinician)).length).toBeGreaterThan(2);
      const own = await found('/records/search', person);
      expect(own.length).toBeGreaterThan(0);
      expect(own.length).toBeLessThan(8);
      expect(await found('/users/search', person)).toEqual(['/users/person']);
      expect(await found('/records/search', app)).toEqual([]);
      expect(await found('/users/search', app)).toEqual([]);
      const status = async (path: string, as: Credentials) => (await closed.request(path, { as })).status;
      expect(await status('/users/admin', clinician)).toBe(200);
      expect(await status('/users/person', person)).toBe(200);
      expect(await status('/users/admin', person)).toBe(404);
      expect(await status('/users/admin', app)).toBe(404);
      // What a clinician was shown is not cached for the others.
      expect(await found('/records/search', person)).toEqual(own);
    } finally {
      await closed.stop();
    }
  });

  it('answers every refused signature with one and the same body and challenge', async () => {
    const answers = new Set<string>();
    for (const state of ['wrong secret', 'unknown app', 'unknown token']) {
      const response = await container.request('/records/1000001/problems/', { as: credentials[state] });
      answers.add(`${response.headers.get('WWW-Authenticate')} ${await response.text()}`);
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^OAuth realm="http/);
  });

  it('answers 404 for a record that does not exist when the token covers it', async () => {
    const token = await container.token('7654321');
    const response = await container.request('/records/7654321/medications/', { as: token });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ title: 'There is no such thing', status: 404 });
  });

  it('refuses in the order: no such call, method, credentials, parameters', async () => {
    expect((await container.request('/nothing?x=1', { method: 'PUT' })).status).toBe(404);
    const wrongMethod = await container.request('/records/1000001/medications/?x=1', { method: 'DELETE' });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect((await container.request('/records/1000001/medications/?x=1')).status).toBe(401);
    const right = credentials['right'];
    expect((await container.request('/records/1000001/medications/?x=1', { as: right })).status).toBe(400);
  });
});
