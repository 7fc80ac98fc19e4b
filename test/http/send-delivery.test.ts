import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createPlainServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sendDelivery } from '../../src/services/webhooks/send-delivery.js';

/** A certificate for localhost that nobody vouches for, with its key. */
function selfSigned(): { key: Buffer; cert: Buffer } {
  const dir = mkdtempSync(join(tmpdir(), 'chartgraph-certificate-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = ['-days', '1', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', [...made, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const read = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(dir, { recursive: true });
  return read;
}

test.each([
  ['HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', { status: 101 }],
  ['HTTP/1.1 101 x\r\n\r\n', undefined],
  ['HTTP/1.1 100 x\r\n\r\n', { reason: 'unreachable' }],
  ['', { reason: 'unreachable' }],
  ['nothing of HTTP', { reason: 'unreachable' }],
])('an attempt that is answered with %j and no more comes to an end', async (answer, expected) => {
  const server = createPlainServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/told`);
  const sent = await sendDelivery(
    url,
    { headers: {}, body: '{}' },
    { isAllowed: () => true, stop: new AbortController().signal },
  );
  server.close();
  if (expected) expect(sent).toEqual(expected);
  else expect(Object.keys(sent)).toHaveLength(1);
});

const withoutOpenssl = spawnSync('openssl', ['version']).status !== 0;

test.skipIf(withoutOpenssl)('a receiver whose certificate nobody vouches for is told nothing', async () => {
  const heard: string[] = [];
  const server = createServer(selfSigned(), (request, response) => {
    heard.push(request.url ?? '');
    response.end();
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/told`);
  const sent = await sendDelivery(
    url,
    { headers: {}, body: '{}' },
    { isAllowed: () => true, stop: new AbortController().signal },
  );
  server.close();
  expect(sent).toEqual({ reason: 'unreachable' });
  expect(heard).toEqual([]);
});
