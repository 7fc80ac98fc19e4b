import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFlowContainer, UI_APP, type FlowContainer } from '../http/oauth/flow-container.js';

const root = resolve(import.meta.dirname, '..', '..');
const file = join(root, 'docs', 'examples', 'web-app.mjs');
let container: FlowContainer;
let app: ChildProcess;
let address: string;

beforeAll(async () => {
  container = await startFlowContainer();
  const port = await freePort();
  address = `http://localhost:${port}`;
  app = spawn(process.execPath, [file], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      CONTAINER: container.url,
      CONSUMER_KEY: UI_APP,
      CONSUMER_SECRET: container.secrets[UI_APP],
      PORT: String(port),
    },
  });
  await vi.waitFor(async () => expect(await status('/nothing')).toBe(404), {
    timeout: 100_000,
    interval: 100,
  });
}, 60_000);
afterAll(async () => {
  app.kill();
  await container.stop();
});

it('the example web app is let into a record and shows its medications', async () => {
  const start = await fetch(`${address}/?record=1000001`, { redirect: 'manual' });
  const requestToken = new URL(start.headers.get('Location') ?? '').searchParams.get('oauth_token') ?? '';
  const { token, verifier } = await container.allow(await container.browser('person'), requestToken);
  const back = `${address}/authorized?oauth_token=${token}&oauth_verifier=${verifier}`;
  const answer = await fetch(back);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/\d+ MG/i)]);
  expect(await status(`/authorized?oauth_token=${token}&oauth_verifier=${verifier}`)).toBe(400);
});

it('the page for app developers shows the example web app as it is', async () => {
  const page = await readFile(join(root, 'docs', 'apps.md'), 'utf8');
  expect(page).toContain(`\`\`\`js\n${await readFile(file, 'utf8')}\`\`\``);
});

const status = (path: string): Promise<number | undefined> =>
  fetch(address + path).then(
    (response) => response.status,
    () => undefined,
  );

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        done(port);
      });
    });
  });
}
