import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccessLog } from '../../src/access/log/access-log.js';
import type { RecordedEntry } from '../../src/access/log/access-entry.js';
import type { QueryVocabulary } from '../../src/analysts/query-vocabulary.js';
import type { ClassCounts, PropertyCounts } from '../../src/analysts/workbench/workbench-data.js';
import { heldBy, identifiersOf } from '../analysts/identifiers.js';
import { ontology, seedGraphs } from '../analysts/containers.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';
import { PlainBrowser } from './oauth/plain-browser.js';

const PASSWORD = 'a long walk by the river';
let server: AnalystServer;
let ann: PlainBrowser;

beforeAll(async () => {
  server = await startAnalystServer();
  await server.user('ann', 'analyst', PASSWORD);
  await server.user('carl', 'clinician', PASSWORD);
  // The level is filled when this is there.
  await server.token('ann');
  ann = await signedIn('ann');
});
afterAll(() => server.stop());

async function signedIn(user: string): Promise<PlainBrowser> {
  const browser = new PlainBrowser(server.url);
  await browser.signIn(user, PASSWORD);
  return browser;
}

const queries = async (): Promise<RecordedEntry[]> => {
  const log = await openAccessLog(server.data);
  try {
    const found: RecordedEntry[] = [];
    for await (const entry of log.read({})) if (entry.action === 'query') found.push(entry);
    return found;
  } finally {
    await log.close();
  }
};

describe('/workbench', () => {
  it('is in the menu of analysts, and of nobody else', async () => {
    const carl = await signedIn('carl');
    const menuOf = async (browser: PlainBrowser): Promise<string | undefined> =>
      /<nav aria-label="Account">.*?<\/nav>/su.exec((await browser.open('/account')).html)?.[0];
    expect(await menuOf(ann)).toContain('<a href="/workbench">Workbench</a>');
    expect(await menuOf(carl)).not.toContain('Workbench');
  });

  it('lets in one script of this address, and neither inline scripts nor other hosts', async () => {
    const [page, again] = [await ann.open('/workbench'), await ann.open('/workbench')];
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]));
    expect(rules.get('default-src')).toEqual(["'none'"]);
    expect(rules.get('script-src')).toEqual(["'self'"]);
    expect(rules.get('connect-src')).toEqual(["'self'"]);
    expect(rules.get('form-action')).toEqual(["'self'"]);
    expect(rules.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    const nonce = /data-nonce="([^"]+)"/u.exec(page.html)?.[1] ?? '';
    expect(rules.get('style-src')).toContain(`'nonce-${nonce}'`);
    expect(again.html).not.toContain(nonce);
    expect(page.html.match(/<script/gu)).toHaveLength(1);
    expect(page.html).not.toMatch(/\son\w+="|javascript:|https?:\/\//u);
  });

  it('has a program whose address changes with it, so that browsers keep it, and that is sent compressed', async () => {
    const { html } = await ann.open('/workbench');
    const path = /<script src="([^"]+)"/u.exec(html)?.[1] ?? '';
    expect(path).toMatch(/^\/workbench\/program-[0-9a-f]{16}\.js$/u);
    const response = await fetch(`${server.url}${path}`, { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('Content-Encoding')).toBe('br');
    await response.arrayBuffer();
    const tag = response.headers.get('ETag') ?? '';
    const held = await fetch(`${server.url}${path}`, {
      headers: { 'Accept-Encoding': 'br', 'If-None-Match': tag },
    });
    expect(held.status).toBe(304);
    expect((await fetch(`${server.url}/workbench/program-0000000000000000.js`)).status).toBe(404);
  });

  it('leads who is not signed in to the sign-in and back, and is for nobody but analysts', async () => {
    const nobody = await new PlainBrowser(server.url).open('/workbench?query=ASK%20%7B%7D');
    expect(nobody.status).toBe(302);
    expect(nobody.headers.get('Location')).toBe(
      '/login?return_url=%2Fworkbench%3Fquery%3DASK%2520%257B%257D',
    );
    expect((await (await signedIn('carl')).open('/workbench')).status).toBe(403);
  });

  it('runs no query for a form of somebody else', async () => {
    const page = await ann.open('/workbench');
    const before = (await queries()).length;
    expect((await ann.submit(page, { query: 'ASK {}', csrf: 'x' }, '/workbench')).status).toBe(403);
    const posted = await ann.open('/sparql', {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'cross-site' },
      body: new URLSearchParams({ query: 'ASK {}' }),
    });
    expect(posted.status).toBe(403);
    expect((await queries()).slice(before).map(({ outcome }) => outcome)).toEqual(['refused']);
  });

  it('answers its form with a table, and records the purpose with the text of the query', async () => {
    const page = await ann.open('/workbench');
    const query = 'SELECT DISTINCT ?gender { ?s foaf:gender ?gender } ORDER BY ?gender';
    const answered = await ann.submit(page, { query, purpose: 'a count of <genders>' }, '/workbench');
    expect(answered.status).toBe(200);
    expect(answered.html).toContain('<td>female</td>');
    expect(answered.html).toContain('value="a count of &lt;genders&gt;"');
    expect((await queries()).slice(-2)).toMatchObject([
      { outcome: 'begun', user: 'ann', level: 'deidentified', purpose: 'a count of <genders>', query },
      { outcome: 'done', rows: 2 },
    ]);
    const asked = await ann.submit(answered, { query: 'ASK { ?s a sp:Problem }' }, '/workbench');
    expect(asked.html).toContain('<pre tabindex="0">Yes</pre>');
    const graph = await ann.submit(answered, { query: 'DESCRIBE sp:Problem' }, '/workbench');
    expect(graph.html).toContain('sp:Problem');
    const refused = await ann.submit(answered, { query: 'SELECT {' }, '/workbench');
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('The query is not SPARQL 1.1');
    expect(refused.html).toContain('SELECT {</textarea');
    // Before anything reads it, in the process that serves records.
    const before = (await queries()).length;
    const long = await ann.submit(answered, { query: 'a.'.repeat(60_000) }, '/workbench');
    expect(long.status).toBe(400);
    expect(await queries()).toHaveLength(before);
  });

  it('opens with the query of an analysis, its values in it as terms', async () => {
    const page = await ann.open('/workbench?analysis=lab_trend&test=2345-7&unit=mg%2FdL');
    expect(page.html).toContain('&lt;http://purl.bioontology.org/ontology/LNC/2345-7&gt;');
    expect((await ann.open('/workbench?analysis=none')).status).toBe(404);
    const analysis = await ann.open('/analyses/lab_trend', { headers: { Accept: 'text/html' } });
    expect(analysis.html).toContain('href="/workbench?analysis=lab_trend"');
  });
});

describe('the schema panel', () => {
  const counts = async <T>(query = '', browser = ann): Promise<T> =>
    JSON.parse((await browser.open(`/workbench/counts${query}`)).html) as T;
  const classes = [...ontology.classes.values()];

  it('knows every class and property of the ontology, by names that need no declaration', async () => {
    const vocabulary = (await (
      await fetch(`${server.url}/workbench/vocabulary.json`)
    ).json()) as QueryVocabulary;
    expect(vocabulary.classes.map(({ iri }) => iri)).toEqual(classes.map(({ iri }) => iri));
    expect(vocabulary.properties).toHaveLength(ontology.properties.size);
    for (const { name, iri } of vocabulary.classes) {
      const [prefix = '', local] = name.split(':');
      expect(`${vocabulary.prefixes[prefix]}${local}`).toBe(iri);
    }
    expect(vocabulary.classes.find(({ name }) => name === 'sp:Immunization')?.properties).toContainEqual({
      name: 'sp:productName',
      min: 1,
      max: 1,
      classes: ['sp:CodedValue'],
      title: 'dcterms:title',
    });
  });

  it('counts what queries count, and counts anew when the data has changed', async () => {
    const problem = 'http://smartplatforms.org/terms#Problem';
    const before = await counts<ClassCounts>();
    const asked = (await queries()).length;
    expect(await counts<ClassCounts>()).toEqual(before);
    expect(await queries()).toHaveLength(asked);
    const names = server.primary
      .names(`${server.url}/records/`)
      .filter((name) => /\d\/problems\/[^/]+$/u.test(name));
    expect(before[problem]).toBe(names.length);
    await server.primary.write({ remove: names.slice(0, 1) });
    expect((await counts<ClassCounts>())[problem]).toBe(names.length - 1);
    const { present } = await counts<PropertyCounts>(`?class=${encodeURIComponent(problem)}`);
    expect(present['http://smartplatforms.org/terms#belongsTo']).toBe(names.length - 1);
  });

  it('shows no value that tells of a person', async () => {
    const identifiers = identifiersOf(await seedGraphs());
    const present = await counts<ClassCounts>();
    const shown: string[] = [];
    for (const iri of Object.keys(present)) {
      const { examples } = await counts<PropertyCounts>(`?class=${encodeURIComponent(iri)}`);
      shown.push(...Object.values(examples).flat());
    }
    expect(shown).toContain('mg/dL');
    expect(heldBy(shown.join('\n'), identifiers)).toEqual([]);
  });

  it('is for analysts, and takes no class that is not declared', async () => {
    expect((await fetch(`${server.url}/workbench/counts`)).status).toBe(401);
    expect((await (await signedIn('carl')).open('/workbench/counts')).status).toBe(403);
    const refused = await ann.open(`/workbench/counts?class=${encodeURIComponent('urn:x> } #')}`);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('class is the IRI of a class that the ontology declares.');
  });
});
