import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openNonces, type Nonces } from '../../../src/store/disk/nonces.js';
import { temporaryFolder } from './temporary.js';

async function opened(dir: string, clock?: () => number): Promise<Nonces> {
  const nonces = await openNonces(dir, clock ? { clock } : {});
  onTestFinished(() => nonces.close());
  return nonces;
}

const soon = () => Date.now() + 300_000;

describe('nonces', () => {
  test('a key is new once, whatever its length and characters', async () => {
    const nonces = await opened(await temporaryFolder());
    for (const key of ['a', '', 'ä\u0000', 'k'.repeat(100_000), 'k'.repeat(99_999)]) {
      expect(await nonces.remember(key, soon())).toBe(true);
      expect(await nonces.remember(key, soon())).toBe(false);
    }
  });

  test('a repetition is refused whatever time comes with it', async () => {
    const nonces = await opened(await temporaryFolder());
    expect(await nonces.remember('a', soon())).toBe(true);
    expect(await nonces.remember('a', soon() + 5000)).toBe(false);
  });

  test('what has expired is forgotten', async () => {
    let now = 2e12;
    const nonces = await opened(await temporaryFolder(), () => now);
    for (let number = 0; number < 100; number++) await nonces.remember(`old ${number}`, now + 1000);
    now += 2000;
    for (let number = 0; number < 30; number++) await nonces.remember(`new ${number}`, now + 1000);
    expect(await nonces.remember('old 0', now + 1000)).toBe(true);
    expect(await nonces.remember('new 0', now + 1000)).toBe(false);
  });

  test('of several that come at once exactly one is new', async () => {
    const nonces = await opened(await temporaryFolder());
    const outcomes = await Promise.all(['a', 'b', 'a', 'a'].map((key) => nonces.remember(key, soon())));
    expect(outcomes).toEqual([true, true, false, false]);
  });

  test('seconds in the place of milliseconds are an error, not an open door', async () => {
    const nonces = await opened(await temporaryFolder());
    await expect(nonces.remember('a', soon() / 1000)).rejects.toThrow(RangeError);
    await expect(nonces.remember('a', NaN)).rejects.toThrow(RangeError);
  });

  test('they survive closing, and a new directory has no time limit', async () => {
    const dir = await temporaryFolder();
    const first = await openNonces(dir);
    const accepted = first.remember('a', soon());
    expect(first.notBefore).toBe(0);
    // What still waits for its transaction is remembered as well.
    await first.close();
    expect(await accepted).toBe(true);
    const second = await opened(dir);
    expect(await second.remember('a', soon())).toBe(false);
    expect(second.notBefore).toBe(0);
  });

  test('after a restart of the machine nothing of before the start is accepted, in any process', async () => {
    const dir = await temporaryFolder();
    await mkdir(join(dir, 'nonces', 'an-earlier-boot'), { recursive: true });
    await writeFile(join(dir, 'nonces', 'an-earlier-boot', 'data.mdb'), 'perhaps damaged');
    const before = Date.now();
    const first = await opened(dir);
    expect(first.notBefore).toBeGreaterThanOrEqual(before);
    expect((await opened(dir)).notBefore).toBe(first.notBefore);
    expect(await readdir(join(dir, 'nonces'))).toHaveLength(1);
  });

  test('a machine that was started with a clock that was ahead accepts what is made when that is set back', async () => {
    const dir = await temporaryFolder();
    await mkdir(join(dir, 'nonces', 'an-earlier-boot'), { recursive: true });
    let now = Date.now() + 60 * 60 * 1000;
    const started = now;
    const nonces = await opened(dir, () => now);
    expect(nonces.notBefore).toBe(started);
    now -= 60 * 60 * 1000;
    const setBack = now;
    expect(nonces.notBefore).toBe(setBack);
    now += 1000;
    expect(nonces.notBefore).toBe(setBack);
    // If it was right at the start, what was accepted before is not accepted once more.
    now = started + 1000;
    expect(nonces.notBefore).toBe(started);
  });

  test('what was forgotten while the clock was ahead is not accepted once more when it is set back', async () => {
    const dir = await temporaryFolder();
    let now = 2e12;
    const signedAt = now - 1000;
    expect(await (await opened(dir, () => now)).remember('captured', signedAt + 301_000)).toBe(true);
    // A process that starts meanwhile reads what has expired by its clock, and forgets it.
    now += 60 * 60 * 1000;
    const nonces = await opened(dir, () => now);
    now -= 60 * 60 * 1000;
    expect(nonces.notBefore).toBeGreaterThan(signedAt);
    // What is signed from now on is accepted.
    expect(nonces.notBefore).toBeLessThanOrEqual(now);
    now += 1000;
    expect(nonces.notBefore).toBeLessThan(now);
  });

  test('a clock that is set back far, and then by a second, does not take anew what it forgot', async () => {
    let now = 2e12;
    const nonces = await opened(await temporaryFolder(), () => now);
    now += 60 * 60 * 1000;
    await nonces.remember('a', now + 301_000);
    now -= 60 * 60 * 1000;
    const setBack = nonces.notBefore;
    expect(setBack).toBe(now);
    now += 60_000;
    expect(nonces.notBefore).toBe(setBack);
    now -= 1000;
    expect(nonces.notBefore).toBe(setBack);
  });

  test('a clock that is set back by a second refuses nothing that was signed within the window', async () => {
    let now = 2e12;
    const nonces = await opened(await temporaryFolder(), () => now);
    await nonces.remember('a', now + 301_000);
    now -= 1000;
    expect(nonces.notBefore).toBe(now + 1000 - 300_000);
  });

  test('several processes accept each key once, also when one of them is killed', async () => {
    const dir = await temporaryFolder();
    const nonces = await opened(dir);
    const children = [0, 1].map(() => fork(new URL('remember.mjs', import.meta.url), [dir, '3000']));
    const counted = await Promise.all(
      children.map(async (child) => {
        const [count] = (await once(child, 'message')) as [number];
        child.kill('SIGKILL');
        await once(child, 'exit');
        return count;
      }),
    );
    expect((counted[0] ?? 0) + (counted[1] ?? 0)).toBe(3000);
    const again = await Promise.all(
      Array.from({ length: 3000 }, (_, number) => nonces.remember(`key ${number}`, soon())),
    );
    expect(again.filter(Boolean)).toEqual([]);
  });

  test('who opens and closes them meanwhile takes none away', async () => {
    for (let round = 0; round < 3; round++) {
      const dir = await temporaryFolder();
      const child = fork(new URL('remember.mjs', import.meta.url), [dir, '3000']);
      onTestFinished(() => void child.kill('SIGKILL'));
      let ended = false;
      const said = once(child, 'message').finally(() => (ended = true));
      for (; !ended; await wait(1)) await (await openNonces(dir)).close();
      expect((await said)[0]).toBe(3000);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const nonces = await opened(dir);
      const again = await Promise.all(
        Array.from({ length: 3000 }, (_, number) => nonces.remember(`key ${number}`, soon())),
      );
      expect(again.filter(Boolean)).toEqual([]);
    }
  });
});
