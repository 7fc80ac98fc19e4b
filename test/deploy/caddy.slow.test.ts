import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestContainer } from '../http/container.js';
import { freePort } from '../store/postgres/postgres.js';
import { textOf } from './deployed.js';

// Where there is no Caddy there is nothing to try: `apt-get install caddy`.
test.skipIf(spawnSync('caddy', ['version']).status !== 0)(
  'Caddy, as deploy/ configures it, passes on requests below the base path and logs no query',
  async () => {
    const [front, port] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${front}/smart`;
    const container = await startTestContainer({ port, baseUrl: url, trustProxy: ['127.0.0.1'] });
    const folder = await mkdtemp(join(tmpdir(), 'chartgraph-caddy-'));
    const file = join(folder, 'Caddyfile');
    await writeFile(file, textOf('deploy', 'Caddyfile').replace('chartgraph:7000', `127.0.0.1:${port}`));
    const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, HOME: folder, RECORDS_HOST: `http://127.0.0.1:${front}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let logged = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (logged += text));
    const ended = once(child, 'exit');
    try {
      while ((await fetch(`${url}/health/live`).catch(() => undefined))?.status !== 200) {
        if (child.exitCode !== null) throw new Error(`Caddy ended with ${child.exitCode}: ${logged}`);
        await wait(50);
      }
      const search = `${url}/records/search?family_name=Zebrowski`;
      expect((await fetch(search)).status).toBe(200);
      await container.stop();
      const headers = { Referer: search };
      expect((await fetch(search, { headers })).status).toBe(502);
      while (!logged.includes('/smart/records/search')) await wait(50);
      expect(logged).not.toContain('Zebrowski');
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  },
);
