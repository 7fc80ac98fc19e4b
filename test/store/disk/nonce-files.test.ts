import { appendFileSync, mkdirSync, readdirSync, renameSync, rmdirSync, truncateSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ENTRY_BYTES, NonceFile, writeEntry } from '../../../src/store/disk/nonce-file.js';
import { openNonces, type Nonces } from '../../../src/store/disk/nonces.js';
import type { Reserve } from '../../../src/store/disk/disk-space.js';
import { temporaryFolder } from './temporary.js';

const START = 2e12;
/** More than a file holds. */
const MANY = 70_000;

function all(nonces: Nonces, name: string, now: number): Promise<boolean[]> {
  const keys = Array.from({ length: MANY }, (_, number) => `${name} ${number}`);
  return Promise.all(keys.map((key) => nonces.remember(key, now + 1000)));
}

const filesOf = (folder: string): string[] => readdirSync(folder).filter((name) => /^\d+$/.test(name));

async function folderOf(dir: string): Promise<string> {
  const [boot = ''] = readdirSync(join(dir, 'nonces'));
  const folder = join(dir, 'nonces', boot);
  expect((await stat(folder)).isDirectory()).toBe(true);
  return folder;
}

describe('the files of nonces', () => {
  test('are closed when they are long, read by others in their order, and removed when all in them has expired', async () => {
    const dir = await temporaryFolder();
    let now = START;
    const open = async (): Promise<Nonces> => {
      const nonces = await openNonces(dir, { clock: () => now });
      onTestFinished(() => nonces.close());
      return nonces;
    };
    const [first, second] = [await open(), await open()];
    const folder = await folderOf(dir);
    expect((await all(first, 'a', now)).every(Boolean)).toBe(true);
    expect(await first.remember('b', now + 1000)).toBe(true);
    expect(filesOf(folder)).toEqual(['1', '2']);
    expect((await all(second, 'a', now)).some(Boolean)).toBe(false);
    expect(await second.remember('b', now + 1000)).toBe(false);
    now += 3000;
    await all(second, 'c', now);
    await first.remember('d', now + 1000);
    expect(filesOf(folder)).toEqual(['2', '3']);
    // The last entries of the second file are live, and the first process has not looked since.
    expect((await all(first, 'c', now)).some(Boolean)).toBe(false);
    const third = await open();
    expect(await third.remember('d', now + 1000)).toBe(false);
    expect((await all(third, 'c', now)).some(Boolean)).toBe(false);
    expect(await third.remember('a 1', now + 1000)).toBe(true);
  });

  test('are never two at a time, where the next one cannot be opened for a while by whoever closes one or follows', async () => {
    const dir = await temporaryFolder();
    const open = async (): Promise<Nonces> => {
      const nonces = await openNonces(dir, { clock: () => START });
      onTestFinished(() => nonces.close());
      return nonces;
    };
    const [first, second, third] = [await open(), await open(), await open()];
    const next = join(await folderOf(dir), '2');
    const once = (nonces: Nonces, key: string): Promise<boolean> => nonces.remember(key, START + 1000);
    await all(first, 'a', START);
    mkdirSync(next);
    for (const key of ['b', 'c']) await expect(once(first, key)).rejects.toThrow('no room');
    rmdirSync(next);
    // Of what was refused nothing is remembered.
    expect(await once(second, 'b')).toBe(true);
    expect(await once(first, 'b')).toBe(false);
    expect(await once(first, 'c')).toBe(true);
    expect(await once(second, 'c')).toBe(false);
    // Whoever follows finds the end of the file, and cannot open the next one.
    renameSync(next, `${next}-away`);
    mkdirSync(next);
    await expect(once(third, 'd')).rejects.toThrow('no room');
    rmdirSync(next);
    renameSync(`${next}-away`, next);
    expect(await once(third, 'd')).toBe(true);
    const fourth = await open();
    for (const key of ['a 1', 'b', 'c', 'd']) {
      const outcomes = await Promise.all([first, second, third, fourth].map((nonces) => once(nonces, key)));
      expect(outcomes).toEqual([false, false, false, false]);
    }
  });

  test('take nothing whose time is over, since others may have forgotten it', async () => {
    const dir = await temporaryFolder();
    let now = START;
    const nonces = await openNonces(dir, { clock: () => now });
    onTestFinished(() => nonces.close());
    expect(await nonces.remember('a', START + 1000)).toBe(true);
    now += 2000;
    expect(await nonces.remember('a', START + 1000)).toBe(false);
    expect(await nonces.remember('b', START + 1000)).toBe(false);
  });

  test('lose the part of an entry that a killed process has left, and nothing else', async () => {
    const dir = await temporaryFolder();
    const nonces = await openNonces(dir);
    onTestFinished(() => nonces.close());
    const soon = Date.now() + 300_000;
    await nonces.remember('a', soon);
    const file = join(await folderOf(dir), '1');
    appendFileSync(file, Buffer.alloc(5, 1));
    expect(await nonces.remember('b', soon)).toBe(true);
    expect((await stat(file)).size).toBe(2 * ENTRY_BYTES);
    appendFileSync(file, Buffer.alloc(7, 1));
    const other = await openNonces(dir);
    onTestFinished(() => other.close());
    expect(await Promise.all(['a', 'b'].map((key) => other.remember(key, soon)))).toEqual([false, false]);
    expect((await stat(file)).size).toBe(2 * ENTRY_BYTES);
  });

  test('hold nothing of what could not be written whole', async () => {
    const folder = await temporaryFolder();
    let fails = false;
    const reserve: Reserve = {
      orElse(work) {
        work();
        // As if the disk had become full behind the first bytes.
        if (fails) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
      },
    };
    const taken: Buffer[] = [];
    const open = (): NonceFile =>
      new NonceFile(folder, reserve, (entries) => taken.push(Buffer.from(entries)));
    const entry = (byte: number): Buffer => {
      const bytes = Buffer.alloc(ENTRY_BYTES);
      writeEntry(bytes, 0, Buffer.alloc(8, byte), 2_000_000_000);
      return bytes;
    };
    const file = open();
    file.append(entry(1), 0);
    fails = true;
    expect(() => file.append(entry(2), 0)).toThrow('no room');
    fails = false;
    file.append(entry(3), 0);
    file.close();
    open().close();
    expect(Buffer.concat(taken)).toEqual(Buffer.concat([entry(1), entry(3)]));
  });

  test('go on when somebody has cut them short', async () => {
    const dir = await temporaryFolder();
    const nonces = await openNonces(dir);
    onTestFinished(() => nonces.close());
    const soon = Date.now() + 300_000;
    await nonces.remember('a', soon);
    await nonces.remember('b', soon);
    truncateSync(join(await folderOf(dir), '1'), ENTRY_BYTES);
    expect(await nonces.remember('c', soon)).toBe(true);
    expect(await nonces.remember('b', soon)).toBe(false);
    const other = await openNonces(dir);
    onTestFinished(() => other.close());
    expect(await Promise.all(['a', 'c'].map((key) => other.remember(key, soon)))).toEqual([false, false]);
  });
});
