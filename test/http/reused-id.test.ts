import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { dcterms, rdf, sp } from '../../src/rdf/vocabulary.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import type { NamedGraph } from '../../src/store/graph-store.js';
import { run } from '../cli/run.js';
import { startFlowContainer, UI_APP, type FlowContainer } from './oauth/flow-container.js';
import type { Credentials } from './container.js';

const RECORD = '1000005';
const HOME = `/records/${RECORD}`;
const PROBLEMS = `${HOME}/problems/`;

let container: FlowContainer;
let store: PrimaryStore;
let token: Credentials;
/** A time at which another person had the record, one at which nobody had it, and one of the record that is there now. */
let times: { old: string; none: string; now: string };
/** The last change of the old record, and of its removal. */
let revisions: { old: number; gone: number };
let oldProblem: string;
/** What was posted to the old record under a key. */
let postedBefore: string;
/** The entity tag of what an app kept with the old record. */
let tagBefore: string;

async function passed(): Promise<string> {
  const now = Date.now();
  while (Date.now() <= now) await turn();
  return new Date(now).toISOString();
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  container.request(path, { as: token, headers });

const SCRATCHPAD = `${HOME}/apps/${UI_APP}/scratchpad`;

const keep = (text: string, headers: Record<string, string> = {}): Promise<Response> =>
  container.request(SCRATCHPAD, { method: 'PUT', as: token, headers, body: text });

const NOTE = `@prefix sp: <${sp.ClinicalNote.replace('ClinicalNote', '')}> . @prefix dcterms: <${dcterms.title.replace('title', '')}> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
  [] a sp:ClinicalNote ; dcterms:title "Visit" ; dcterms:date "2024-05-06" ;
  sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Slept well." ] ] ;
  dcterms:format <http://purl.org/NET/mediatypes/text/plain> .
  <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;

const post = (key: string): Promise<Response> =>
  container.request(`${HOME}/clinical_notes/`, {
    method: 'POST',
    as: token,
    headers: { 'Content-Type': 'text/turtle', 'Idempotency-Key': `"${key}"` },
    body: NOTE,
  });

beforeAll(async () => {
  container = await startFlowContainer();
  store = openPrimaryStore(container.directory, container.url);
  const graphs = [`${container.url}${HOME}`, ...store.names(`${container.url}${HOME}/demographics`)].map(
    (name): NamedGraph => ({ name, quads: store.graph(name) ?? [] }),
  );
  oldProblem = store.names(container.url + PROBLEMS)[0] ?? '';
  token = await container.token(RECORD);
  expect((await get(PROBLEMS)).status).toBe(200);
  postedBefore = (await post('of both')).headers.get('Location') ?? '';
  expect((await post('of both')).headers.get('Location')).toBe(postedBefore);
  tagBefore = (await keep('of the one before')).headers.get('ETag') ?? '';
  expect(await (await get(SCRATCHPAD)).text()).toBe('of the one before');
  const old = store.revision('');
  const oldTime = await passed();
  const shared = container.store === undefined ? [] : ['--store', container.store];
  const { code } = await run(['record', 'remove', RECORD, '--data', container.data, ...shared], {});
  expect(code).toBe(0);
  await container.directory.current?.();
  const gone = store.revision('');
  const none = await passed();
  // The id is given to somebody else.
  await store.write({ replace: graphs });
  const iri = `${container.url}${PROBLEMS}new`;
  const type = quad(namedNode(iri), namedNode(rdf.type), namedNode(sp.Problem));
  const title = quad(namedNode(iri), namedNode(dcterms.title), literal('Of the other person'));
  await store.write({ replace: [{ name: iri, quads: [type, title] }] });
  await container.directory.transact((tx) =>
    container.accounts.putUser(tx, { id: 'person', role: 'person', records: [RECORD] }),
  );
  token = await container.token(RECORD);
  times = { old: oldTime, none, now: await passed() };
  revisions = { old, gone };
});
afterAll(() => container.stop());

describe('a record that has the id of one that was removed', () => {
  it('has no earlier states but its own', async () => {
    for (const [time, status] of [
      [times.old, 404],
      [times.none, 404],
      [times.now, 200],
    ] as const) {
      expect([time, (await get(`${PROBLEMS}?at=${time}`)).status]).toEqual([time, status]);
      expect([time, (await get(`${HOME}/demographics?at=${time}`)).status]).toEqual([time, status]);
    }
    const problem = oldProblem.slice(container.url.length);
    expect((await get(`${problem}?at=${times.old}`)).status).toBe(404);
  });

  it('has a first state, which who negotiates for an earlier time is given', async () => {
    const headers = { 'Accept-Datetime': new Date(Date.parse(times.old) - 2000).toUTCString() };
    const negotiated = await get(`${HOME}/demographics`, headers);
    expect(negotiated.status).toBe(200);
    expect(Date.parse(negotiated.headers.get('Memento-Datetime') ?? '')).toBeGreaterThan(
      Date.parse(times.none) - 1000,
    );
    const list = await get(PROBLEMS, headers);
    expect(await list.text()).not.toContain(oldProblem);
    const map = await (await get(`${PROBLEMS}?timemap`)).text();
    const mementos = [...map.matchAll(/at=([^>]*)>; rel="[^"]*memento"/g)].map(([, time = '']) =>
      Date.parse(decodeURIComponent(time)),
    );
    expect(mementos.length).toBeGreaterThan(0);
    expect(Math.min(...mementos)).toBeGreaterThan(Date.parse(times.none));
  });

  it('tells no changes of the one before', async () => {
    const json = { Accept: 'application/json' };
    const all = await get(`${HOME}/changes`, json);
    const text = await all.text();
    expect(all.status).toBe(200);
    expect(text).toContain('/problems/new');
    expect(text).not.toContain(oldProblem);
    // Who knew the one before has to read the record anew.
    for (const accept of ['application/json', 'text/event-stream']) {
      const asked = await get(`${HOME}/changes?since=${revisions.old - 1}`, { Accept: accept });
      expect([accept, asked.status]).toEqual([accept, 404]);
      expect(await asked.json()).toMatchObject({
        type: expect.stringMatching(/#no-history$/),
        since: revisions.gone + 1,
      });
    }
    const since = await get(`${HOME}/changes?since=${revisions.gone}`, json);
    expect([since.status, await since.text()]).toEqual([200, text]);
  });

  it('takes what was posted to the one before under the same key', async () => {
    const posted = await post('of both');
    const location = posted.headers.get('Location') ?? '';
    expect(posted.status).toBe(200);
    expect(location).not.toBe(postedBefore);
    expect((await get(location.slice(container.url.length))).status).toBe(200);
    expect((await post('of both')).headers.get('Location')).toBe(location);
  });

  it('has nothing of what apps kept with the one before, and takes no tag of it', async () => {
    const kept = await get(SCRATCHPAD);
    expect([kept.status, await kept.text()]).toEqual([200, '']);
    expect(tagBefore).toMatch(/^".+"$/);
    expect((await keep('of this one', { 'If-Match': tagBefore })).status).toBe(412);
    expect((await keep('of this one')).status).toBe(200);
    expect(await (await get(SCRATCHPAD)).text()).toBe('of this one');
  });

  it('does not show its person who looked at the one before', async () => {
    const browser = await container.browser('person');
    expect((await get(PROBLEMS)).status).toBe(200);
    const { status, html } = await browser.open(`/account/accesses/${RECORD}`);
    expect(status).toBe(200);
    expect(html.match(/Saw: /g)?.length).toBeGreaterThanOrEqual(1);
    expect(html).not.toContain('Removed the record');
    const first = Math.min(
      ...[...html.matchAll(/datetime="([^"]+)"/g)].map(([, time = '']) => Date.parse(time)),
    );
    expect(first).toBeGreaterThan(Date.parse(times.none) - 1000);
  });
});
