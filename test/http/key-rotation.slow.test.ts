import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { patient } from '../cli/patients.js';
import { folder, runProcess, start } from '../cli/run.js';
import { furnish, type IssuedToken } from '../setup/furnish.js';

const app = { id: 'rotating@apps.example.org', name: 'Rotating', description: 'An app.', mode: 'background' };
const WRITERS = 3;

async function serve(cwd: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = start(['serve', '--no-seed', '--port', '0', '--workers', '2'], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr?.resume();
  const exited = once(child, 'exit');
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const url = /ready at (\S+)/u.exec(said.toString())?.[1];
  if (url === undefined) throw new Error(`the server said ${said.toString()}`);
  const stop = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  return { url, stop };
}

async function ask(url: string, method: string, as: IssuedToken, body?: string): Promise<string> {
  const authorization = signRequest({
    method,
    url,
    consumerKey: as.consumer_key,
    consumerSecret: as.consumer_secret,
    token: as.oauth_token,
    tokenSecret: as.oauth_token_secret,
  });
  const headers = { authorization, 'content-type': 'text/plain' };
  const response = await fetch(url, { method, headers, body: body ?? null });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${url} was answered ${response.status}: ${text}`);
  return text;
}

it('both keys are changed while a server writes and reads: nothing is refused, and nothing is lost', async () => {
  const cwd = folder();
  const data = join(cwd, 'data');
  writeFileSync(join(cwd, 'p17.ttl'), patient('First'));
  const files = [join(cwd, 'p17.ttl')];
  const [token] = (await furnish(data, { files, app, records: ['17'] })) as [IssuedToken];
  const dataKey = async (): Promise<number> => {
    const directory = await openDataDirectory(data);
    const { current } = directory.dataKeys;
    await directory.close();
    return current;
  };
  const secretKey = (): string => readFileSync(join(data, 'secret.key'), 'utf8');
  let server = await serve(cwd);
  const paths = [
    '/records/17/apps/rotating@apps.example.org/scratchpad',
    '/users/u/apps/rotating@apps.example.org/preferences',
  ];
  const last = paths.map(() => 0);
  let reads = 0;
  let isOver = false;
  const writing = paths.map(async (path, index) => {
    while (!isOver) {
      const next = (last[index] ?? 0) + 1;
      await ask(server.url + path, 'PUT', token, String(next));
      last[index] = next;
      expect(await ask(server.url + path, 'GET', token)).toBe(String(next));
    }
  });
  const reading = Array.from({ length: WRITERS }, async () => {
    while (!isOver) {
      expect(await ask(`${server.url}/records/17/demographics`, 'GET', token)).toContain('First');
      reads++;
    }
  });
  const load = Promise.all([...writing, ...reading]);
  // What fails is told at once, not after all rotations.
  const rotate = async (...args: string[]): Promise<void> => {
    const ended = await Promise.race([runProcess(['key', 'rotate', ...args], { cwd }), load]);
    expect(ended).toMatchObject({ code: 0 });
  };
  const before = { data: await dataKey(), secret: secretKey() };
  const written = [...last];
  for (let round = 0; round < 2; round++) {
    await rotate('--data-key');
    await rotate();
  }
  isOver = true;
  await load;
  expect(last.every((number, index) => number > (written[index] ?? 0))).toBe(true);
  expect(reads).toBeGreaterThan(0);
  expect(await dataKey()).not.toBe(before.data);
  expect(secretKey()).not.toBe(before.secret);

  await server.stop();
  server = await serve(cwd);
  for (const [index, path] of paths.entries())
    expect(await ask(server.url + path, 'GET', token)).toBe(String(last[index]));
  await server.stop();
});
