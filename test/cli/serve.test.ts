import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageVersion } from '../../src/cli/package.js';
import { patient } from './patients.js';
import { folder, run, runJson, runProcess } from './run.js';
import { serve, SOON, stopped } from './served.js';

const app = { id: 'side@apps.example.org', name: 'Side', description: 'An app.', mode: 'background' };

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
    const { code, stdout, stderr } = await runProcess(['serve', '--port', '0'], inCwd);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^chartgraph: Another server [^\n]+\n$/u);
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  });

  test('a taken port is one line, and makes no data directory', async () => {
    const { port } = new URL(server.url);
    const { code, stderr } = await runProcess(
      ['serve', '--port', port, '--no-seed', '--data', 'other'],
      inCwd,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: Port \d+ on [^\n]* is taken[^\n]*\n$/u);
    // No directory is made or filled for a server that cannot run.
    expect(existsSync(join(cwd, 'other'))).toBe(false);
  });

  test('SIGTERM stops it soon, with code 0', async () => {
    const { code, took } = await stopped(server.child, 'SIGTERM');
    expect(code).toBe(0);
    expect(took).toBeLessThan(SOON);
    const lines = server
      .stderr()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const ready = { version: packageVersion(), data: join(cwd, 'data'), url: server.url };
    expect(lines).toContainEqual(expect.objectContaining({ ...ready, msg: 'the container is ready' }));
    expect(lines.at(-1)).toMatchObject({ msg: 'the container has stopped' });
  });
});

describe('serve', () => {
  test('an ontology that cannot be read stops it with one line and makes no data directory', async () => {
    const cwd = folder();
    const { code, stdout, stderr } = await runProcess(['serve', '--port', '0', '--ontology', 'nowhere'], {
      cwd,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^chartgraph: [^\n]*nowhere[^\n]*\n$/u);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});
