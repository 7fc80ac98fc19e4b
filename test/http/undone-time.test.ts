import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { prefixes } from '../../src/rdf/vocabulary.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const NOTES = '/records/1000003/clinical_notes/';
const header = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`);
const note = (title: string): string => `${header.join('')}
  [] a sp:ClinicalNote ; dcterms:title "${title}" ; dcterms:date "2024-05-06" ;
    sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Slept well." ] ] ;
    dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

let container: TestContainer;
let own: Credentials;
/** Times in their order; a whole second that Accept-Datetime can name lies between `lost` and `restored`. */
const times = { kept: 0, lost: 0, negotiated: 0, undone: 0, restored: 0, later: 0 };

async function withDirectory(work: (directory: DataDirectory) => Promise<unknown>): Promise<void> {
  const directory = await openDataDirectory(container.data, { store: container.store });
  try {
    await work(directory);
  } finally {
    await directory.close();
  }
}

async function post(title: string): Promise<void> {
  const made = await container.request(NOTES, {
    method: 'POST',
    as: own,
    headers: { 'Content-Type': 'text/turtle' },
    body: note(title),
  });
  expect(made.status).toBe(200);
}

/** The time now, before and after which nothing is done for some milliseconds. */
async function moment(): Promise<number> {
  await wait(5);
  const now = Date.now();
  await wait(5);
  return now;
}

const iso = (time: number): string => new Date(time).toISOString();
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  container.request(path, { as: own, headers });
const titles = async (response: Response): Promise<string[]> => {
  expect(response.status).toBe(200);
  return [...(await response.text()).matchAll(/(?:kept|lost|new) \d/gu)].map(([title]) => title).sort();
};

beforeAll(async () => {
  container = await startTestContainer();
  own = await container.token('1000003');
  const file = join(await mkdtemp(join(tmpdir(), 'chartgraph-undone-')), 'backup');
  await post('kept 1');
  await post('kept 2');
  await withDirectory((directory) => writeBackup(directory, file));
  times.kept = await moment();
  for (const number of [1, 2, 3, 4, 5]) await post(`lost ${number}`);
  times.lost = await moment();
  times.negotiated = Math.ceil(times.lost / 1000) * 1000;
  await wait(times.negotiated + 1010 - Date.now());
  times.undone = await moment();
  // Asked for while it was true, so nothing that is kept of it may answer later.
  expect(await titles(await get(`${NOTES}?at=${iso(times.undone)}`))).toHaveLength(7);
  await withDirectory((directory) => restoreBackup(directory, file));
  times.restored = await moment();
  await post('new 1');
  times.later = await moment();
});
afterAll(() => container.stop());

describe('a time that a restore has undone', () => {
  it('is refused with a sentence, and from when on it can be asked again', async () => {
    for (const time of [times.lost, times.negotiated, times.undone]) {
      const refused = await get(`${NOTES}?at=${iso(time)}`);
      expect(refused.status).toBe(404);
      const problem = (await refused.json()) as { type: string; detail: string; since: string };
      expect(problem.type).toContain('#no-history');
      expect(problem.detail).toBe(
        `That time was undone when a backup was restored; ask for ${problem.since} or a later one.`,
      );
      expect(Date.parse(problem.since)).toBeGreaterThan(times.undone);
      expect(Date.parse(problem.since)).toBeLessThan(times.restored);
      expect(await titles(await get(`${NOTES}?at=${problem.since}`))).toEqual(['kept 1', 'kept 2']);
      const last = Date.parse(problem.since) - 1;
      expect((await get(`${NOTES}?at=${iso(last)}`)).status).toBe(404);
    }
  });

  it('is refused where it is negotiated, too', async () => {
    const refused = await get(NOTES, { 'Accept-Datetime': new Date(times.negotiated).toUTCString() });
    expect(refused.status).toBe(404);
    expect(((await refused.json()) as { detail: string }).detail).toMatch(/^That time was undone when/u);
    const early = await get(NOTES, { 'Accept-Datetime': new Date(0).toUTCString() });
    expect(early.status).toBe(200);
  });

  it('leaves those before and after it as they were', async () => {
    expect(await titles(await get(`${NOTES}?at=${iso(times.kept)}`))).toEqual(['kept 1', 'kept 2']);
    expect(await titles(await get(`${NOTES}?at=${iso(times.restored)}`))).toEqual(['kept 1', 'kept 2']);
    expect(await titles(await get(`${NOTES}?at=${iso(times.later)}`))).toEqual(['kept 1', 'kept 2', 'new 1']);
  });

  it('has no mementos in a TimeMap, whose own all answer', async () => {
    const map = await (await get(`${NOTES}?timemap`)).text();
    const urls = [...map.matchAll(/<([^>]*)>; rel="[^"]*memento"/gu)].map(([, url = '']) => url);
    expect(urls.length).toBeGreaterThanOrEqual(3);
    for (const url of urls) {
      const at = Date.parse(new URL(url).searchParams.get('at') ?? '');
      expect(at < times.kept || at > times.restored, url).toBe(true);
      const { status } = await get(url.slice(container.url.length));
      expect([url, status]).toEqual([url, 200]);
    }
  });
});
