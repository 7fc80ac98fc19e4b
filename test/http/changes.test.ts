import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import { entriesOf } from '../access/log/opened-log.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad, type Quad } from '../../src/rdf/terms.js';
import { dcterms, prefixes } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type Credentials, type TestContainer } from './container.js';

const header = Object.entries(prefixes).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`);
const NOTE = `${header.join('')}[] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ;
  sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Slept well." ] ] ;
  dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

let container: TestContainer;
beforeAll(async () => {
  container = await startTestContainer();
});
afterAll(() => container.stop());

async function withDirectory(work: (directory: DataDirectory) => Promise<unknown>): Promise<void> {
  const directory = await openDataDirectory(container.data, { store: container.store });
  try {
    await work(directory);
  } finally {
    await directory.close();
  }
}

const withStore = (work: (store: PrimaryStore) => Promise<unknown>): Promise<void> =>
  withDirectory((directory) => work(openPrimaryStore(directory, container.url, { command: 'test' })));

const notes = (iri: string): Quad[] => [quad(namedNode(iri), namedNode(dcterms.title), literal('Later'))];

const get = (path: string, headers: Record<string, string>, as: Credentials): Promise<Response> =>
  container.request(path, { as, headers });

describe('the changes of a record', () => {
  interface Told {
    readonly revision: number;
    readonly next?: string;
    readonly changes: readonly {
      readonly revision: number;
      readonly time: string;
      readonly app?: string;
      readonly user?: string;
      readonly command?: string;
      readonly added: readonly string[];
      readonly replaced: readonly string[];
      readonly removed: readonly string[];
    }[];
  }
  const CHANGES = '/records/1000003/changes';
  const NOTES = '/records/1000003/clinical_notes/';
  const json = { Accept: 'application/json' };
  let own: Credentials;
  let other: Credentials;
  let start: number;
  let note: string;

  beforeAll(async () => {
    own = await container.token('1000003');
    other = await container.token('1000001');
    const told = (await (await get(CHANGES, json, own)).json()) as Told;
    start = told.revision;
    const posted = await container.request(NOTES, {
      method: 'POST',
      as: own,
      headers: { 'Content-Type': 'text/turtle' },
      body: NOTE,
    });
    expect(posted.status).toBe(200);
    note = posted.headers.get('Location') ?? '';
    await withStore(async (store) => {
      const quads = store.graph(note) ?? [];
      await store.write({ replace: [{ name: note, quads: quads.slice(1) }] });
      await store.write({ remove: [note] });
    });
  });

  const since = async (revision: number, more = ''): Promise<Told> =>
    (await (await get(`${CHANGES}?since=${revision}${more}`, json, own)).json()) as Told;

  it('say what was added, replaced and removed, when, and by whom', async () => {
    const { changes, revision, next } = await since(start);
    const [added, replaced, removed] = changes;
    expect(changes).toHaveLength(3);
    expect([added?.added, replaced?.replaced, removed?.removed]).toEqual([[note], [note], [note]]);
    expect(added).toMatchObject({
      app: `${container.url}/apps/demo-ui@apps.example.org/manifest`,
      user: `${container.url}/users/clinician`,
    });
    expect([replaced?.command, removed?.command]).toEqual(['test', 'test']);
    expect([revision, next]).toEqual([removed?.revision, undefined]);
    expect(changes.map(({ time }) => time)).toEqual(changes.map(({ time }) => time).sort());
    expect((await since(revision)).changes).toEqual([]);
  });

  it('come in pages that lead from one to the next', async () => {
    const first = await get(`${CHANGES}?since=${start}&limit=2`, json, own);
    const page = (await first.json()) as Told;
    expect(page.changes).toHaveLength(2);
    expect(first.headers.get('Link')).toBe(`<${page.next}>; rel="next"`);
    const rest = (await (await get((page.next ?? '').slice(container.url.length), json, own)).json()) as Told;
    expect([rest.changes.length, rest.next]).toEqual([1, undefined]);
  });

  it('are activities of PROV-O in every format of graphs', async () => {
    const response = await get(`${CHANGES}?since=${start}&_format=ntriples`, {}, own);
    const text = await response.text();
    const count = (term: string): number => text.split(`<http://www.w3.org/ns/prov#${term}>`).length - 1;
    expect(['Activity', 'generated', 'invalidated', 'specializationOf', 'wasRevisionOf'].map(count)).toEqual([
      3, 2, 2, 4, 1,
    ]);
    expect((await get(`${CHANGES}?since=${start}`, { Accept: 'application/ld+json' }, own)).status).toBe(200);
    expect((await get(`${CHANGES}?since=${start}`, {}, own)).headers.get('Content-Type')).toBe(
      'application/rdf+xml',
    );
  });

  it('answer conditions: nothing is sent again while nothing has changed', async () => {
    const first = await get(`${CHANGES}?since=${start}`, json, own);
    const again = await get(
      `${CHANGES}?since=${start}`,
      { ...json, 'If-None-Match': first.headers.get('ETag') ?? '' },
      own,
    );
    expect([first.status, again.status]).toEqual([200, 304]);
  });

  it.each([
    ['another record', 403, ''],
    ['a parameter that is none', 400, '?from=1'],
    ['a revision that is none', 400, '?since=x'],
    ['a form that is none', 400, '?_format=pdf'],
    ['a revision that the container has not come to', 404, '?since=99999999'],
  ])('are refused for %s', async (_, status, query) => {
    expect((await get(CHANGES + query, {}, status === 403 ? other : own)).status).toBe(status);
  });

  it('are in the access log, what is refused of them included', async () => {
    const log = await openAccessLog(container.data);
    try {
      const entries = await entriesOf(log, { record: '1000003', newestFirst: true });
      const own = entries.filter(({ resource }) => resource === CHANGES);
      expect(new Set(own.map(({ status }) => status))).toEqual(new Set([200, 304, 403, 400, 404]));
    } finally {
      await log.close();
    }
  });

  it('are not told after one that was lost when a backup was restored', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'chartgraph-changes-')), 'backup');
    const write = (): Promise<void> =>
      withStore(
        async (store) => void (await store.write({ replace: [{ name: `${note}x`, quads: notes(note) }] })),
      );
    const now = async (): Promise<number> => (await since(start)).revision;
    await withDirectory((directory) => writeBackup(directory, file));
    const kept = await now();
    await write();
    const lost = await now();
    expect(lost).toBeGreaterThan(kept);
    await withDirectory((directory) => restoreBackup(directory, file));
    const refused = await get(`${CHANGES}?since=${lost}`, json, own);
    const problem = (await refused.json()) as { detail: string; since: number };
    expect(refused.status).toBe(404);
    expect(problem.detail).toMatch(
      new RegExp(`^Revision ${lost} was lost when a backup was restored; read the record anew`, 'u'),
    );
    expect(problem.since).toBeGreaterThan(lost);
    const stream = await get(CHANGES, { Accept: 'text/event-stream', 'Last-Event-ID': String(lost) }, own);
    expect(stream.status).toBe(404);
    // What the backup has is told as before, and so is what comes.
    expect((await since(kept)).changes).toEqual([]);
    await write();
    expect((await since(problem.since)).changes).toHaveLength(1);
    expect((await since(kept)).changes).toHaveLength(1);
    expect((await get(`${CHANGES}?since=${lost}`, json, own)).status).toBe(404);
  });
});
