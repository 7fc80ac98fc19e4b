import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../disk/shared/postgres.js';
import { patient } from './patients.js';
import { folder, run, runJson, start } from './run.js';

const app = { id: 'side@apps.example.org', name: 'Side', description: 'An app.', mode: 'background' };
const READY = /^Chartgraph ready at (\S+)\n/u;

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** For cases that are about no other process: each takes processor time to start. */
const alone = ['--workers', '1', '--analysts', 'off', '--no-examples'];

/** Starts a server and resolves to its base URL when it says that it is ready. */
function serve(
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; url: string; stdout: () => string; stderr: () => string }> {
  const child = start(['serve', '--port', '0', ...args], { cwd, env });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const url = READY.exec(stdout)?.[1];
      if (url !== undefined) resolve({ child, url, stdout: () => stdout, stderr: () => stderr });
    });
  });
}

function stopped(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; took: number }> {
  const asked = Date.now();
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, took: Date.now() - asked }));
    child.kill(signal);
  });
}

describe('commands beside a running server', () => {
  const cwd = folder();
  const inCwd = { cwd };
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    writeFileSync(join(cwd, 'p17.ttl'), patient('Byron'));
    writeFileSync(join(cwd, 'app.json'), JSON.stringify(app));
    server = await serve(['--no-seed'], cwd);
  });

  test('the first and only line on stdout says where it answers', async () => {
    expect(server.stdout()).toBe(`Chartgraph ready at ${server.url}\n`);
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  });

  test('what they write is served at once, to whom they gave a token', async () => {
    expect(await run(['load', 'p17.ttl'], inCwd)).toMatchObject({ code: 0 });
    expect(await run(['app', 'add', 'app.json'], inCwd)).toMatchObject({ code: 0 });
    const names = ['--given-name', 'G', '--family-name', 'F'];
    expect(await run(['user', 'add', 'u', ...names, '--record', '17'], inCwd)).toMatchObject({ code: 0 });
    const issue = ['token', 'issue', '--app', app.id, '--user', 'u', '--record', '17'];
    writeFileSync(join(cwd, 'token.json'), JSON.stringify(await runJson(issue, inCwd)));

    const url = `${server.url}/records/17/demographics`;
    expect((await fetch(url)).status).toBe(401);
    const get = async (): Promise<Response> => {
      const { stdout } = await run(['sign', 'GET', url, '--token', 'token.json'], inCwd);
      return fetch(url, { headers: { authorization: stdout.trim().replace(/^Authorization: /u, '') } });
    };
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Byron');

    const [{ token_id } = { token_id: '' }] = (await runJson(['token', 'list', '--json'], inCwd)) as {
      token_id: string;
    }[];
    await run(['token', 'revoke', token_id], inCwd);
    expect((await get()).status).toBe(401);
  });

  test('they see what the server wrote at its start', async () => {
    const { stdout } = await run(['query'], { cwd, stdin: 'SELECT ?g { GRAPH ?g { ?g a ?t } }' });
    expect(stdout).toContain('/manifest\n');
  });

  test('a second serve on the directory is refused, and the first goes on', async () => {
    const { code, stdout, stderr } = await run(['serve', '--port', '0'], inCwd);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^chartgraph: Another server [^\n]+\n$/u);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  });

  test('a taken port is one line', async () => {
    const { port } = new URL(server.url);
    const { code, stderr } = await run(['serve', '--port', port, '--no-seed', '--data', 'other'], inCwd);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: [^\n]*port[^\n]*\n$/iu);
  });

  test('SIGTERM stops it within five seconds, with code 0', async () => {
    const { code, took } = await stopped(server.child, 'SIGTERM');
    expect(code).toBe(0);
    expect(took).toBeLessThan(5000);
  });
});

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
    const synth = ['synth', '--patients', '1', '--first', '3000001', '--demographics', '--load'];
    expect(await run(synth, { cwd })).toMatchObject({ code: 0 });
    expect((await run(['export', '--record', '3000001'], { cwd })).stdout).toContain(
      '<https://h.example/chart/records/3000001>',
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
      const ended = await run([...args, '--port', '0', '--workers', workers], { cwd: folder() });
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
    const [, taken] = /port (\d+) is taken/.exec(stderr()) ?? [];
    expect(taken).toBeDefined();
    expect(new URL(url).port).not.toBe(taken);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect((await stopped(child, 'SIGTERM')).code).toBe(0);
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
    expect(took).toBeLessThan(5000);
  }, 120_000);

  test('an ontology that cannot be read stops it with one line and makes no data directory', async () => {
    const cwd = folder();
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--ontology', 'nowhere'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^chartgraph: [^\n]*nowhere[^\n]*\n$/u);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});
