import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startFlowContainer, type FlowContainer } from '../http/oauth/flow-container.js';
import { bearer, RECORD, service, SERVICE } from '../http/smart/smart-container.js';
import { noChromium, startChromium } from './chromium.js';

/** Where `.ci/fhir-clients` puts what it fetches. */
const SCRIPT = join(
  process.env['CHARTGRAPH_TEST_FHIR_CLIENTS'] ?? '',
  'node_modules/fhirclient/build/fhir-client.pure.min.js',
);
const lacks =
  noChromium ?? (existsSync(SCRIPT) ? undefined : 'there is no fhirclient (.ci/fhir-clients DIR)');
if (lacks !== undefined) console.warn(`SMART in a browser is skipped: ${lacks}.`);

const APP = 'chart@smart.example.org';

/** An app of fhirclient as its documentation shows it: two pages that start it, and one that draws. */
const pages = (iss: string): Readonly<Record<string, string>> => ({
  '/launch.html': `FHIR.oauth2.authorize({ clientId: '${APP}', redirectUri: '/app.html',
    scope: 'launch openid fhirUser online_access patient/*.rs' })`,
  '/alone.html': `FHIR.oauth2.authorize({ clientId: '${APP}', redirectUri: '/app.html', iss: '${iss}',
    scope: 'launch/patient openid fhirUser offline_access patient/*.rs' })`,
  '/app.html': `FHIR.oauth2.ready().then(async (client) => {
    const patient = await client.patient.read();
    const user = await client.user.read();
    const query = 'Observation?category=laboratory&_count=50&patient=' + client.patient.id;
    const all = await client.request(query, { flat: true });
    const values = all.filter((each) => each.valueQuantity);
    const { text } = values[0].code;
    const drawn = values.filter((each) => each.code.text === text).map((each) => each.valueQuantity.value);
    const line = drawn.map((value, at) => at * 20 + ',' + value).join(' ');
    document.body.innerHTML = '<h1 id="who"></h1><p id="user"></p><svg><polyline points="' + line + '"/></svg>';
    document.getElementById('who').textContent = patient.name[0].family;
    document.getElementById('user').textContent = user.name[0].text;
    await client.refreshIfNeeded({}); document.title = 'done';
  }).catch((error) => { document.title = 'failed'; document.body.textContent = error.stack; })`,
});

describe.skipIf(lacks !== undefined)('an app of fhirclient in Chromium', () => {
  let container: FlowContainer;
  let origin = '';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const script = pathname === '/fhir.js' ? readFileSync(SCRIPT, 'utf8') : undefined;
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript');
    const code = pages(`${container.url}/fhir`)[pathname] ?? '';
    response.end(
      script ??
        `<!doctype html><title>App</title><body><script src="/fhir.js"></script><script>${code}</script>`,
    );
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    container = await startFlowContainer({ smart: true }, [
      {
        ...{ id: APP, name: 'Lab chart', description: 'Draws lab values.', mode: 'ui' },
        ...{ index: `${origin}/alone.html`, icon: `${origin}/icon.png` },
        ...{ smart_launch_url: `${origin}/launch.html`, redirect_uris: [`${origin}/app.html`] },
      },
      SERVICE,
    ]);
  });
  afterAll(async () => {
    await container.stop();
    server.closeAllConnections();
    server.close();
  });

  async function used(use: (page: Page) => Promise<void>): Promise<void> {
    const { context, stop } = await startChromium();
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await use(page);
    } finally {
      await stop();
    }
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('User name').fill('clinician');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function allowed(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.waitForFunction("['done', 'failed'].includes(document.title)");
    expect(await page.locator('body').innerText()).toContain('Lindqvale');
    expect(await page.title()).toBe('done');
    expect(await page.locator('polyline').getAttribute('points')).toMatch(/^0,[\d.]+ 20,[\d.]+/u);
  }

  it('draws a lab value after it began by itself', () =>
    used(async (page) => {
      await page.goto(`${origin}/alone.html`);
      await signIn(page);
      await page.getByLabel('Record or medical record number').fill(RECORD);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'Lindqvale' }).click();
      await allowed(page);
    }));

  it('draws a lab value of the record from which it was started', () =>
    used(async (page) => {
      await page.goto(`${container.url}/login?return_url=/account/records/${RECORD}`);
      await signIn(page);
      await page.getByRole('link', { name: 'Lab chart' }).click();
      await allowed(page);
    }));

  it('leaves a service beside it that reads what its scopes cover', async () => {
    const { body } = await service(container, 'system/Patient.rs');
    const statuses = await Promise.all(
      [`/fhir/Patient/${RECORD}`, `/fhir/Observation?patient=${RECORD}`].map(
        async (path) => (await bearer(container, path, body.access_token)).status,
      ),
    );
    expect(statuses).toEqual([200, 403]);
  });
});
