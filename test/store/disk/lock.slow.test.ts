import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { holdForServing, joinServing } from '../../../src/store/disk/lock.js';
import { isRunning, pidNamespace, processStart } from '../../../src/store/disk/processes.js';
import { temporaryFolder } from './temporary.js';

async function dataDirectory(whenFinished = onTestFinished): Promise<string> {
  const dir = await temporaryFolder(whenFinished);
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

  test('a living process whose number a dead server had does not stand in the way', async () => {
    const dir = await dataDirectory();
    await mkdir(join(dir, 'locks'), { recursive: true });
    const me = { pid: process.pid, start: processStart(process.pid), namespace: pidNamespace() };
    await writeFile(join(dir, 'locks', 'serving'), JSON.stringify(me));
    await (
      await holdForServing(dir)
    )();
  });

  test('a server that nobody has waited for since it died does not stand in the way', async () => {
    const dir = await dataDirectory();
    // The shell becomes a program that never waits for the child that it started.
    const parent = spawn('bash', [
      '-c',
      `"${process.execPath}" "${holder}" "${dir}" & echo $!; exec sleep 60`,
    ]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString().trim());
    await once(parent.stdout, 'data');
    process.kill(pid, 'SIGKILL');
    await untilIs(() => stateOf(pid) === 'Z');
    expect(isRunning(pid)).toBe(false);
    await (
      await holdForServing(dir)
    )();
    expect(stateOf(pid)).toBe('Z');
  });

  test('workers of the server before are waited for', async () => {
    const dir = await dataDirectory();
    const leave = joinServing(dir);
    setTimeout(leave, 500);
    const began = performance.now();
    const release = await holdForServing(dir);
    expect(performance.now() - began).toBeGreaterThan(400);
    // And those of this one may come.
    joinServing(dir)();
    await release();
  });
});

const canUnshare = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

// Skipped where no PID namespace can be made: only root can, and only on Linux. Each of these waits for ten seconds in
// vain, and does nothing meanwhile: so they wait together.
describe
  .skipIf(!canUnshare)
  .concurrent('another PID namespace on the same volume', { timeout: 60_000 }, () => {
    const elsewhere = (script: string, ...args: string[]) =>
      spawn(
        'unshare',
        ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, script, ...args],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );

    test('never serves beside a server, and neither sees the other for dead', async ({
      expect,
      onTestFinished,
    }) => {
      const dir = await dataDirectory(onTestFinished);
      // Both have the process id 1.
      const first = elsewhere(holder, dir);
      onTestFinished(() => void first.kill('SIGKILL'));
      await once(first.stdout, 'data');
      const second = elsewhere(holder, dir);
      const refused = text(second.stderr);
      await expect(holdForServing(dir)).rejects.toThrow('Another server (process 1 of another container)');
      expect(await refused).toMatch(/Another server \(process 1 of another container\) is running/);
      first.kill('SIGKILL');
      await (
        await holdForServing(dir)
      )();
    });

    test('does not use the store at the same time, and says what to do', async ({
      expect,
      onTestFinished,
    }) => {
      const dir = await dataDirectory(onTestFinished);
      const reader = elsewhere(fileURLToPath(new URL('open.mjs', import.meta.url)), dir);
      onTestFinished(() => void reader.kill('SIGKILL'));
      await once(reader.stdout, 'data');
      await expect(openDataDirectory(dir)).rejects.toThrow(
        /is in use in another container \(PID namespace\): run the command there, or stop what runs there\.$/,
      );
      reader.kill('SIGKILL');
      await (await openDataDirectory(dir)).close();
    });
  });

describe('who waits for the write lock', () => {
  // Skipped where neither /proc nor the layout of the mutex tells: only there is the process known.
  test.skipIf(process.platform !== 'linux')(
    'says after five seconds which process holds it',
    { timeout: 120_000 },
    async () => {
      const dir = await dataDirectory();
      const other = fork(new URL('write-long.mjs', import.meta.url), [dir]);
      onTestFinished(() => void other.kill('SIGKILL'));
      await once(other, 'message');
      const heard = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      onTestFinished(() => heard.mockRestore());
      const opening = openDataDirectory(dir);
      await untilIs(() => heard.mock.calls.length > 0);
      expect(String(heard.mock.calls[0]?.[0])).toContain(`which process ${other.pid} holds`);
      other.kill('SIGKILL');
      const directory = await opening;
      await directory.transact((tx) => tx.put('graphs', '/a', 'x'));
      await directory.close();
    },
  );
});

const holder = fileURLToPath(new URL('hold.mjs', import.meta.url));

function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

async function untilIs(holds: () => boolean): Promise<void> {
  for (const limit = Date.now() + 60_000; !holds(); await wait(20)) expect(Date.now()).toBeLessThan(limit);
}
