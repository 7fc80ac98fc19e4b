import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { signRequest } from '../../src/oauth/sign-request.js';
import { freePort, startPostgres, withoutPostgres, type PostgresServer } from '../disk/shared/postgres.js';
import { startTestContainer, type Credentials, type TestContainer } from '../http/container.js';
import { textOf } from './deployed.js';

/** Debian has it where only root looks. */
const nginx = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

// Without nginx or PostgreSQL on this machine there is nothing to try: `apt-get install nginx postgresql`.
describe.skipIf(nginx === undefined || withoutPostgres)(
  'gateways behind nginx, as deploy/ configures it',
  () => {
    let server: PostgresServer;
    let gateways: (TestContainer & { port: number })[];
    let url: string;
    let stopNginx: () => Promise<void>;

    beforeAll(async () => {
      server = await startPostgres(['fsync=off']);
      const store = server.createDatabase();
      const front = await freePort();
      url = `http://127.0.0.1:${front}`;
      gateways = [await gateway(store), await gateway(store)];
      await startNginx(front);
    });
    afterAll(async () => {
      await stopNginx();
      for (const each of gateways) await each.stop();
      await server.stop();
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

    /** The configuration as it is shipped, but for addresses, certificates, and a header that says who answered. */
    async function startNginx(front: number): Promise<void> {
      const folder = await mkdtemp(join(tmpdir(), 'chartgraph-nginx-'));
      const ports = gateways.map(({ port }) => `127.0.0.1:${port}`);
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      const text = textOf('deploy', 'nginx-gateways.conf')
        .replace(/10\.0\.0\.1[12]:7000/gu, () => ports.shift() ?? '')
        .replace('listen 443 ssl;', `listen 127.0.0.1:${front}; add_header X-Gateway $upstream_addr always;`)
        .replace(/^\s*ssl_certificate.*$/gmu, '')
        .replace('http {', `http { access_log off; ${folders.join(' ')}`);
      const file = join(folder, 'nginx.conf');
      await writeFile(
        file,
        `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')};\n${text}`,
      );
      const child = spawn(nginx ?? '', ['-p', folder, '-c', file], { stdio: 'ignore' });
      stopNginx = async () => {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      };
      await untilItAnswers();
    }

    async function untilItAnswers(): Promise<void> {
      const answers = (): Promise<boolean> =>
        fetch(`${url}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await answers())) await wait(50);
    }

    async function get(path: string, as: Credentials): Promise<{ status: number; gateway: string | null }> {
      const Authorization = signRequest({ method: 'GET', url: url + path, ...as });
      const response = await fetch(url + path, { headers: { Authorization } });
      await response.arrayBuffer();
      return { status: response.status, gateway: response.headers.get('X-Gateway') };
    }

    test('a record goes to the same gateway each time, and to another when that one stops', async () => {
      const ids = ['1000001', '1000002', '1000003'];
      const tokens: Credentials[] = [];
      const [issuer] = gateways;
      if (!issuer) throw new Error('there is no gateway');
      for (const id of ids) tokens.push(await issuer.token(id));
      const homes = new Map<string, string | null>();
      for (let round = 0; round < 4; round++) {
        for (const [at, id] of ids.entries()) {
          const as = tokens[at];
          if (!as) throw new Error('there is no token');
          const { status, gateway } = await get(`/records/${id}/problems/`, as);
          expect(status).toBe(200);
          expect(homes.get(id) ?? gateway).toBe(gateway);
          homes.set(id, gateway);
        }
      }
      const stopped = gateways.find(({ port }) => homes.get('1000001') === `127.0.0.1:${port}`);
      onTestFinished(() => void (gateways = gateways.filter((each) => each !== stopped)));
      await stopped?.stop();
      const [as] = tokens;
      if (!as) throw new Error('there is no token');
      const { status, gateway } = await get('/records/1000001/problems/', as);
      expect(status).toBe(200);
      expect(gateway).not.toBe(homes.get('1000001'));
    });
  },
);
