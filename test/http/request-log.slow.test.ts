import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/access/oauth/sign-request.js';
import { patient } from '../cli/patients.js';
import { folder, start } from '../cli/run.js';
import { furnish } from '../setup/furnish.js';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

const app = { id: 'side@apps.example.org', name: 'Side', description: 'An app.', mode: 'background' };

describe('the log of a server that is stopped', () => {
  it.each([
    ['one process', '1', 'SIGTERM'],
    ['one process', '1', 'SIGINT'],
    ['two workers', '2', 'SIGTERM'],
  ] as const)('has every line, of %s (%s, %s)', async (_, workers, signal) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'p17.ttl'), patient('First'));
    const files = [join(cwd, 'p17.ttl')];
    const [token] = await furnish(join(cwd, 'data'), { files, app, records: ['17'] });
    if (!token) throw new Error('no token');
    const child = start(['serve', '--no-seed', '--port', '0', '--workers', workers, '--analysts', 'off'], {
      cwd,
    });
    started.push(child);
    let lines = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (lines += text));
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.once('exit', () => {
        reject(new Error(lines));
      });
      child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        const ready = /ready at (\S+)\n/.exec((text += piece))?.[1];
        if (ready !== undefined) resolve(ready);
      });
    });
    const path = `${url}/records/17/apps/${app.id}/scratchpad`;
    const Authorization = (): string =>
      signRequest({
        ...{
          method: 'PUT',
          url: path,
          consumerKey: token.consumer_key,
          consumerSecret: token.consumer_secret,
        },
        ...{ token: token.oauth_token, tokenSecret: token.oauth_token_secret },
      });
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async (__, n) => {
        const headers = { Authorization: Authorization(), 'Content-Type': 'text/plain' };
        return (await fetch(path, { method: 'PUT', headers, body: `text ${n}` })).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    // Every answer is there; their lines may still wait to be written.
    child.removeAllListeners('exit').kill(signal);
    await new Promise((resolve) => child.once('close', resolve));
    const read = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(read.filter(({ audit }) => audit === 'write')).toHaveLength(30);
    expect(read.filter(({ msg, method }) => msg === 'request' && method === 'PUT')).toHaveLength(30);
  });
});
