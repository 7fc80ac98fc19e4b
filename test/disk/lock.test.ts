import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openDataDirectory } from '../../src/disk/data-directory.js';
import { holdForServing } from '../../src/disk/lock.js';
import { processStart } from '../../src/disk/processes.js';
import { temporaryFolder } from './temporary.js';

async function dataDirectory(): Promise<string> {
  const dir = await temporaryFolder();
  await (await openDataDirectory(dir, { create: true })).close();
  return dir;
}

describe('holding a directory for serving', () => {
  test('a second server is refused until the first gives it back', async () => {
    const dir = await dataDirectory();
    const release = await holdForServing(dir);
    await expect(holdForServing(dir)).rejects.toThrow(
      `Another server (process ${process.pid}) is running on ${dir}`,
    );
    await release();
    await release();
    await (
      await holdForServing(dir)
    )();
  });

  test('of many that try at once one succeeds', async () => {
    const dir = await dataDirectory();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => holdForServing(dir)));
    const held = tries.filter((result) => result.status === 'fulfilled');
    expect(held).toHaveLength(1);
    await held[0]?.value();
  });

  test('a killed server does not stand in the way', async () => {
    const dir = await dataDirectory();
    const child = fork(new URL('hold.mjs', import.meta.url), [dir]);
    await once(child, 'message');
    await expect(holdForServing(dir)).rejects.toThrow(`process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (
      await holdForServing(dir)
    )();
  });

  // Skipped where the system does not tell when a process began (no /proc): there only the number can be compared.
  test.skipIf(processStart(process.pid) === undefined)(
    'a process that has the number of a dead server is not taken for it',
    async () => {
      const dir = await dataDirectory();
      const directory = await openDataDirectory(dir);
      const release = await holdForServing(dir);
      await directory.transact((tx) => {
        const holder = tx.get('serving', 'holder') as object;
        tx.put('serving', 'holder', { ...holder, start: '1' });
      });
      await (
        await holdForServing(dir)
      )();
      await release();
      await directory.close();
    },
  );
});
