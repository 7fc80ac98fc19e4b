import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { freePort } from '../store/postgres/postgres.js';
import { packageVersion } from '../../src/cli/package.js';
import { patient } from './patients.js';
import { folder, onTerminal, run, runJson, runProcess } from './run.js';
import { READY, serve, SOON, stopped } from './served.js';

const app = { id: 'side@apps.example.org', name: 'Side', description: 'An app.', mode: 'background' };

/** For cases that are about no other process: each takes processor time to start. */
const alone = ['--workers', '1', '--analysts', 'off', '--no-examples'];

describe('serve', () => {
  test('fills an empty directory with the seed, serves it under its base URL, and stops at SIGINT', async () => {
    const cwd = folder();
    const { child, url } = await serve(
      [
        '--base-url',
        'https://h.example/chart/',
        '--container-access',
        'open',
        '--workers',
        '1',
        '--analysts',
        'off',
      ],
      cwd,
    );
    expect(url).toBe('https://h.example/chart');
    const records = (await runJson(['record', 'list', '--json'], { cwd })) as { record_id: string }[];
    expect(records.map(({ record_id }) => record_id)).toEqual(expect.arrayContaining(['1000001', '1000008']));
    expect((await stopped(child, 'SIGINT')).code).toBe(0);
    // Commands are not told the URL again.
    const record = '<https://h.example/chart/records/1000001>';
    expect((await run(['export', '--record', '1000001'], { cwd })).stdout).toContain(record);
    writeFileSync(
      join(cwd, 'q.rq'),
      'SELECT DISTINCT ?s { ?s a <http://smartplatforms.org/terms#MedicalRecord> }',
    );
    expect((await run(['query', 'q.rq', '--format', 'tsv'], { cwd })).stdout).toContain(record);
    expect((await run(['audit', '--format', 'turtle'], { cwd })).stdout).toContain(
      'https://h.example/chart/',
    );
    writeFileSync(join(cwd, 'p17.ttl'), patient('Byron'));
    expect(await run(['load', 'p17.ttl'], { cwd })).toMatchObject({ code: 0 });
    expect((await run(['export', '--record', '17'], { cwd })).stdout).toContain(
      '<https://h.example/chart/records/17>',
    );
    // A backup does not tell under which URL it is restored.
    expect((await run(['backup', 'b.bak'], { cwd })).code).toBe(0);
    expect((await run(['restore', 'b.bak'], { cwd })).code).toBe(0);
    expect((await run(['export', '--record', '1000001'], { cwd })).stdout).toContain(record);
    const other = folder();
    const secret = join(cwd, 'data', 'secret.key');
    const env = { CHARTGRAPH_SECRET_KEY: readFileSync(secret, 'utf8').trim() };
    expect(await run(['restore', join(cwd, 'b.bak')], { cwd: other, env })).toMatchObject({ code: 0 });
    expect((await run(['export', '--record', '1000001'], { cwd: other, env })).stdout).toContain(
      '<http://localhost:7000/records/1000001>',
    );
    const { stdout } = await run(['export', '--record', '1000001', '--base-url', 'http://other.example'], {
      cwd,
    });
    expect(stdout).toContain('<http://other.example/records/1000001>');
    expect(stdout).not.toContain('h.example/chart');
  });

  test('has commands read and write IRIs below the port that it was given alone', async () => {
    const cwd = folder();
    const port = String(await freePort());
    const { child } = await serve(['--port', port, ...alone], cwd);
    await stopped(child, 'SIGINT');
    const { stdout } = await run(['export', '--record', '1000001'], { cwd });
    expect(stdout).toContain(`<http://localhost:${port}/records/1000001>`);
    expect(stdout).not.toContain('localhost:7000');
  });

  test('the server that makes a directory says so in its log, and ends well after its key was changed', async () => {
    const cwd = folder();
    const [key, fresh] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const { child } = await serve(['--no-seed', ...alone], cwd, { CHARTGRAPH_SECRET_KEY: key });
    const rotating = { CHARTGRAPH_SECRET_KEY: key, CHARTGRAPH_NEW_SECRET_KEY: fresh };
    expect(await run(['key', 'rotate'], { cwd, env: rotating })).toMatchObject({ code: 0 });
    expect((await stopped(child, 'SIGTERM')).code).toBe(0);
    const env = { CHARTGRAPH_SECRET_KEY: fresh };
    const entries = (await runJson(['audit', '--json'], { cwd, env })) as {
      action: string;
      outcome: string;
    }[];
    const outcomes = entries.filter(({ action }) => action === 'serve').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['begun', 'done']);
  });

  test('an address that is not of this machine is told with the setting that names it', async () => {
    for (const workers of ['1', '2']) {
      const args = ['serve', '--host', '192.0.2.1', '--container-access', 'signed', '--no-seed'];
      const ended = await runProcess([...args, '--port', '0', '--workers', workers], { cwd: folder() });
      expect(ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('This machine has no address 192.0.2.1; choose another with --host.'),
      });
    }
  });

  test('workers that may listen anywhere try another port when theirs is taken before they have it', async () => {
    const takePort = new URL('take-port.mjs', import.meta.url).href;
    const env = { NODE_OPTIONS: `--import ${takePort}` };
    const args = ['--no-seed', '--workers', '2', '--analysts', 'off'];
    const { child, url, stderr } = await serve(args, folder(), env);
    // What it says on one stream may come later than what it says on the other.
    await expect.poll(stderr).toMatch(/port \d+ is taken/u);
    const [, taken] = /port (\d+) is taken/u.exec(stderr()) ?? [];
    expect(new URL(url).port).not.toBe(taken);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await stopped(child, 'SIGTERM')).code).toBe(0);
  });

  test('a page of the store that is damaged and that nobody has read yet stops it with one line', async () => {
    const cwd = folder();
    const directory = await openDataDirectory(join(cwd, 'data'), { create: true });
    await directory.transact((tx) => {
      for (let number = 0; number < 3000; number++)
        tx.put('savedQueries', `nobody q${number}`, 'x'.repeat(1000));
    });
    await directory.close();
    const file = join(cwd, 'data', 'store', 'data.mdb');
    const bytes = readFileSync(file);
    const page = 4096 * Math.floor(bytes.indexOf('nobody q2500') / 4096);
    writeFileSync(file, bytes.fill(7, page, page + 64));
    const { code, stdout, stderr } = await runProcess(['serve', '--port', '0', '--no-seed', ...alone], {
      cwd,
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(READY);
    const sentence = /data\.mdb is damaged: page \d+ is not what belongs there\. Restore a backup/u;
    expect(stderr).toMatch(sentence);
    const logged = stderr.split('\n').filter((line) => line.includes('"level":60') && sentence.test(line));
    expect(logged).toHaveLength(1);
  });

  test('several workers see what a command writes', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'app.json'), JSON.stringify(app));
    const { child, url } = await serve(['--no-seed', '--workers', '2', '--analysts', 'off'], cwd);
    await run(['app', 'add', 'app.json'], { cwd });
    const asked = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() =>
        fetch(`${url}/apps/${app.id}/manifest`, { headers: { connection: 'close' } }),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const { code, took } = await stopped(child, 'SIGTERM');
    expect(code).toBe(0);
    expect(took).toBeLessThan(SOON);
  });
});

describe('on a terminal, serve says in words', () => {
  const started = async (args: string[], cwd = folder()) => {
    const server = await serve([...alone, ...args], cwd, onTerminal, /^  Stop:/mu);
    return { ...server, cwd };
  };

  test('what it does, and how the first user is added', async () => {
    const { child, url, stdout, stderr, cwd } = await started(['--no-seed']);
    await stopped(child, 'SIGINT');
    expect(stdout()).toBe(
      [
        `Chartgraph ${packageVersion()} is starting with the data in ${join(cwd, 'data')}.`,
        `Chartgraph ready at ${url}`,
        '  Add the first user:  chartgraph user add ID --given-name NAME --family-name NAME --role admin',
        `  Documentation:  ${url}/docs`,
        '  Stop:  Ctrl-C',
        'Chartgraph has stopped.',
        '',
      ].join('\n'),
    );
    expect(stderr()).not.toContain('the container is ready');
  });

  test('who can sign in, with the data directory where it is not the usual one', async () => {
    const cwd = folder();
    const data = join(cwd, 'elsewhere');
    const names = ['--given-name', 'G', '--family-name', 'F', '--role', 'clinician'];
    expect(await run(['user', 'add', 'kim', ...names, '--data', data])).toMatchObject({ code: 0 });
    const { child, url, stdout } = await started(['--no-seed', '--data', data], cwd);
    await stopped(child, 'SIGINT');
    expect(stdout()).toContain(
      `  Sign in:  open ${url} as kim; in a second shell, chartgraph user password kim --data ${data} sets the password\n`,
    );
  });
});
