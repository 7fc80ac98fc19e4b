import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('log-lines.mjs', import.meta.url));

test('all lines are out when the process ends, whole and in their order', async () => {
  const child = spawn(process.execPath, ['--expose-gc', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = await text(child.stderr);
  const lines = said.trimEnd().split('\n');
  expect(lines).toHaveLength(70 * 500);
  expect(new Set(lines.map((line) => (JSON.parse(line) as { msg: string }).msg))).toEqual(new Set(['é']));
});

test('lines that nobody reads any more take no memory', async () => {
  const child = spawn(process.execPath, ['--expose-gc', script], { stdio: ['pipe', 'pipe', 'pipe'] });
  await once(child.stderr, 'data');
  child.stderr.destroy();
  // Only now: a process that is late would let lines gather that it is about to read.
  child.stdin.end();
  // Thirty thousand lines of 600 bytes.
  expect(Number(await text(child.stdout))).toBeLessThan(4_000_000);
});
