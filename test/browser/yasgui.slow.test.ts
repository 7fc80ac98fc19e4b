import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAnalystServer } from '../http/analyst-server.js';
import { noChromium, startChromium } from './chromium.js';

/** Where `.ci/yasgui` has put it. */
const folder = process.env['CHARTGRAPH_TEST_YASGUI'];
const isHere = folder !== undefined && existsSync(join(folder, 'yasgui.min.js'));
if (!isHere) console.warn('YASGUI is skipped: run .ci/yasgui DIR and set CHARTGRAPH_TEST_YASGUI to DIR.');

const QUERY =
  'PREFIX sp: <http://smartplatforms.org/terms#> SELECT ?s { ?s a sp:Problem } ORDER BY ?s LIMIT 7';

/** A page with nothing of ours on it but where to ask, and the token. */
function page(endpoint: string, token: string): string {
  const config = {
    requestConfig: { endpoint, headers: { Authorization: `Bearer ${token}` } },
    yasqe: { value: QUERY },
    endpointCatalogueOptions: { getData: [] },
  };
  return `<!doctype html><meta charset="utf-8"><title>YASGUI</title>
<link rel="stylesheet" href="yasgui.min.css"><div id="yasgui"></div><script src="yasgui.min.js"></script>
<script>new Yasgui(document.getElementById('yasgui'), ${JSON.stringify(config).replaceAll('"getData":[]', '"getData":()=>[]')});</script>`;
}

// Skipped where there is no Chromium to start, or no YASGUI.
test.skipIf(noChromium !== undefined || !isHere)(
  'YASGUI in a page of another origin asks with its token and shows the rows',
  async () => {
    const server = await startAnalystServer();
    onTestFinished(() => server.stop());
    await server.user('ana', 'analyst');
    const token = await server.token('ana');
    const files: Readonly<Record<string, readonly [string, () => string | Buffer]>> = {
      '/': ['text/html', () => page(`${server.url}/sparql`, token)],
      '/yasgui.min.js': ['text/javascript', () => readFileSync(join(folder ?? '', 'yasgui.min.js'))],
      '/yasgui.min.css': ['text/css', () => readFileSync(join(folder ?? '', 'yasgui.min.css'))],
    };
    const elsewhere = createServer((request, response) => {
      const [type, body] = files[request.url ?? ''] ?? [];
      response.writeHead(type === undefined ? 404 : 200, { 'Content-Type': type ?? 'text/plain' });
      response.end(body?.());
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => void elsewhere.close(() => resolve())));
    const { context, stop } = await startChromium();
    onTestFinished(stop);
    const shown = await context.newPage();
    await shown.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
    await shown.locator('.yasqe_queryButton').click();
    const rows = shown.locator('.yasr .dataTable tbody tr');
    await expect.poll(() => rows.count()).toBe(7);
    const answer = await server.ask(token, QUERY);
    const [, first] = (await answer.text()).split(/\r?\n/u);
    expect(first).toMatch(/^urn:/u);
    expect(await rows.first().textContent()).toContain(first);
  },
);
