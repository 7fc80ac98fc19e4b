import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { temporaryFolder } from './temporary.js';

/** With LMDB's own number (mdb_env_info) one look of 2,000 is ahead on a disk in memory, and one of four on others. */
const LOOKS = 300_000;
const turn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test('the number of the last commit is never ahead of what is read after it, while another process writes', async () => {
  const dir = await temporaryFolder();
  const directory = await openDataDirectory(dir, { create: true });
  const written = (): number => directory.read((tx) => tx.get('meta', 'number') as number);
  const child = fork(new URL('write-on.mjs', import.meta.url), [dir]);
  try {
    await once(child, 'message');
    /** What is left of a number when what was read after it is taken away. */
    const ahead = new Set<number>();
    for (let look = 0; look < LOOKS; look++) {
      ahead.add(directory.lastCommit - written());
      // A number is asked for once in a turn.
      await turn();
    }
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const atRest = directory.lastCommit - written();
    expect(Math.max(...ahead)).toBe(atRest);
    expect(written()).toBeGreaterThan(100);
  } finally {
    child.kill('SIGKILL');
    await directory.close();
  }
});
