import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canImport } from './can-import.js';
import { sharedContainer, type TestContainer } from './container.js';

// Without these packages of Python there is no Memento client: `pip install memento_client requests-oauthlib`.
const without = !canImport('memento_client, requests_oauthlib');

let container: TestContainer;
beforeAll(async () => {
  if (!without) container = await sharedContainer();
});
afterAll(() => (without ? undefined : container.stop()));

it.skipIf(without)('a Memento client takes calls for TimeGates, and finds all their mementos', async () => {
  const credentials = await container.token('1000001');
  const url = `${container.url}/records/1000001/problems/`;
  const script = resolve(import.meta.dirname, 'memento-client.py');
  const client = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  client.stdin.end(JSON.stringify({ url, credentials, accept_datetime: new Date(0).toUTCString() }));
  const [said] = await Promise.all([text(client.stdout), once(client, 'close')]);
  const found = JSON.parse(said) as { readonly location: string; readonly mementos: readonly string[] };
  expect(found).toMatchObject({ timegate: true, chosen: true, present: false });
  expect(found.mementos).toContain(found.location);
  expect(found).toMatchObject({ are: found.mementos.map(() => true) });
});
