import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import type { CallModel } from '../../src/model/ontology/model.js';
import { hasPast } from '../../src/model/ontology/call-facts.js';
import { loadOntology } from '../../src/model/ontology/directory.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const { ontology } = await loadOntology(resolve(import.meta.dirname, '..', '..', 'ontology'));
const RECORD = '1000001';
const pastCalls = ontology.calls.filter(hasPast);

let container: TestContainer;
let token: Credentials;
/** A time at which the record was as the seed has it, and one after it was emptied. */
let before: string;
let after: string;
/** What each call answered then, by its path. */
const answers = new Map<string, { readonly type: string | null; readonly body: string }>();
let paths: readonly string[];

/** A time that has passed, and that no later change can have. */
async function passed(): Promise<string> {
  const now = Date.now();
  while (Date.now() <= now) await turn();
  return new Date(now).toISOString();
}

async function withStore<T>(work: (store: PrimaryStore) => Promise<T>): Promise<T> {
  const directory = await openDataDirectory(container.data, { store: container.store });
  try {
    return await work(openPrimaryStore(directory, container.url, { command: 'test' }));
  } finally {
    await directory.close();
  }
}

const get = (path: string, headers: Record<string, string> = {}, as = token): Promise<Response> =>
  container.request(path, { as, headers });

const at = (path: string, time: string): string => `${path}${path.includes('?') ? '&' : '?'}at=${time}`;

/** The path of a call, of the first thing that there is of its class. */
function pathOf(call: CallModel, names: readonly string[]): string | undefined {
  const path = call.path.replace('{record_id}', RECORD);
  if (!path.includes('{')) return path;
  const pattern = new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  return names.find((name) => pattern.test(name));
}

beforeAll(async () => {
  container = await startTestContainer();
  token = await container.token(RECORD);
  const names = await withStore((store) =>
    Promise.resolve(store.names(`${container.url}/records/${RECORD}/`)),
  );
  const own = names.map((name) => name.slice(container.url.length));
  paths = pastCalls.flatMap((call) => pathOf(call, own) ?? []);
  for (const path of paths) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    answers.set(path, { type: response.headers.get('Content-Type'), body: await response.text() });
  }
  before = await passed();
  await withStore((store) => store.write({ remove: names }));
  after = await passed();
});
afterAll(() => container.stop());

describe('an earlier state of a record', () => {
  it('is what every call answered then, while the present is another one', async () => {
    expect(paths.length).toBeGreaterThan(25);
    let differ = 0;
    for (const path of paths) {
      const past = await get(at(path, before));
      const { type, body } = answers.get(path) ?? {};
      expect([path, past.status, past.headers.get('Content-Type')]).toEqual([path, 200, type]);
      expect([path, await past.text()]).toEqual([path, body]);
      const present = await get(path);
      if (present.status === 404 || (await present.text()) !== body) differ++;
    }
    expect(differ).toBeGreaterThan(20);
  });

  it('can be filtered, ordered and paged, and the next page is one of that time', async () => {
    const list = `/records/${RECORD}/lab_results/`;
    const page = await get(at(`${list}?limit=1`, before));
    expect(page.status).toBe(200);
    const next = /<([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
    expect(next).toContain(`at=${encodeURIComponent(before)}`);
    const second = await get(next.slice(container.url.length));
    expect(second.status).toBe(200);
    expect(await second.text()).not.toBe(await page.text());
  });

  it('says when it came to be, and where all of them are', async () => {
    const path = `/records/${RECORD}/problems/`;
    const response = await get(at(path, after));
    expect(response.headers.get('Vary')).toBe('Accept, Accept-Encoding, Accept-Datetime, Origin');
    const came = new Date(response.headers.get('Memento-Datetime') ?? '');
    expect(came.getTime()).toBeGreaterThan(Date.parse(before) - 1000);
    expect(came.getTime()).toBeLessThanOrEqual(Date.parse(after));
    const link = response.headers.get('Link') ?? '';
    expect(link).toContain(`<${container.url}${path}>; rel="original timegate"`);
    expect(link).toContain(
      `<${container.url}${path}?timemap>; rel="timemap"; type="application/link-format"`,
    );
  });

  it('is found from the list of all of them, each as it was', async () => {
    const path = `/records/${RECORD}/problems/`;
    const map = await get(`${path}?timemap`);
    expect([map.status, map.headers.get('Content-Type')]).toEqual([200, 'application/link-format']);
    const text = await map.text();
    const mementos = [...text.matchAll(/<([^>]*)>; rel="[^"]*memento"; datetime="([^"]*)"/g)];
    expect(mementos.length).toBeGreaterThanOrEqual(2);
    for (const [, url = '', datetime] of mementos) {
      const memento = await get(url.slice(container.url.length));
      expect([memento.status, memento.headers.get('Memento-Datetime')]).toEqual([200, datetime]);
    }
    const [, url = ''] = mementos.at(-2) ?? [];
    expect(await (await get(url.slice(container.url.length))).text()).toBe(answers.get(path)?.body);
  });

  it('has an entity tag that stays, and answers conditions', async () => {
    const path = at(`/records/${RECORD}/problems/`, before);
    const first = await get(path);
    const tag = first.headers.get('ETag') ?? '';
    await withStore((store) => store.write({ remove: [`${container.url}/records/${RECORD}/none`] }));
    const again = await get(path, { 'If-None-Match': tag });
    expect([again.status, again.headers.get('Memento-Datetime')]).toEqual([
      304,
      first.headers.get('Memento-Datetime'),
    ]);
    expect((await get(path, { 'If-Match': '"other"' })).status).toBe(412);
    expect((await container.request(path, { as: token, method: 'HEAD' })).status).toBe(200);
    expect((await get(`/records/${RECORD}/problems/`)).headers.get('ETag')).not.toBe(tag);
  });

  it('is negotiated by Accept-Datetime, and the first one is given for a time before it', async () => {
    const path = `/records/${RECORD}/problems/`;
    const seconds = new Date(Date.parse(after) + 1000).toUTCString();
    const now = await get(path, { 'Accept-Datetime': seconds });
    expect(now.status).toBe(200);
    expect(now.headers.get('Content-Location')).toMatch(/\/problems\/\?at=\d{4}-/);
    const early = await get(path, { 'Accept-Datetime': 'Thu, 01 Jan 1998 00:00:00 GMT' });
    expect(early.status).toBe(200);
    const location = early.headers.get('Content-Location') ?? '';
    const same = await get(location.slice(container.url.length));
    expect(await same.text()).toBe(await early.text());
    expect(same.headers.get('Memento-Datetime')).toBe(early.headers.get('Memento-Datetime'));
  });

  it.each([
    ['a date alone', '?at=2026-03-01', 'invalid-parameter'],
    ['a time without a zone', '?at=2026-03-01T12:00:00', 'invalid-parameter'],
    ['no date of a calendar', '?at=2026-13-41T12:00:00Z', 'invalid-parameter'],
    ['30 February', '?at=2026-02-30T12:00:00Z', 'invalid-parameter'],
    ['two times', '?at=2026-03-01T12:00:00Z&at=2026-03-01T12:00:00Z', 'invalid-parameter'],
    ['a time before the history', '?at=1998-03-01T12:00:00Z', 'no-history'],
  ])('is refused for %s with a sentence', async (_, query, kind) => {
    const response = await get(`/records/${RECORD}/problems/${query}`);
    const problem = (await response.json()) as { type: string; detail: string; since?: string };
    expect(problem.type).toContain(`#${kind}`);
    expect(problem.detail).toMatch(/\.$/);
    if (kind !== 'no-history') return;
    expect(problem.detail).toContain(problem.since);
    expect((await get(at(`/records/${RECORD}/problems/`, problem.since ?? ''))).status).not.toBe(400);
  });

  it('is refused for an Accept-Datetime that is no date of HTTP', async () => {
    const response = await get(`/records/${RECORD}/problems/`, { 'Accept-Datetime': 'yesterday' });
    expect(response.status).toBe(400);
  });

  it('is nobody’s who may not read the record now', async () => {
    const path = at(`/records/${RECORD}/problems/`, before);
    const other = await container.token('1000002');
    expect((await get(path, {}, other)).status).toBe(403);
    expect((await container.request(path)).status).toBe(401);
    expect((await get(`/records/${RECORD}/problems/?timemap`, {}, other)).status).toBe(403);
  });

  it('is not to be had of what an app keeps for itself, nor of a call about no record', async () => {
    for (const path of [`/records/${RECORD}/apps/demo-ui@apps.example.org/scratchpad`, '/ontology']) {
      const response = await get(at(path, before));
      expect([path, response.status]).toEqual([path, 400]);
    }
  });
});

describe('a record that is not always there', () => {
  it('was not there before it came, and is no more to be read when it is removed', async () => {
    const name = `${container.url}/records/late`;
    const graph = await withStore((store) =>
      Promise.resolve(store.graph(`${container.url}/records/${RECORD}`) ?? []),
    );
    await withStore((store) => store.write({ replace: [{ name, quads: graph }] }));
    const late = await container.token('late');
    const there = await passed();
    const early = await get(at('/records/late/problems/', before), {}, late);
    expect([early.status, ((await early.json()) as { detail: string }).detail]).toEqual([
      404,
      'The record was not there at that time.',
    ]);
    expect((await get(at('/records/late/problems/', there), {}, late)).status).toBe(200);
    const first = await get(
      '/records/late/problems/',
      { 'Accept-Datetime': new Date(0).toUTCString() },
      late,
    );
    expect(first.status).toBe(200);
    await withStore((store) => store.write({ remove: [name] }));
    expect((await get(at('/records/late/problems/', there), {}, late)).status).toBe(404);
  });
});
