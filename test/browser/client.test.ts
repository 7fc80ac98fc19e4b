import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../src/accounts/accounts.js';
import { loadSecretKey } from '../../src/accounts/key.js';
import { readManifest } from '../../src/accounts/manifest.js';
import { openDataDirectory } from '../../src/disk/data-directory.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { noChromium, startChromium } from './chromium.js';

/** What the test uses of the client, as the page has it. */
interface Chartgraph {
  createClient(settings: unknown): Record<string, (...given: unknown[]) => Promise<Answer>>;
}
interface Answer {
  readonly objects: readonly { readonly problemName: { readonly title: string } }[];
  readonly etag: string;
  readonly location: string;
}

const page =
  '<!doctype html><title>App</title><script type="module">import * as chartgraph from "/client.js"; Object.assign(window, { chartgraph });</script>';
const APP = 'browser-app@apps.example.org';
const root = resolve(import.meta.dirname, '../..');
const { outputFiles, metafile } = await build({
  entryPoints: [join(root, 'src/client/client.ts')],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  write: false,
  metafile: true,
  outdir: 'bundle',
});
const [script] = outputFiles;

describe('the client as a bundle for browsers', () => {
  it('imports nothing of Node.js, and weighs what it weighs', () => {
    const outputs = Object.values(metafile.outputs);
    expect(outputs.flatMap(({ imports }) => imports)).toEqual([]);
    // The descriptions of the shipped ontology are 28 of them; parsers of n3 and RDF/XML are most of the rest.
    expect((script?.contents.byteLength ?? Infinity) / 1024).toBeLessThan(330);
  });
});

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium)('a page of an installed app', () => {
  let container: TestContainer;
  const pages = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script?.contents : page);
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
        const note = `@prefix sp: <http://smartplatforms.org/terms#> . @prefix dcterms: <http://purl.org/dc/terms/> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
            [] a sp:ClinicalNote ; dcterms:date "2024-05-01" ; dcterms:title "From a browser" ;
              dcterms:format <http://purl.org/NET/mediatypes/text/plain> ;
              sp:resource [ a sp:Resource ; sp:content [ a sp:Content ; sp:encoding "UTF-8" ; sp:value "Well." ] ] .
            <http://purl.org/NET/mediatypes/text/plain> a dcterms:MediaTypeOrExtent ; rdfs:label "text/plain" .`;
        const posted = await client['post_clinical_note']?.({ record_id }, note);
        const refused = await client['get_problems']?.({ record_id: '1000002' }).then(
          () => 'no refusal',
          (error: { status: number; detail: string }) => [error.status, error.detail],
        );
        return {
          titles: problems?.objects.map(({ problemName }) => problemName.title),
          etag: problems?.etag,
          location: posted?.location,
          refused,
        };
      }, settings);
      expect(seen.titles).toContain('Essential hypertension');
      expect(seen.etag).toMatch(/^"/);
      expect(seen.location).toMatch(`${container.url}/records/1000001/clinical_notes/`);
      expect(seen.refused).toEqual([403, 'The access token is for another record.']);
    } finally {
      await chromium.stop();
    }
  });
});
