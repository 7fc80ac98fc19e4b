import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineOf } from '../../src/cli/command-errors.js';
import { folder, run } from './run.js';

// Linux alone has a device that is always full.
test.skipIf(process.platform !== 'linux')('a full disk is told with what to do about it', async () => {
  let written: unknown;
  try {
    writeFileSync('/dev/full', 'x');
  } catch (error) {
    written = error;
  }
  const [streamed] = (await once(
    createWriteStream('/dev/full')
      .end('x')
      .on('error', () => undefined),
    'error',
  )) as [Error];
  for (const error of [written, streamed])
    expect(lineOf(error)).toMatch(/^No room is left on the disk .*: make some, then try again \(ENOSPC: /u);
});

test('a full disk is told with the file where the system names it', () => {
  const error = Object.assign(new Error('EDQUOT: disk quota exceeded'), { code: 'EDQUOT', path: '/data/x' });
  expect(lineOf(error)).toContain('/data/x');
});

const directory = folder();
test.each([
  ['a manifest', ['app', 'add', directory]],
  ['a query', ['query', directory, '--server', 'http://localhost:9', '--token', 'token.json']],
  ['a token to sign with', ['sign', 'GET', 'http://localhost/', '--token', directory]],
  ['a checkpoint', ['audit', 'verify', '--data', directory, '--checkpoint', directory]],
])('a directory in the place of %s is named', async (_, args) => {
  expect(await run(args)).toEqual({
    code: 1,
    stdout: '',
    stderr: `chartgraph: A directory, not a file: ${directory}\n`,
  });
});

test('a token for queries goes to no other machine unencrypted', async () => {
  const file = join(directory, 'any');
  writeFileSync(file, 'ASK {}');
  expect(await run(['query', file, '--server', 'http://192.0.2.2:9', '--token', file])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'chartgraph: http://192.0.2.2:9 is no https address: the token would go to another machine unencrypted.\n',
  });
});

test('a token for queries follows no redirection', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(307, { Location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const file = join(directory, 'token');
  writeFileSync(file, 'any');
  const { port } = server.address() as AddressInfo;
  const ended = await run(['query', file, '--server', `http://127.0.0.1:${port}`, '--token', file]);
  server.close();
  expect([ended.code, ended.stdout, asked]).toEqual([1, '', ['/sparql']]);
});
