import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { readManifest } from '../../src/access/accounts/manifest.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { noChromium, startChromium } from './chromium.js';

/** What the test uses of the client, as the page has it. */
interface Chartgraph {
  createClient(settings: unknown): Record<string, (...given: unknown[]) => Promise<Answer>>;
}
interface Endpoints {
  validateEndpoint(value: unknown): { rule: string }[];
}
interface Answer {
  readonly objects: readonly { readonly problemName: { readonly title: string } }[];
  readonly etag: string;
  readonly location: string;
  readonly dataset: { readonly size: number };
  readonly quads: AsyncIterable<unknown>;
}

const page =
  '<!doctype html><title>App</title><script type="module">import * as chartgraph from "/client.js"; import * as endpoint from "/endpoint.js"; Object.assign(window, { chartgraph, endpoint });</script>';
const APP = 'browser-app@apps.example.org';
const root = resolve(import.meta.dirname, '../..');
const MOST = 60 * 1024;

/** Bundles for browsers as apps do, with conditions and packages as they are published. */
async function bundle(
  entry: string,
  conditions: string[] = [],
): Promise<{ bytes: Uint8Array; imports: readonly string[]; sizes: ReadonlyMap<string, number> }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions,
    write: false,
    metafile: true,
    outdir: 'bundle',
  });
  const [output] = Object.values(metafile.outputs);
  return {
    bytes: outputFiles[0]?.contents ?? new Uint8Array(),
    imports: output?.imports.map(({ path }) => path) ?? [],
    sizes: new Map(
      Object.entries(output?.inputs ?? {}).map(([file, { bytesInOutput }]) => [file, bytesInOutput]),
    ),
  };
}

const client = await bundle("export * from './src/client/client.ts';");
const endpoint = await bundle("export * from 'chartgraph/endpoint';");

describe('the client as a bundle for browsers', () => {
  it('imports nothing, and has 60 KB at most beside the descriptions of the ontology', () => {
    expect(client.imports).toEqual([]);
    const descriptions = client.sizes.get('src/client/generated.ts') ?? 0;
    expect(descriptions).toBeGreaterThan(0);
    expect(client.bytes.byteLength - descriptions).toBeLessThanOrEqual(MOST);
  });
});

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium)('a page of an installed app', () => {
  let container: TestContainer;
  const pages = createServer((request, response) => {
    const script = new Map([
      ['/client.js', client.bytes],
      ['/endpoint.js', endpoint.bytes],
    ]).get(request.url ?? '');
    response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
    response.end(script ?? page);
  });
  const originOf = (): string => `http://localhost:${(pages.address() as AddressInfo).port}`;

  beforeAll(async () => {
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
    container = await startTestContainer();
    const manifest = readManifest({
      id: APP,
      name: 'Browser app',
      description: 'Runs in a browser',
      mode: 'ui',
      scope: 'record',
      index: `${originOf()}/index.html`,
      icon: `${originOf()}/icon.png`,
      oauth_callback: `${originOf()}/back`,
    });
    const directory = await openDataDirectory(container.data, { store: container.store });
    const accounts = openAccounts(directory, await loadSecretKey(container.data, process.env));
    await openPrimaryStore(directory, container.url).write(
      { replace: [appGraph(manifest, container.url)] },
      (tx) => void accounts.putApp(tx, { id: APP, mode: 'ui' }),
    );
    await directory.close();
  });
  afterAll(async () => {
    await container.stop();
    await new Promise((closed) => pages.close(closed));
  });

  it('reads, adds and is told of refusals, all of it signed in the browser and across origins', async () => {
    const token = await container.token('1000001', APP);
    const settings = { baseUrl: container.url, ...token };
    const chromium = await startChromium();
    try {
      const tab = await chromium.context.newPage();
      await tab.goto(`${originOf()}/index.html`);
      await tab.waitForFunction(() => 'chartgraph' in globalThis);
      const seen = await tab.evaluate(async (given) => {
        const { createClient } = (globalThis as unknown as { chartgraph: Chartgraph }).chartgraph;
        const client = createClient(given);
        const record_id = '1000001';
        const problems = await client['get_problems']?.({ record_id });
        const note = {
          title: 'From a browser',
          date: '2024-05-01',
          format: { iri: 'http://purl.org/NET/mediatypes/text/plain', label: 'text/plain' },
          resource: { content: { encoding: 'UTF-8', value: 'Well.' } },
        };
        const posted = await client['post_clinical_note']?.({ record_id }, note);
        let statements = 0;
        const streamed = await client['get_problems']?.({ record_id }, { stream: true });
        if (streamed) for await (const each of streamed.quads) statements += each ? 1 : 0;
        const refused = await client['get_problems']?.({ record_id: '1000002' }).then(
          () => 'no refusal',
          (error: { status: number; detail: string }) => [error.status, error.detail],
        );
        return {
          titles: problems?.objects.map(({ problemName }) => problemName.title),
          etag: problems?.etag,
          location: posted?.location,
          refused,
          all: problems?.dataset.size,
          statements,
        };
      }, settings);
      expect(seen.titles).toContain('Essential hypertension');
      expect(seen.etag).toMatch(/^"/);
      expect(seen.location).toMatch(`${container.url}/records/1000001/clinical_notes/`);
      expect(seen.statements).toBe(seen.all);
      expect(seen.statements).toBeGreaterThan(10);
      expect(seen.refused).toEqual([403, 'The access token is for another record.']);
    } finally {
      await chromium.stop();
    }
  });

  it('checks an endpoint with chartgraph/endpoint, which is bundled as well', async () => {
    expect(endpoint.imports).toEqual([]);
    const chromium = await startChromium();
    try {
      const tab = await chromium.context.newPage();
      await tab.goto(`${originOf()}/index.html`);
      await tab.waitForFunction(() => 'endpoint' in globalThis);
      const rules = await tab.evaluate(() => {
        const { validateEndpoint } = (globalThis as unknown as { endpoint: Endpoints }).endpoint;
        const good = { resourceType: 'Endpoint', status: 'active', payloadType: [{ text: 'any' }] };
        const type = {
          connectionType: { system: 'http://localhost/types', code: 'a' },
          address: 'https://a.example.org/',
        };
        return [
          { ...good, ...type },
          { ...good, ...type, status: 'asleep' },
        ].map((value) => validateEndpoint(value).map(({ rule }) => rule));
      });
      expect(rules[0]).toEqual([]);
      expect(rules[1]).not.toEqual([]);
    } finally {
      await chromium.stop();
    }
  });
});
