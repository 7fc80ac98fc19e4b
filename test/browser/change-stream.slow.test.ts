import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../src/access/accounts/accounts.js';
import { loadSecretKey } from '../../src/access/accounts/secret-key.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { namedNode, quad } from '../../src/rdf/terms.js';
import { rdf, sp } from '../../src/rdf/vocabulary.js';
import { appGraph } from '../../src/records/app-graph.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { startTestContainer, type TestContainer } from '../http/container.js';
import { noChromium, startChromium } from './chromium.js';

const APP = 'listening-app@apps.example.org';

/** The address of a request that is signed in its query (RFC 5849 §3.5.3), as an EventSource needs it. */
function signedUrl(url: string, credentials: Parameters<typeof signRequest>[0]): string {
  const fields = signRequest(credentials)
    .replace(/^OAuth /, '')
    .split(/, */);
  const signed = fields
    .map((field) => field.replace(/="(.*)"$/, '=$1'))
    .filter((field) => !field.startsWith('realm='));
  return `${url}${url.includes('?') ? '&' : '?'}${signed.join('&')}`;
}

// Skipped where there is no Chromium to start: the message says what is missing.
describe.skipIf(noChromium)('an EventSource of a browser', () => {
  let container: TestContainer;
  const pages = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>App</title>');
  });
  const origin = (): string => `http://localhost:${(pages.address() as AddressInfo).port}`;

  async function withStore(work: (store: PrimaryStore) => Promise<unknown>): Promise<void> {
    const directory = await openDataDirectory(container.data, { store: container.store });
    try {
      await work(openPrimaryStore(directory, container.url));
    } finally {
      await directory.close();
    }
  }

  beforeAll(async () => {
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
    container = await startTestContainer();
    const manifest = {
      id: APP,
      name: 'Listening app',
      description: 'Shows what comes.',
      mode: 'ui' as const,
      index: `${origin()}/index.html`,
      icon: `${origin()}/icon.png`,
    };
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

  it('reads the changes of a record from the origin of the app, with a signature in the address', async () => {
    const token = await container.token('1000001', APP);
    const url = `${container.url}/records/1000001/changes`;
    const address = signedUrl(url, { method: 'GET', url, ...token });
    const chromium = await startChromium();
    try {
      const tab = await chromium.context.newPage();
      await tab.goto(`${origin()}/index.html`);
      await tab.evaluate(
        `const source = new EventSource(${JSON.stringify(address)});
         source.onopen = () => { document.title = 'open'; };
         source.onmessage = ({ data, lastEventId }) => {
           source.close();
           document.body.textContent = JSON.stringify([lastEventId, JSON.parse(data)]);
           document.title = 'told';
         };`,
      );
      await tab.waitForFunction("document.title === 'open'");
      const note = `${container.url}/records/1000001/clinical_notes/told`;
      await withStore((store) =>
        store.write({
          replace: [
            { name: note, quads: [quad(namedNode(note), namedNode(rdf.type), namedNode(sp.ClinicalNote))] },
          ],
        }),
      );
      await tab.waitForFunction("document.title === 'told'");
      const [id, change] = JSON.parse((await tab.textContent('body')) ?? '') as [
        string,
        { revision: number },
      ];
      expect(change).toMatchObject({ added: [note], revision: Number(id) });
    } finally {
      await chromium.stop();
    }
  });
});
