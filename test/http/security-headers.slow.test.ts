import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestContainer, type TestContainer } from './container.js';

const started: TestContainer[] = [];
afterAll(async () => {
  for (const container of started) await container.stop();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A container that is seen under a base URL. @returns where its requests really go */
async function behind(scheme: 'http' | 'https'): Promise<string> {
  const port = await freePort();
  started.push(await startTestContainer({ port, baseUrl: `${scheme}://localhost:${port}` }));
  return `http://localhost:${port}`;
}

const requests = [
  ['/', {}],
  ['/login', {}],
  ['/docs', {}],
  ['/ontology', {}],
  ['/ontology', { method: 'HEAD' }],
  ['/ontology', { method: 'OPTIONS' }],
  ['/manifest', {}],
  ['/health/live', {}],
  ['/records/1000001/allergies/', {}],
  ['/no/such/path', {}],
  ['/ontology', { method: 'DELETE' }],
  ['/records/1000001/clinical_notes/', { method: 'POST', body: 'x' }],
] as const;

describe.each([
  ['http', null],
  ['https', 'max-age=31536000'],
] as const)('every answer of a container under %s', (scheme, transport) => {
  it('forbids browsers to guess media types, and over https to come back by http', async () => {
    const url = await behind(scheme);
    for (const [path, init] of requests) {
      const { headers, status } = await fetch(url + path, { redirect: 'manual', ...init });
      const seen = [headers.get('X-Content-Type-Options'), headers.get('Strict-Transport-Security')];
      expect(seen, `${path} ${status}`).toEqual(['nosniff', transport]);
    }
    const { headers } = await fetch(`${url}/ontology`);
    const again = await fetch(`${url}/ontology`, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
    expect(again.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});
