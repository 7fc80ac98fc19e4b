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
});
afterAll(async () => {
  app.kill();
  await container.stop();
});

/** Opens the app as a launch does. @returns the request token that it got */
async function launched(record: string): Promise<string> {
  const query = new URLSearchParams({ record_id: record, api_base: container.url });
  const start = await fetch(`${address}/?${query}`, { redirect: 'manual' });
  return new URL(start.headers.get('Location') ?? '').searchParams.get('oauth_token') ?? '';
}

it('the example web app is let into a record and shows its medications', async () => {
  const requestToken = await launched('1000001');
  const { token, verifier } = await container.allow(await container.browser('person'), requestToken);
  const back = `${address}/authorized?oauth_token=${token}&oauth_verifier=${verifier}`;
  const answer = await fetch(back);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/\d+ MG/i)]);
  expect(await status(`/authorized?oauth_token=${token}&oauth_verifier=${verifier}`)).toBe(400);
});

it('the example web app asks for the record that it was launched with, so nobody chooses again', async () => {
  const browser = await container.browser('clinician');
  const page = await browser.open(container.authorizeUrl(await launched('1000002')));
  expect(page.html).toContain('name="decision"');
  expect(page.html).toMatch(/name="record_id" value="1000002"/u);
});

it('the example web app takes a no for a no, and not for a fault of the container', async () => {
  const browser = await container.browser('clinician');
  const page = await browser.open(container.authorizeUrl(await launched('1000003')));
  const denied = await browser.submit(page, { decision: 'deny' });
  const { search } = new URL(denied.headers.get('Location') ?? '');
  expect(search).toContain('oauth_problem=permission_denied');
  const answer = await fetch(`${address}/authorized${search}`);
  expect([answer.status, await answer.text()]).toEqual([
    403,
    expect.stringContaining('You did not allow it'),
  ]);
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
