import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { DataDirectoryError } from '../../../src/store/disk/data-directory-error.js';
import { temporaryFolder } from './temporary.js';

const PAGE = 4096;
const ENTRIES = 12_000;

let sound: string;
let dir: string;
let file: string;
let directory: DataDirectory | undefined;
beforeAll(async () => {
  sound = await mkdtemp(join(inject('scratch'), 'pages-'));
  const made = await openDataDirectory(sound, { create: true });
  for (let start = 0; start < ENTRIES; start += 1000) {
    await made.transact((tx) => {
      for (let number = start; number < start + 1000; number++)
        tx.put('graphs', `/records/${number}`, randomBytes(900).toString('base64'));
    });
  }
  await made.close();
});
beforeEach(async () => {
  dir = join(await temporaryFolder(), 'data');
  await cp(sound, dir, { recursive: true });
  file = join(dir, 'store', 'data.mdb');
});
afterEach(async () => {
  await directory?.close();
  directory = undefined;
});

/** Writes over a leaf of the graphs far from the top of the tree, which no opening reads. */
async function damageLeaf(): Promise<void> {
  const bytes = await readFile(file);
  const numbers = Array.from({ length: bytes.length / PAGE }, (_, number) => number);
  const leaves = numbers.filter(
    (number) =>
      bytes.readUInt16LE(number * PAGE + 18) === 2 &&
      bytes.subarray(number * PAGE, (number + 1) * PAGE).includes('/records/5'),
  );
  const handle = await open(file, 'r+');
  for (const number of leaves) await handle.write(Buffer.alloc(64, 7), 0, 64, number * PAGE);
  await handle.close();
}

async function opened(): Promise<DataDirectory> {
  return (directory = await openDataDirectory(dir));
}

test('a page that is damaged far down does not keep a directory from being opened, and the walk finds it', async () => {
  await damageLeaf();
  const data = await opened();
  await expect(data.checkPages()).rejects.toThrow(DataDirectoryError);
  await expect(data.checkPages()).rejects.toThrow(
    /data\.mdb is damaged: page \d+ is not what belongs there\. Restore a backup into a new directory\.$/u,
  );
});

test('the walk reaches every page of a sound file, in short turns', async () => {
  const data = await opened();
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const pages = await data.checkPages({ rest: 1 }).finally(() => clearInterval(timer));
  expect(pages).toBeGreaterThan(ENTRIES / 3);
  expect(turns).toBeGreaterThan(1);
});

test('what is written during the walk is not taken for damage', async () => {
  const data = await opened();
  let isOver = false;
  const walk = data.checkPages({ rest: 20 }).finally(() => (isOver = true));
  let written = 0;
  for (; !isOver; written++) {
    const number = (written * 97) % ENTRIES;
    await data.transact((tx) => tx.put('graphs', `/records/${number}`, `new ${written}`.padEnd(1500)));
  }
  await expect(walk).resolves.toBeGreaterThan(0);
  expect(written).toBeGreaterThan(10);
});

test('a walk ends when it is told to', async () => {
  const data = await opened();
  const stopping = new AbortController();
  const walk = data.checkPages({ rest: 10_000, signal: stopping.signal });
  stopping.abort();
  await expect(walk).rejects.toThrow('aborted');
});

test('no backup is made of a directory with a damaged page', async () => {
  await damageLeaf();
  const data = await opened();
  const target = join(await temporaryFolder(), 'backup');
  await expect(writeBackup(data, target)).rejects.toThrow('is not what belongs there');
  await expect(open(target)).rejects.toThrow('ENOENT');
});

test('a file cut by a single page is refused at once', async () => {
  const { length } = await readFile(file);
  // What a page of the end holds was never needed only where the tree does not reach it.
  for (let cut = 1; cut < 50; cut++) {
    await truncate(file, length - cut * PAGE);
    const refusal = await opened().then(
      async (data) => void (await data.close()),
      (error: unknown) => String(error),
    );
    directory = undefined;
    if (refusal !== undefined) return expect(refusal).toContain('it is cut short');
  }
  expect.unreachable('no cut was noticed');
});
