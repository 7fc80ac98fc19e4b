import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadAnalyses } from '../../src/model/analyses/read-analysis.js';
import { createAnalyst } from '../../src/client/client.js';
import { heldBy, identifiersOf } from '../analysts/identifiers.js';
import { base, ontology, seedGraphs } from '../analysts/containers.js';
import { folder, run } from '../cli/run.js';
import { PASSWORD } from './oauth/flow-container.js';
import { PlainBrowser } from './oauth/plain-browser.js';
import { startAnalystServer, type AnalystServer } from './analyst-server.js';

const analyses = await loadAnalyses(resolve(import.meta.dirname, '..', '..', 'queries'), ontology);
let server: AnalystServer;
let token: string;

beforeAll(async () => {
  server = await startAnalystServer();
  await server.user('ann', 'analyst');
  await server.user('carl', 'clinician');
  token = await server.token('ann');
});
afterAll(() => server.stop());

const get = (path: string, accept = '*/*', as: string | undefined = token): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    headers: { Accept: accept, ...(as !== undefined && { Authorization: `Bearer ${as}` }) },
  });

describe('/analyses/', () => {
  it('lists every analysis with its parameters, its columns and its address', async () => {
    const { analyses: list } = (await (await get('/analyses/')).json()) as {
      analyses: Record<string, unknown>[];
    };
    expect(list.map(({ name }) => name)).toEqual([...analyses.keys()]);
    expect(list.find(({ name }) => name === 'lab_trend')).toMatchObject({
      url: `${server.url}/analyses/lab_trend`,
      parameters: [{ name: 'test', type: 'code', default: '4548-4' }, { name: 'unit' }, { name: 'since' }],
      chart: { kind: 'line', across: 'year' },
    });
  });

  it('is a page for a browser, with a link to each', async () => {
    const response = await get('/analyses/', 'text/html');
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    const page = await response.text();
    for (const { name, title } of analyses.values()) {
      expect(page).toContain(`href="/analyses/${name}"`);
      expect(page).toContain(`<strong>${title}</strong>`);
    }
  });

  it('leads a browser in which nobody is signed in to the sign-in page, and back', async () => {
    const address = '/analyses/lab_trend?test=718-7';
    const asked = (headers: Record<string, string>) =>
      fetch(server.url + address, {
        headers: { Accept: 'text/html,*/*;q=0.8', ...headers },
        redirect: 'manual',
      });
    const response = await asked({});
    expect([response.status, response.headers.get('Location')]).toEqual([
      302,
      `/login?return_url=${encodeURIComponent(address)}`,
    ]);
    expect((await asked({ Authorization: 'Bearer x' })).status).toBe(401);
    expect((await asked({ Accept: 'text/csv' })).status).toBe(401);
  });

  it('refuses whoever is signed in as no analyst on a page with their menu', async () => {
    await server.user('cleo', 'clinician', PASSWORD);
    const browser = new PlainBrowser(server.url);
    await browser.signIn('cleo', PASSWORD);
    browser.headers.set('Accept', 'text/html,*/*;q=0.8');
    const page = await browser.open('/analyses/');
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([403, 'no-store']);
    expect(page.html).toContain('Sign out cleo');
  });

  it.each([
    ['nobody', undefined, 401],
    ['a token that is none', 'x', 401],
  ])('tells %s nothing', async (_, as, status) => {
    for (const path of ['/analyses/', '/analyses/duplicates', '/analyses/none'])
      expect(
        (
          await fetch(
            `${server.url}${path}`,
            as === undefined ? {} : { headers: { Authorization: `Bearer ${as}` } },
          )
        ).status,
      ).toBe(status);
  });
});

describe('a token for aggregates', () => {
  let aggregate: string;
  beforeAll(async () => {
    const issue = ['--analyst', 'ann', '--purpose', 'a test of deidentified', '--aggregate'];
    const { stdout } = await run(['token', 'issue', '--data', server.data, ...issue]);
    const issued = JSON.parse(stdout) as { access_token: string; level: string };
    expect(issued.level).toBe('aggregate');
    aggregate = issued.access_token;
  });

  it.each([
    '/sparql?query=ASK%7B%7D',
    '/sparql',
    '/sparql/queries',
    '/.well-known/void',
    '/workbench/counts',
  ])('may not ask %s', async (path) => {
    const response = await get(path, '*/*', aggregate);
    expect(response.status).toBe(403);
    expect(((await response.json()) as { detail: string }).detail).toContain('/analyses/ lists them');
  });

  it('may run the analyses that count patients, and sees no small group of any', async () => {
    const { analyses: list } = (await (await get('/analyses/', '*/*', aggregate)).json()) as {
      analyses: { name: string }[];
    };
    expect(list.map(({ name }) => name)).toEqual(
      [...analyses.values()].flatMap(({ name, aggregate: of }) => (of ? [name] : [])),
    );
    for (const { name } of list) {
      const response = await get(`/analyses/${name}`, 'application/json', aggregate);
      expect([name, response.status, response.headers.get('Chartgraph-Level')]).toEqual([
        name,
        200,
        'aggregate',
      ]);
      expect(response.headers.get('Warning')).toContain('fewer than 11 patients');
      const [patients = ''] = analyses.get(name)?.aggregate?.counts ?? [];
      const { results } = (await response.json()) as {
        results: { bindings: Record<string, { value: string }>[] };
      };
      for (const row of results.bindings) expect(Number(row[patients]?.value)).toBeGreaterThanOrEqual(11);
      expect(response.headers.get('Chartgraph-Rows')).toBe(String(results.bindings.length));
    }
  });

  it('has files without what tells of single patients', async () => {
    const withLeast = async (least: string): Promise<string> =>
      (await get(`/analyses/frequent_problems?least=${least}`, 'text/csv', aggregate)).text();
    expect(await withLeast('2')).toBe(await withLeast('8'));
    expect((await get('/analyses/frequent_problems?least=some', 'text/csv', aggregate)).status).toBe(400);
    const trend = await (await get('/analyses/lab_trend', 'text/csv', aggregate)).text();
    expect(trend.split('\n')[0]).toBe('year,mean,patients,results');
    expect((await get('/analyses/latest_lab_values', 'text/csv', aggregate)).status).toBe(403);
    expect((await get('/analyses/latest_lab_values', 'text/html', aggregate)).status).toBe(403);
    expect((await get('/analyses/frequent_problems', 'text/html', aggregate)).status).toBe(406);
    const parquet = await get('/analyses/frequent_problems?_format=parquet', '*/*', aggregate);
    expect((await parquet.text()).startsWith('PAR1')).toBe(true);
  });
});

describe('/analyses/{name}', () => {
  it.each([...analyses.values()].map(({ name, columns }) => [name, columns] as const))(
    '%s is answered as CSV, with its columns, and as a page',
    async (name, columns) => {
      const response = await get(`/analyses/${name}`, 'text/csv');
      expect(response.status).toBe(200);
      expect(response.headers.get('Chartgraph-Level')).toBe('deidentified');
      const [head] = (await response.text()).split('\n');
      expect(head).toBe(columns.join(','));
      const page = await get(`/analyses/${name}?_format=html`);
      expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('Level: de-identified, revision');
    },
  );

  it('shows what was written before', async () => {
    const values = async (): Promise<string[]> =>
      (await (await get('/analyses/encounters_by_type', 'text/csv')).text()).trim().split('\n').slice(1);
    const sum = (rows: readonly string[]): number =>
      rows.reduce((total, row) => total + Number(row.split(',').at(-2)), 0);
    const before = sum(await values());
    const name =
      server.primary.names(`${server.url}/records/`).find((each) => each.includes('/encounters/')) ?? '';
    await server.primary.write({ remove: [name] });
    expect(sum(await values())).toBe(before - 1);
  });

  it('takes parameters, and says in a sentence what is wrong with them', async () => {
    const rows = async (path: string): Promise<string> => (await get(path, 'text/csv')).text();
    expect(await rows('/analyses/encounters_by_month?since=2200')).toBe('month,encounters,patients\n');
    const refused = await get('/analyses/encounters_by_month?since=today');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      detail: 'since must be a date of ISO 8601, such as 2010 or 2010-06-15.',
    });
    const page = await get('/analyses/encounters_by_month?since=%3Cb%3E', 'text/html');
    expect(page.status).toBe(400);
    const text = await page.text();
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="&lt;b&gt;"');
    expect((await get('/analyses/none')).status).toBe(404);
    expect((await get('/analyses/duplicates?_format=pdf')).status).toBe(400);
  });

  it('is asked for by the command line: of the server on the data directory, or of one that is named', async () => {
    const here = await run(['analyses', 'run', 'record_contents', '--data', server.data]);
    expect(here).toMatchObject({ code: 0, stderr: '' });
    expect(here.stdout).toBe(await (await get('/analyses/record_contents', 'text/csv')).text());
    const file = join(folder(), 'token');
    await writeFile(file, JSON.stringify({ access_token: token }));
    const there = await run(['analyses', 'run', 'record_contents', '--server', server.url, '--token', file]);
    expect(there).toEqual(here);
    const identified = await run([
      'analyses',
      'run',
      'latest_lab_values',
      '--level',
      'identified',
      '--data',
      server.data,
    ]);
    expect(identified.stdout).toContain(`${server.url}/records/1000001`);
  });

  it('is a method of the client, with rows of numbers and texts', async () => {
    const analyst = createAnalyst({ baseUrl: server.url, bearerToken: token });
    const { columns, rows, isCut, status } = await analyst.encounters_by_month({ since: '2000' });
    expect({ columns, isCut, status }).toEqual({
      columns: ['month', 'encounters', 'patients'],
      isCut: false,
      status: 200,
    });
    const csv = await (await get('/analyses/encounters_by_month?since=2000', 'text/csv')).text();
    expect(rows.map((row) => columns.map((name) => row[name]).join(','))).toEqual(
      csv.trim().split('\n').slice(1),
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(
      rows.every(({ month, encounters }) => typeof month === 'string' && typeof encounters === 'number'),
    ).toBe(true);
    await expect(analyst.encounters_by_month({ since: 'today' })).rejects.toMatchObject({
      kind: 'refused',
      status: 400,
      message: expect.stringContaining('since must be a date') as string,
    });
    const stranger = createAnalyst({ baseUrl: server.url, bearerToken: 'cga_unknown' });
    await expect(stranger.duplicates()).rejects.toMatchObject({ status: 401 });
    for (const bearerToken of ['', 'a\nb'])
      expect(() => createAnalyst({ baseUrl: server.url, bearerToken })).toThrow(TypeError);
  });

  it('is described in OpenAPI with its parameters', async () => {
    const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    expect(paths['/analyses/lab_trend']).toMatchObject({
      get: {
        operationId: 'lab_trend',
        security: [{ bearer: [] }],
        parameters: [{ name: 'test' }, { name: 'unit' }, { name: 'since' }, { name: '_format' }],
      },
    });
  });

  it('is recorded as any other query before it is answered', async () => {
    const entries = async (): Promise<{ action: string; outcome: string; purpose: string }[]> => {
      const { stdout } = await run(['audit', '--user', 'ann', '--json', '--data', server.data]);
      return JSON.parse(stdout) as { action: string; outcome: string; purpose: string }[];
    };
    const before = (await entries()).length;
    await (await get('/analyses/duplicates', 'text/csv')).text();
    const after = await entries();
    expect(after.length).toBe(before + 2);
    for (const outcome of ['begun', 'done'])
      expect(
        after.filter((each) => each.action === 'query' && each.outcome === outcome).length,
      ).toBeGreaterThan(0);
    // What is refused before it is asked has no purpose.
    const asked = after.filter(({ outcome }) => outcome !== 'refused');
    expect(asked.every(({ purpose }) => purpose === 'a test of deidentified')).toBe(true);
    expect(server.log()).not.toContain('SELECT');
  });
});

describe('what the de-identified level gives', () => {
  it('holds no direct identifier of anybody: answers in every format, pages, errors, dumps, the log', async () => {
    const parts = identifiersOf(await seedGraphs()).filter((part) => part !== new URL(base).hostname);
    expect(parts.length).toBeGreaterThan(300);
    const given: string[] = [];
    for (const name of analyses.keys())
      for (const format of ['csv', 'tsv', 'json', 'xml', 'html'])
        given.push(await (await get(`/analyses/${name}?_format=${format}`)).text());
    const dump = 'SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';
    for (const accept of ['text/csv', 'application/sparql-results+json'])
      given.push(await (await server.ask(token, dump, accept)).text());
    given.push(await (await server.ask(token, 'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }', 'text/turtle')).text());
    for (const broken of [
      'SELECT ?s {',
      'DESCRIBE <http://localhost/records/1000001>',
      'ASK { ?s sp:nmae ?o }',
    ])
      given.push(
        await (await server.ask(token, broken, 'application/sparql-results+json, text/turtle')).text(),
      );
    given.push(await (await get('/.well-known/void')).text(), server.log());
    expect(given.join('').length).toBeGreaterThan(1_000_000);
    // Words of the ontology and of pages are no text of anybody.
    const words = await (await fetch(`${server.url}/ontology`)).text();
    expect(
      given.flatMap((text) => heldBy(text, parts)).filter((part) => heldBy(words, [part]).length === 0),
    ).toEqual([]);
  });
});
