import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signRequest } from '../../src/oauth/sign-request.js';
import { patient } from '../cli/patients.js';
import { folder, run, runJson, start } from '../cli/run.js';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

const app = { id: 'side@apps.example.org', name: 'Side', description: 'An app.', mode: 'background' };

interface Token {
  consumer_key: string;
  consumer_secret: string;
  oauth_token: string;
  oauth_token_secret: string;
}

describe('the log of a server that is stopped', () => {
  it.each([
    ['one process', '1', 'SIGTERM'],
    ['one process', '1', 'SIGINT'],
    ['two workers', '2', 'SIGTERM'],
  ] as const)('has every line, of %s (%s, %s)', async (_, workers, signal) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'p17.ttl'), patient('First'));
    writeFileSync(join(cwd, 'app.json'), JSON.stringify(app));
    for (const args of [
      ['load', 'p17.ttl'],
      ['app', 'add', 'app.json'],
      ['user', 'add', 'u', '--given-name', 'G', '--family-name', 'F', '--record', '17'],
    ]) {
      expect(await run(args, { cwd })).toMatchObject({ code: 0 });
    }
    const issue = ['token', 'issue', '--app', app.id, '--user', 'u', '--record', '17'];
    const token = (await runJson(issue, { cwd })) as Token;
    const child = start(['serve', '--no-seed', '--port', '0', '--workers', workers], { cwd });
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
