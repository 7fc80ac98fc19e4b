import { execFileSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { patient } from '../cli/patients.js';
import { folder, run, runProcess, start } from '../cli/run.js';
import { furnish, type IssuedToken } from '../setup/furnish.js';

const READY = /^Chartgraph ready at (\S+)\n/u;
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
}

function serve(cwd: string, args: readonly string[]): Promise<Serving> {
  const child = start(['serve', '--no-seed', ...args], { cwd });
  started.push(child);
  let stdout = '';
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      reject(new Error(`serve ended with ${code}: ${stderr}`));
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const url = READY.exec((stdout += text))?.[1];
      if (url !== undefined) resolve({ child, url });
    });
  });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });
}

/** The workers of a server, by their ids; the process of analysts stands beside them. */
function workersOf({ child }: Serving): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(child.pid), '-f', String.raw`worker\.js`], {
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    return [];
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const limit = Date.now() + 100_000; Date.now() < limit; await pause(50)) if (await holds()) return;
  throw new Error(`${what}: not within 100 s`);
}

/** Status and text of a request on a connection of its own; status 0 when nobody answers. */
function get(url: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const request = send(url, { headers: { ...headers, connection: 'close' }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('close', () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.on('error', () => {
      resolve({ status: 0, text: '' });
    });
    // Node.js never answers a connection that it was handing to a worker in the moment when that was killed.
    request.setTimeout(15_000, () => request.destroy(new Error('no answer')));
    request.end();
  });
}

const app = { id: 'side@apps.example.org', name: 'Side', description: 'An app.', mode: 'background' };

describe('several processes on one data directory', () => {
  const cwd = folder();
  let server: Serving;
  let token: IssuedToken;

  beforeAll(async () => {
    writeFileSync(join(cwd, 'p17.ttl'), patient('First'));
    const files = [join(cwd, 'p17.ttl')];
    [token] = (await furnish(join(cwd, 'data'), { files, app, records: ['17'] })) as [IssuedToken];
    server = await serve(cwd, ['--port', '0', '--workers', '2']);
  });

  /** The demographics of the record, asked for with a new signature. */
  function demographics(): Promise<{ status: number; text: string }> {
    const url = `${server.url}/records/17/demographics`;
    const authorization = signRequest({
      method: 'GET',
      url,
      consumerKey: token.consumer_key,
      consumerSecret: token.consumer_secret,
      token: token.oauth_token,
      tokenSecret: token.oauth_token_secret,
    });
    return get(url, { authorization });
  }

  it('each worker answers, and all see at once what a command wrote', async () => {
    expect(workersOf(server)).toHaveLength(2);
    for (const name of ['Second', 'Third']) {
      writeFileSync(join(cwd, 'p17.ttl'), patient(name));
      expect(await run(['load', 'p17.ttl'], { cwd })).toMatchObject({ code: 0 });
      const answers = await Promise.all(Array.from({ length: 12 }, demographics));
      for (const { status, text } of answers) {
        expect(status).toBe(200);
        expect(text).toContain(name);
      }
    }
  });

  it('a signature serves once, whichever worker sees it', async () => {
    const url = `${server.url}/records/17/demographics`;
    const authorization = signRequest({
      method: 'GET',
      url,
      consumerKey: token.consumer_key,
      consumerSecret: token.consumer_secret,
      token: token.oauth_token,
      tokenSecret: token.oauth_token_secret,
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(url, { authorization })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
  });

  it('a second serve on the directory is refused, and the first goes on', async () => {
    const { code, stderr } = await runProcess(['serve', '--no-seed', '--port', '0', '--workers', '2'], {
      cwd,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^chartgraph: Another server [^\n]+\n$/u);
    expect((await demographics()).status).toBe(200);
  });

  it('kill -9 of a worker is survived: the other answers, a new one takes its place, the address stays', async () => {
    const before = workersOf(server);
    const [victim = 0, survivor = 0] = before;
    process.kill(victim, 'SIGKILL');
    await until(() => !isAlive(victim), 'the worker dies');
    await pause(200);
    const meanwhile = await Promise.all(Array.from({ length: 6 }, demographics));
    expect(meanwhile.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await until(() => workersOf(server).length === 2, 'a new worker');
    expect(workersOf(server)).toContain(survivor);
    // The other one now, so that only the new worker can answer.
    process.kill(survivor, 'SIGKILL');
    await until(async () => (await demographics()).status === 200, 'the new worker answers');
    expect((await demographics()).text).toContain('Third');
    await until(() => workersOf(server).length === 2 && !workersOf(server).includes(survivor), 'two workers');
  });

  it('SIGTERM stops all of them within five seconds, with code 0, also with a connection left open', async () => {
    const workers = workersOf(server);
    const idle = await fetch(`${server.url}/health/live`);
    await idle.text();
    const asked = Date.now();
    server.child.kill('SIGTERM');
    expect(await ended(server.child)).toBe(0);
    expect(Date.now() - asked).toBeLessThan(5000);
    await until(() => workers.every((pid) => !isAlive(pid)), 'no worker is left');
  });

  it('kill -9 of the first process ends its workers, and frees the directory and the port', async () => {
    const { port } = new URL(server.url);
    server = await serve(cwd, ['--port', port, '--workers', '2']);
    const workers = workersOf(server);
    expect(workers).toHaveLength(2);
    server.child.kill('SIGKILL');
    await until(() => workers.every((pid) => !isAlive(pid)), 'no worker is left');
    server = await serve(cwd, ['--port', port]);
    expect((await demographics()).text).toContain('Third');
    server.child.kill('SIGTERM');
    expect(await ended(server.child)).toBe(0);
  });
});
