import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { freePort, startPostgres, withoutPostgres, type PostgresServer } from '../store/postgres/postgres.js';
import { startTestContainer, type Credentials, type TestContainer } from '../http/container.js';
import { textOf } from './deployed.js';

/** What stands in front of the gateways, as `deploy/` configures it but for addresses and certificates. */
interface Balancer {
  readonly name: string;
  readonly file: string;
  /** The shipped text with the folder of the test, and a header that says which gateway answered. */
  adapt(text: string, folder: string, front: number, logPort: number): string;
  args(folder: string, file: string): string[];
}

const balancers: readonly Balancer[] = [
  {
    name: 'nginx',
    file: 'nginx-gateways.conf',
    adapt(text, folder, front) {
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      const settings = `daemon off; pid ${join(folder, 'pid')};`;
      return `${settings}\n${text}`
        .replace(
          'listen 443 ssl;',
          `listen 127.0.0.1:${front} ssl; add_header X-Gateway $upstream_addr always;`,
        )
        .replaceAll(/\/(?:etc|var\/log)\/nginx\//gu, `${folder}/`)
        .replace('http {', `http { ${folders.join(' ')}`);
    },
    args: (folder, file) => ['-p', folder, '-c', file],
  },
  {
    name: 'haproxy',
    file: 'haproxy-gateways.cfg',
    adapt: (text, folder, front, logPort) =>
      text
        .replace('/dev/log', `127.0.0.1:${logPort}`)
        .replace('bind :443', `bind 127.0.0.1:${front}`)
        .replaceAll('/etc/haproxy/', `${folder}/`)
        .replace('backend gateways\n', 'backend gateways\n  http-response set-header X-Gateway %si:%sp\n'),
    args: (_, file) => ['-db', '-f', file],
  },
];

/** Debian has them where only root looks. */
const programOf = ({ name }: Balancer): string | undefined =>
  [name, `/usr/sbin/${name}`].find((program) => spawnSync(program, ['-v']).status === 0);
const withoutOpenssl = spawnSync('openssl', ['version']).status !== 0;

// Without PostgreSQL or OpenSSL on this machine there is nothing to try: `apt-get install postgresql openssl`.
describe.skipIf(withoutPostgres || withoutOpenssl)('gateways behind a balancer', () => {
  let server: PostgresServer;

  beforeAll(async () => void (server = await startPostgres(['fsync=off'])));
  afterAll(() => server.stop());

  describe.each(balancers)('$name, as deploy/ configures it', (balancer) => {
    const program = programOf(balancer);
    const gateways: (TestContainer & { port: number })[] = [];
    let url: string;
    let certificate: string;
    let logSocket: Socket | undefined;
    let stopBalancer: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      if (program === undefined) return;
      const store = server.createDatabase();
      const front = await freePort();
      url = `https://127.0.0.1:${front}/smart`;
      gateways.push(await gateway(store), await gateway(store));
      await startBalancer(program, front);
    });
    afterAll(async () => {
      await stopBalancer?.();
      logSocket?.close();
      for (const each of gateways) await each.stop();
    });

    async function gateway(store: string): Promise<TestContainer & { port: number }> {
      const data = await mkdtemp(join(tmpdir(), 'chartgraph-gateway-'));
      await cp(join(inject('seeded'), 'secret.key'), join(data, 'secret.key'));
      const port = await freePort();
      return {
        ...(await startTestContainer({ data, store, port, baseUrl: url, trustProxy: ['127.0.0.1'] })),
        port,
      };
    }

    let logged: () => string;

    /** Takes what a balancer sends to the log of the system, or writes to the logs that it is given a folder for. */
    async function startLog(folder: string): Promise<number> {
      let sent = '';
      logSocket = createSocket('udp4', (line) => (sent += line.toString()));
      logSocket.bind(0, '127.0.0.1');
      await once(logSocket, 'listening');
      logged = () =>
        readdirSync(folder)
          .filter((name) => name.endsWith('.log'))
          .map((name) => readFileSync(join(folder, name), 'utf8'))
          .join('') + sent;
      return logSocket.address().port;
    }

    async function startBalancer(command: string, front: number): Promise<void> {
      const folder = await mkdtemp(join(tmpdir(), `chartgraph-${balancer.name}-`));
      certificate = makeCertificate(folder);
      const ports = gateways.map(({ port }) => `127.0.0.1:${port}`);
      const text = textOf('deploy', balancer.file).replace(
        /10\.0\.0\.1[12]:7000/gu,
        () => ports.shift() ?? '',
      );
      const file = join(folder, balancer.file);
      await writeFile(file, balancer.adapt(text, folder, front, await startLog(folder)));
      const child = spawn(command, balancer.args(folder, file), { stdio: 'ignore' });
      const ended = once(child, 'exit');
      stopBalancer = async () => {
        child.kill('SIGTERM');
        await ended;
      };
      while ((await get('/health/live').catch(() => undefined))?.status !== 200) {
        if (child.exitCode !== null) throw new Error(`${balancer.name} ended with ${child.exitCode}`);
        await wait(50);
      }
    }

    /** A request of an app that trusts the certificate of the test, on a connection of its own. */
    async function get(
      path: string,
      as?: Credentials,
    ): Promise<{ status?: number | undefined; gateway: unknown }> {
      const headers = as ? { Authorization: signRequest({ method: 'GET', url: url + path, ...as }) } : {};
      const sent = request(url + path, { headers, ca: certificate, agent: false }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return { status: response.statusCode, gateway: response.headers['x-gateway'] };
    }

    // A balancer that is not on this machine: `apt-get install nginx haproxy`.
    test.skipIf(program === undefined)(
      'a record goes to the same gateway each time, to another when that one stops, and no query is logged',
      async () => {
        const ids = ['1000001', '1000002', '1000003'];
        const tokens: Credentials[] = [];
        const [issuer] = gateways;
        if (!issuer) throw new Error('there is no gateway');
        for (const id of ids) tokens.push(await issuer.token(id));
        const homes = new Map<string, unknown>();
        for (let round = 0; round < 4; round++) {
          for (const [at, id] of ids.entries()) {
            const { status, gateway } = await get(`/records/${id}/problems/`, tokens[at]);
            expect(status).toBe(200);
            expect(homes.get(id) ?? gateway).toBe(gateway);
            homes.set(id, gateway);
          }
        }
        const at = gateways.findIndex(({ port }) => homes.get('1000001') === `127.0.0.1:${port}`);
        await gateways.splice(at, 1)[0]?.stop();
        const { status, gateway } = await get('/records/1000001/problems/', tokens[0]);
        expect(status).toBe(200);
        expect(gateway).not.toBe(homes.get('1000001'));

        const search = '/records/search?family_name=Zebrowski';
        expect((await get(search)).status).toBe(200);
        await gateways.splice(0, 1)[0]?.stop();
        expect((await get(search)).status).toBeGreaterThanOrEqual(502);
        await vi.waitFor(() => expect(logged()).toMatch(/ 50\d /u), { timeout: 10_000 });
        expect(logged()).toContain('GET /smart/records/search');
        expect(logged()).not.toContain('Zebrowski');
      },
    );
  });
});

/**
 * Makes a certificate for the loopback address, with its key, under the names that the shipped configurations have.
 * @returns the certificate
 */
function makeCertificate(folder: string): string {
  const [pem, key] = [join(folder, 'health.pem'), join(folder, 'health.key')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', pem], { stdio: 'ignore' });
  const certificate = readFileSync(pem, 'utf8');
  // HAProxy reads both from one file, nginx skips the key in it.
  appendFileSync(pem, readFileSync(key));
  return certificate;
}
