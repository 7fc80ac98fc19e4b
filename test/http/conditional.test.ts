import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { EmbeddedStore } from '../../src/store/embedded-store.js';
import { seededCopy } from '../setup/seeded-copy.js';
import { writeRecord } from './chart.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

let container: TestContainer;
let token: Credentials;
/** Keeps no answers, so that every 200 needs a query. */
let forgetful: TestContainer;

beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token('1000001');
  forgetful = await startTestContainer({ cacheBytes: 0 });
});
afterAll(async () => {
  await container.stop();
  await forgetful.stop();
});
afterEach(() => vi.restoreAllMocks());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  container.request(path, { as: token, headers, method });

const tagOf = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await get(path, headers)).headers.get('ETag') ?? '';

const paths = [
  ['/records/1000001/medications/', 'private, no-cache'],
  ['/records/1000001/problems/?limit=1', 'private, no-cache'],
  ['/records/1000001/demographics', 'private, no-cache'],
  ['/records/1000001/documents/', 'private, no-cache'],
  ['/records/search?family_name=l', 'private, no-cache'],
  ['/users/search', 'private, no-cache'],
  ['/users/clinician', 'private, no-cache'],
  ['/ontology', 'public, max-age=300'],
  ['/manifest', 'public, max-age=300'],
  ['/apps/manifests/', 'public, max-age=300'],
  ['/apps/demo-ui@apps.example.org/manifest', 'public, max-age=300'],
] as const;

describe('an answer', () => {
  it.each(paths)(
    'to GET %s has a strong tag that a second one has too, and Cache-Control: %s',
    async (path, cache) => {
      const first = await get(path);
      expect(first.headers.get('ETag')).toMatch(/^"[\w-]{20,}"$/);
      expect(first.headers.get('Cache-Control')).toBe(cache);
      expect(await tagOf(path)).toBe(first.headers.get('ETag'));
    },
  );

  it.each(paths)('to HEAD %s has the headers of GET', async (path) => {
    const names = ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control', 'Vary', 'Link'];
    const [whole, head] = [await get(path), await get(path, {}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(names.map((name) => head.headers.get(name))).toEqual(names.map((name) => whole.headers.get(name)));
  });

  it.each(paths)('to GET %s with its tag is 304, and no query runs for it', async (path, cache) => {
    const as = await forgetful.token('1000001');
    const first = await forgetful.request(path, { as });
    const tag = first.headers.get('ETag') ?? '';
    const queries = [
      vi.spyOn(EmbeddedStore.prototype, 'construct'),
      vi.spyOn(EmbeddedStore.prototype, 'select'),
      vi.spyOn(EmbeddedStore.prototype, 'ask'),
      vi.spyOn(EmbeddedStore.prototype, 'stored'),
    ];
    const answer = await forgetful.request(path, { as, headers: { 'If-None-Match': tag } });
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe('');
    expect([answer.headers.get('ETag'), answer.headers.get('Cache-Control')]).toEqual([tag, cache]);
    const past = path.startsWith('/records/1') ? 'Accept-Datetime, ' : '';
    expect(answer.headers.get('Vary')).toBe(`Accept, Accept-Encoding, ${past}Origin`);
    for (const query of queries) expect(query).not.toHaveBeenCalled();
    await forgetful.request(path, { as });
    expect(queries.some((query) => query.mock.calls.length > 0)).toBe(true);
  });
});

test('another version of the program, which may write other bytes, has other tags', async () => {
  const tags = [];
  const data = await seededCopy();
  let port = 0;
  for (const version of ['1.0.0', '1.0.0', '1.0.1']) {
    const same = await startTestContainer({ data, version, port });
    port = Number(new URL(same.url).port);
    tags.push((await same.request('/ontology')).headers.get('ETag'));
    await same.stop();
  }
  expect(tags[1]).toBe(tags[0]);
  expect(tags[2]).not.toBe(tags[0]);
});

describe('conditions on a GET', () => {
  const path = '/records/1000001/medications/';

  it.each([
    // If-None-Match, with the tag as T
    ['T', 304],
    ['W/T', 304],
    ['"a", T', 304],
    ['"a",W/"b" , W/T,"c"', 304],
    ['*', 304],
    ['"a"', 200],
    ['"a", W/"b"', 200],
    ['', 200],
  ])('If-None-Match: %s is %d', async (field, status) => {
    const tag = await tagOf(path);
    expect((await get(path, { 'If-None-Match': field.replace('T', tag) })).status).toBe(status);
  });

  it.each([
    ['T', 200],
    ['"a", T', 200],
    ['*', 200],
    ['W/T', 412],
    ['"a"', 412],
  ])('If-Match: %s is %d', async (field, status) => {
    const tag = await tagOf(path);
    expect((await get(path, { 'If-Match': field.replace('T', tag) })).status).toBe(status);
  });

  it.each(['If-None-Match', 'If-Match'])('what is not there is 404 whatever %s says', async (name) => {
    for (const field of ['*', '"a"']) {
      expect((await get('/records/1000001/medications/none', { [name]: field })).status).toBe(404);
    }
  });

  it('tags differ between serialisations, pages and filters', async () => {
    const tags = [
      await tagOf(path),
      await tagOf(path, { Accept: 'text/turtle' }),
      await tagOf(path, { Accept: 'application/ld+json' }),
      await tagOf(`${path}?limit=1`),
      await tagOf(`${path}?limit=1&offset=1`),
      await tagOf(`${path}?date_from=2010`),
      await tagOf('/records/1000001/problems/'),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('a tag changes with what the list holds or links to, and with nothing else', async () => {
    const chart = (start: string, filled: string): Record<string, string> => ({
      'medications/m': `<> a sp:Medication ; sp:startDate "${start}" ; sp:fulfillment <../fulfillments/f> .`,
      'fulfillments/f': `<> a sp:Fulfillment ; dcterms:date "${filled}" .`,
    });
    const own = await container.token('tags');
    const tag = async (list: string): Promise<string> =>
      (await container.request(`/records/tags/${list}/`, { as: own })).headers.get('ETag') ?? '';
    await writeRecord(container, 'tags', chart('2010', '2011'));
    const before = [await tag('medications'), await tag('problems')];
    await writeRecord(container, 'elsewhere', chart('2010', '2011'));
    expect([await tag('medications'), await tag('problems')]).toEqual(before);
    await writeRecord(container, 'tags', chart('2010', '2012'));
    expect(await tag('medications')).not.toBe(before[0]);
  });
});
