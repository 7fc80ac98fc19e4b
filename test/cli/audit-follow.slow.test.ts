import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openedLog, reading } from '../access/log/opened-log.js';

const program = fileURLToPath(new URL('../../dist/cli/chartgraph.js', import.meta.url));

test('entries come as lines of JSON, and a later run goes on where the position stands', async () => {
  const { log, dir } = await openedLog();
  const position = join(dir, 'position');
  const follow = () => {
    const child = spawn(process.execPath, [
      program,
      'audit',
      'follow',
      '--data',
      dir,
      '--position',
      position,
    ]);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return {
      next: async () => JSON.parse(String((await lines.next()).value)) as { number: number; action: string },
      end: async () => {
        child.kill();
        await once(child, 'close');
      },
    };
  };
  await log.record(reading);
  const first = follow();
  const read = await first.next();
  expect(read).toMatchObject({ action: 'read', actor: 'clinician', record: '1000001', outcome: 'done' });
  await log.record({ ...reading, record: '2' });
  const last = await first.next();
  expect(last).toMatchObject({ record: '2', number: read.number + 1 });
  await expect.poll(() => readFile(position, 'utf8').catch(() => '')).toBe(`${last.number}\n`);
  await first.end();
  const second = follow();
  await log.record({ ...reading, record: '3' });
  expect(await second.next()).toMatchObject({ record: '3', number: last.number + 1 });
  await second.end();
});
