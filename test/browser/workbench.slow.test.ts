import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { startAnalystServer, type AnalystServer } from '../http/analyst-server.js';
import { startAppServer } from './app-server.js';
import { noChromium, startChromium } from './chromium.js';
import { DESKTOP, look } from './look.js';

const PASSWORD = 'a long walk by the river';
/** Ten values, five times: a hundred thousand rows. */
const MANY = ['a', 'b', 'c', 'd', 'e'].map((name) => `VALUES ?${name} { 0 1 2 3 4 5 6 7 8 9 }`).join(' ');
/** Takes longer than anybody waits: it is ended, or the test is. */
const ENDLESS = `SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . FILTER (?a != ?d && ?d != ?g) }`;
const PER_CLASS = `SELECT ?class (COUNT(?s) AS ?things) WHERE { ?s a ?class ; sp:belongsTo ?r } GROUP BY ?class ORDER BY ?class`;

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium !== undefined)('the workbench in Chromium', () => {
  let server: AnalystServer;
  let token: string;
  const open: (() => Promise<void>)[] = [];
  /** What a page was refused by its policy, or broke by. */
  const complaints: string[] = [];

  beforeAll(async () => {
    server = await startAnalystServer('--analyst-timeout', '600');
    await server.user('ann', 'analyst', PASSWORD);
    await server.user('pat', 'person', PASSWORD);
    // The level is filled when this is there.
    token = await server.token('ann');
  });
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    for (const stop of open) await stop();
    await server.stop();
  });

  /** A page of a browser in which somebody is signed in. */
  async function signedIn(user: string, options: Parameters<typeof startChromium>[0] = {}): Promise<Page> {
    const { context, stop } = await startChromium({ viewport: DESKTOP, ...options });
    open.push(stop);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // What a query is refused with is an answer like another, and where coloured text is typed over, the browser
      // itself tries to keep its colour with a style that the policy refuses.
      const isExpected = /^(?:Failed to load resource|Applying inline style)/u.test(message.text());
      if (message.type() === 'error' && !isExpected) complaints.push(message.text());
    });
    await page.goto(`${server.url}/login?return_url=/account`);
    await page.getByLabel('User name').fill(user);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${server.url}/account`);
    return page;
  }

  let ofAnn: Page | undefined;

  /** The workbench, with its editor: one browser for all tests, and the page anew for each. */
  async function workbench(): Promise<{ page: Page; editor: Locator }> {
    const page = (ofAnn ??= await signedIn('ann'));
    await page.goto(`${server.url}/account`);
    await page.getByRole('link', { name: 'Workbench', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Query (SPARQL)' });
    await page.locator('.cm-editor').waitFor();
    // The styles that the editor makes have passed the policy.
    const looks = "getComputedStyle(document.querySelector('.cm-scroller')).display";
    expect(await page.evaluate<string>(looks)).toContain('flex');
    return { page, editor };
  }

  const rowsIn = (page: Page): Locator => page.locator('.rows-pane tbody:not(.spacer) tr');

  /** What a button gives the browser to save. */
  async function saved(page: Page, button: string): Promise<{ file: string; bytes: Buffer }> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return { file: download.suggestedFilename(), bytes: await buffer(await download.createReadStream()) };
  }

  it('completes what an analyst types from the ontology, runs it and shows its rows', async () => {
    const { page, editor } = await workbench();
    const offered = (name: RegExp): Locator => page.getByRole('option', { name }).first();
    await editor.fill('');
    await editor.pressSequentially('SELECT ?title WHERE { ?s a Immuniz');
    await offered(/^sp:Immunization/).click();
    await editor.pressSequentially(' ; productN');
    await offered(/^sp:productName/).click();
    await editor.pressSequentially('/dcterms:title ?title');
    await editor.press('Escape');
    await editor.press('Control+Enter');
    await page.getByText(/\d+ rows?, .* s, revision \d+, de-identified level/).waitFor();
    expect(await editor.textContent()).toContain(
      '?s a sp:Immunization ; sp:productName/dcterms:title ?title',
    );
    const answer = await server.ask(
      token,
      'SELECT ?t { ?s a sp:Immunization ; sp:productName/dcterms:title ?t }',
    );
    expect(await page.locator('.rows-pane table').getAttribute('aria-rowcount')).toBe(
      String((await answer.text()).trim().split('\n').length),
    );
    await editor.pressSequentially(' ; productN');
    await offered(/^sp:productName/).waitFor();
    await look(page, 'workbench-completion');
  });

  it('underlines an error where it stands, and a property that does not exist beside its answer', async () => {
    const { page, editor } = await workbench();
    await editor.fill('SELECT ?s WHERE {\n  ?s a sp:Problem ;;\n  FILTR (?s)\n}');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').filter({ hasText: 'The query is not SPARQL 1.1' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('line 3');
    expect(await page.locator('.cm-line').nth(2).locator('.cm-lintRange-error').count()).toBe(1);
    await editor.fill('SELECT ?o WHERE { ?s sp:problemNme ?o }');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Did you mean sp:problemName?').waitFor();
    expect(await page.locator('.cm-lintRange-warning').textContent()).toBe('sp:problemNme');
  });

  it('cancels a query so that it ends, and runs the next one', async () => {
    const { page, editor } = await workbench();
    const running = async (): Promise<number> => {
      const response = await fetch(`${server.url}/sparql/queries`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      return ((await response.json()) as { queries: unknown[] }).queries.length;
    };
    await editor.fill(ENDLESS);
    await editor.press('Control+Enter');
    await expect.poll(running).toBe(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The query was cancelled.').waitFor();
    await expect.poll(running).toBe(0);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await editor.fill('ASK { ?s a sp:Problem }');
    await editor.press('Control+Enter');
    await page.locator('.answer').filter({ hasText: 'Yes' }).waitFor();
  });

  it('has fields for the parameters of a query where there are no scripts, too', async () => {
    const page = await signedIn('ann', { javaScriptEnabled: false });
    await page.goto(`${server.url}/workbench`);
    expect(await page.getByRole('group', { name: 'Parameters' }).count()).toBe(0);
    const head = '# Numbers\n# $least (integer): The least number\n# $word (text, or more): A word';
    await page
      .getByLabel('Query (SPARQL)')
      .fill(`${head}\nSELECT ($least AS ?number) ($word AS ?said) WHERE {}`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').filter({ hasText: 'least is missing; it must be ' }).waitFor();
    await page.getByLabel('The least number').fill('many');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').filter({ hasText: 'least must be ' }).waitFor();
    expect(await page.getByLabel('The least number').inputValue()).toBe('many');
    await page.getByLabel('The least number').fill('7');
    await page.getByLabel('A word').fill('"} # <or less>');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('cell', { name: '7', exact: true }).waitFor();
    await page.getByRole('cell', { name: '"} # <or less>', exact: true }).waitFor();
    expect(await page.getByLabel('The least number').inputValue()).toBe('7');
  });

  it('draws the chart that the columns ask for, changes it, and saves it', async () => {
    const { page, editor } = await workbench();
    await editor.fill(PER_CLASS);
    await editor.press('Control+Enter');
    await page.getByRole('button', { name: 'Chart' }).click();
    await page.getByRole('img', { name: /Sum by class: things for \d+ values/ }).waitFor();
    expect(await page.locator('.drawing rect').count()).toBeGreaterThan(5);
    await look(page, 'workbench-chart');
    await page.getByRole('combobox', { name: 'Chart' }).selectOption('Lines');
    await page.locator('.drawing polyline').waitFor();
    for (const [button, name, start] of [
      ['PNG', 'chart.png', '\u0089PNG'],
      ['SVG', 'chart.svg', ' xmlns="'],
    ] as const) {
      const { file, bytes } = await saved(page, button);
      expect(file).toBe(name);
      expect(bytes.toString('latin1')).toContain(start);
    }
  });

  it('shows a hundred thousand rows with few in the page, sorts and filters them, and says that there are more', async () => {
    const { page, editor } = await workbench();
    await editor.fill(`SELECT * WHERE { ${MANY} VALUES ?f { 1 2 } }`);
    await editor.press('Control+Enter');
    await page.getByText('The answer is cut after 100,000').waitFor();
    expect(await page.locator('.rows-pane table').getAttribute('aria-rowcount')).toBe('100001');
    expect(await rowsIn(page).count()).toBeLessThan(100);
    await page.getByRole('button', { name: 'e', exact: true }).click();
    await page.getByRole('button', { name: 'e', exact: true }).click();
    await expect.poll(() => rowsIn(page).first().locator('td').nth(4).textContent()).toBe('9');
    await page.evaluate(`document.querySelector('.rows-pane').scrollTop = 1e9`);
    await page.locator('tr[aria-rowindex="100001"]').waitFor();
    await page.getByLabel('Filter rows').fill('nothing like it');
    await page.getByText('0 of 100000 rows').waitFor();
  });

  it('saves rows as CSV, as JSON, and as the Parquet that the container gives', async () => {
    const { page, editor } = await workbench();
    await editor.fill(PER_CLASS);
    await editor.press('Control+Enter');
    await page.locator('.rows-pane').waitFor();
    for (const [button, name, accept] of [
      ['CSV', 'rows.csv', 'text/csv'],
      ['JSON', 'rows.json', 'application/sparql-results+json'],
      ['Parquet', 'rows.parquet', 'application/vnd.apache.parquet'],
    ] as const) {
      const { file, bytes } = await saved(page, button);
      expect(file).toBe(name);
      const answer = await server.ask(token, PER_CLASS, accept);
      expect(bytes).toEqual(Buffer.from(await answer.arrayBuffer()));
    }
  });

  it('remembers the texts of queries and nothing of answers, and opens a saved one after a reload', async () => {
    const { page, editor } = await workbench();
    await editor.fill('# Genders\nSELECT DISTINCT ?gender WHERE { ?s foaf:gender ?gender }');
    await editor.press('Control+Enter');
    await page.getByRole('cell', { name: 'female', exact: true }).waitFor();
    await page.getByText('Queries', { exact: true }).click();
    await page.getByLabel('Name of the query').fill('Who there is');
    await page.getByLabel('Description of the query').fill('All genders that are stated.');
    await page.getByRole('button', { name: 'Save this query' }).click();
    await page.getByRole('button', { name: 'Share Who there is', exact: true }).click();
    await page.getByText('All analysts see it.').waitFor();
    await look(page, 'workbench-queries');
    const { file, bytes } = await saved(page, 'Save as analysis');
    expect(file).toBe('genders.rq');
    expect(bytes.toString()).toMatch(/^# Genders\n\nPREFIX foaf: <[^>]+>\nSELECT DISTINCT/u);
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('female');
    await page.reload();
    await page.locator('.cm-editor').waitFor();
    await editor.fill('ASK {}');
    await page.getByText('Queries', { exact: true }).click();
    await page.getByRole('button', { name: 'Genders' }).waitFor();
    await page.getByRole('button', { name: 'Who there is', exact: true }).click();
    expect(await editor.textContent()).toContain('foaf:gender');
    await page.getByText('Copy as').click();
    await page.getByRole('button', { name: 'Python' }).click();
    expect(await page.getByLabel('Program').textContent()).toContain(`"${server.url}/sparql"`);
  });

  it('shows the columns after one with long texts', async () => {
    const { page, editor } = await workbench();
    await editor.fill(`SELECT ("${'long '.repeat(60)}" AS ?text) (1 AS ?number) {}`);
    await editor.press('Control+Enter');
    await page.getByText(/^1 row, /).waitFor();
    const pane = await page.locator('.rows-pane').boundingBox();
    const number = await page.locator('.rows-pane thead th').last().boundingBox();
    expect((number?.x ?? Infinity) + (number?.width ?? 0)).toBeLessThanOrEqual(
      (pane?.x ?? 0) + (pane?.width ?? 0) + 1,
    );
  });

  it('asks for the parameters that a query declares, and saves and shares them with it', async () => {
    const { page, editor } = await workbench();
    const declared = `# Problems at least so often
# $least (integer, 1): The fewest problems
# $name (text): The name of one
# $order (choice up|down): Which way
SELECT ?title ($least AS ?asked) ($name AS ?named) ($order AS ?way) WHERE { ?s a sp:Problem ; sp:problemName/dcterms:title ?title } LIMIT 1`;
    await editor.fill(declared);
    const form = page.getByRole('group', { name: 'Parameters' });
    expect(await form.getByLabel('The fewest problems').inputValue()).toBe('1');
    await form.getByLabel('Which way').selectOption('down');
    // From the keyboard alone: what is missing is said, and has the focus; Enter asks again.
    await editor.press('Control+Enter');
    await page.getByRole('alert').filter({ hasText: 'name is missing; it must be a text' }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('parameter-name');
    expect(await form.getByLabel('The name of one').getAttribute('aria-invalid')).toBe('true');
    await look(page, 'workbench-parameters');
    await page.keyboard.type('"} ; DROP');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '"} ; DROP', exact: true }).waitFor();
    expect(await rowsIn(page).first().locator('td').allTextContents()).toEqual([
      expect.any(String),
      '1',
      '"} ; DROP',
      'down',
    ]);
    await form.getByLabel('The fewest problems').fill('many');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'least must be a whole number' }).waitFor();
    await page.getByText('Queries', { exact: true }).click();
    await page.getByLabel('Name of the query').fill('So often');
    await page.getByLabel('Share with all analysts').check();
    await page.getByRole('button', { name: 'Save this query' }).click();
    await page.getByRole('button', { name: 'Stop sharing So often' }).waitFor();
    // Nothing of what was filled in goes with it.
    const [kept] = server.accounts.savedQueries('nobody-else').filter(({ title }) => title === 'So often');
    expect(kept?.query).toBe(declared);
    await page.reload();
    await page.locator('.cm-editor').waitFor();
    await editor.fill('ASK {}');
    await form.waitFor({ state: 'hidden' });
    await page.getByText('Queries', { exact: true }).click();
    await page.getByRole('button', { name: 'So often', exact: true }).click();
    expect(await form.getByLabel('The fewest problems').inputValue()).toBe('1');
    await form.getByLabel('The name of one').fill('a name');
    await page.getByText('Copy as').click();
    // A drawer says that it was opened in a turn of its own.
    await page.getByLabel('Program').filter({ hasText: '("a name" AS ?named)' }).waitFor();
    await editor.fill('# $what (number): Of no type\nASK {}');
    await page.getByText('Line 1: $what has the type number; types are').waitFor();
  });

  it('shows what other analysts share, runs none of it by itself, and lets its owner take it back', async () => {
    const { accounts } = server;
    await server.user('ben', 'analyst');
    const query = { user: 'ben', description: 'From the <b>ward</b>.', query: 'ASK { ?s a sp:Problem }' };
    await accounts.saveQuery({ ...query, title: 'Of Ben', isShared: true });
    await accounts.saveQuery({ ...query, title: 'His alone', isShared: false });
    const { page, editor } = await workbench();
    await page.getByText('Queries', { exact: true }).click();
    await page.getByText('From the <b>ward</b>. · by ben').waitFor();
    expect(await page.getByRole('button', { name: 'His alone' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Of Ben', exact: true }).click();
    expect(await editor.textContent()).toContain('ASK { ?s a sp:Problem }');
    expect(await page.locator('#shown').textContent()).toContain('Run a query');
    await accounts.saveQuery({
      user: 'ann',
      title: 'To go',
      description: '',
      query: 'ASK {}',
      isShared: true,
    });
    await page.getByText('Queries', { exact: true }).click();
    await page.getByRole('button', { name: 'Stop sharing To go' }).click();
    await page.getByText('It is yours alone.').waitFor();
    expect(accounts.savedQueries('ben').map(({ title }) => title)).not.toContain('To go');
    await page.getByRole('button', { name: 'Remove To go' }).click();
    await page.getByText('Removed.').waitFor();
    expect(accounts.savedQueries('ann').map(({ title }) => title)).not.toContain('To go');
  });

  it('shows what the data is made of, and writes the pattern of what is clicked', async () => {
    const { page, editor } = await workbench();
    await editor.fill('');
    const schema = page.getByRole('complementary', { name: 'Schema' });
    await schema.getByText('Immunization', { exact: true }).click();
    await schema.getByRole('button', { name: 'sp:productName' }).click();
    expect(await editor.innerText()).toContain(
      'SELECT * WHERE {\n  ?immunization a sp:Immunization .\n  ?immunization sp:productName/dcterms:title ?productName .\n}',
    );
    await look(page, 'workbench-schema');
    await editor.press('Control+Enter');
    await page.getByText(/\d+ rows?, /).waitFor();
  });

  it('goes from a node of an answer to what is said about it', async () => {
    const { page, editor } = await workbench();
    await editor.fill('SELECT ?s { ?s a sp:LabResult } LIMIT 1');
    await page.keyboard.press('Control+Enter');
    await rowsIn(page).first().locator('td').first().click();
    await page.getByRole('button', { name: 'Show its links' }).click();
    await rowsIn(page).getByText('sp:belongsTo', { exact: true }).waitFor();
    expect(await rowsIn(page).count()).toBeGreaterThan(10);
  });

  it('is a form that answers with a table where there are no scripts', async () => {
    const page = await signedIn('ann', { javaScriptEnabled: false });
    await page.goto(`${server.url}/workbench?analysis=frequent_problems&least=1`);
    expect(await page.getByLabel('Query (SPARQL)').inputValue()).toContain('SELECT');
    await page.getByLabel('Query (SPARQL)').fill(PER_CLASS);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('columnheader', { name: 'things' }).waitFor();
    await page.getByLabel('Query (SPARQL)').fill('SELECT {');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').filter({ hasText: 'The query is not SPARQL 1.1' }).waitFor();
  });

  it('is for analysts', async () => {
    const page = await signedIn('pat');
    const response = await page.goto(`${server.url}/workbench`);
    expect(response?.status()).toBe(403);
    await page.getByRole('heading', { name: 'The workbench is for analysts' }).waitFor();
  });

  it('is not the only page that may ask: one of another origin does, with a token and not with a session', async () => {
    const elsewhere = await startAppServer('tools@apps.example.org');
    open.push(() => elsewhere.stop());
    // Of the browser in which somebody is signed in.
    const { page: own } = await workbench();
    const page = await own.context().newPage();
    await page.goto(elsewhere.manifest.index ?? '');
    expect(new URL(page.url()).origin).not.toBe(server.url);
    // As YASGUI and its kind ask: a form, JSON, headers that the browser asks leave for.
    const asked = (init: object): Promise<unknown> =>
      page.evaluate<unknown>(
        `fetch(${JSON.stringify(`${server.url}/sparql`)}, { method: 'POST', body: new URLSearchParams({ query: 'ASK {}' }), ...${JSON.stringify(init)} })
          .then((answer) => answer.json().then(({ boolean }) => [answer.status, boolean, answer.headers.get('Chartgraph-Level')]),
                () => 'may not be read')`,
      );
    const headers = { Accept: 'application/sparql-results+json', 'X-Requested-With': 'fetch' };
    expect(await asked({ headers: { ...headers, Authorization: `Bearer ${token}` } })).toEqual([
      200,
      true,
      'deidentified',
    ]);
    expect(await asked({ headers, credentials: 'include' })).toBe('may not be read');
    await page.close();
  });
});
