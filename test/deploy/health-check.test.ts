import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { healthRoutes } from '../../src/http/app.js';
import type { GraphStore } from '../../src/store/graph-store.js';
import { root } from './deployed.js';

/** The path that the program itself answers for as long as it lives. */
const [live] = healthRoutes({} as GraphStore).map(({ path }) => path);

test.each([
  ['below the base path, which is alive', '/smart', `/smart${live}`, 200, 0],
  ['without a base path', '', String(live), 200, 0],
  ['a container that is not ready to say so', '/smart', `/smart${live}`, 503, 1],
  ['a container under another path', '/smart', String(live), 200, 1],
])('the health check of %s', async (_, basePath, answered, status, code) => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === answered ? status : 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await check(port, `https://records.example.org${basePath}`)).toBe(code);
  server.close();
  server.closeAllConnections();
});

test('where nobody listens, the health check fails', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect(await check(port, 'https://records.example.org/smart')).toBe(1);
});

test.each(['whole', 'filling', 'partial'] as const)(
  'readiness says how much of the data is in memory: %s',
  async (state) => {
    const [, ready] = healthRoutes({ ask: () => Promise.resolve(true), state });
    expect(await ready?.handler({} as never)).toMatchObject({ body: `ok\nmemory: ${state}\n` });
  },
);

function check(port: number, baseUrl: string): Promise<number | null> {
  const env = { CHARTGRAPH_PORT: String(port), CHARTGRAPH_BASE_URL: baseUrl };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(root, 'deploy', 'health-check.mjs')], { env });
    child.once('close', resolve);
  });
}
