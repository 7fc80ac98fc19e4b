import { cp, mkdir, open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { DataDirectoryError } from '../../../src/store/disk/data-directory-error.js';
import { temporaryFolder } from './temporary.js';

async function opened(dir: string, create = true): Promise<DataDirectory> {
  const directory = await openDataDirectory(dir, { create });
  onTestFinished(() => directory.close());
  return directory;
}

/** A closed data directory with some content. */
async function prepared(): Promise<string> {
  const dir = join(await temporaryFolder(), 'data');
  const directory = await openDataDirectory(dir, { create: true });
  await directory.transact((tx) => {
    for (let number = 0; number < 200; number++)
      tx.put('graphs', `/records/${number}`, 'x'.repeat(5000) + number);
  });
  await directory.close();
  return dir;
}

async function contents(dir: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    all[file] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  }
  return all;
}

describe('opening', () => {
  test('a directory is made only when asked for, for its owner only', async () => {
    const dir = join(await temporaryFolder(), 'some', 'data.dir');
    await expect(openDataDirectory(dir)).rejects.toThrow('There is no data directory at');
    const directory = await opened(dir);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    expect(directory.dir).toBe(dir);
    expect(directory.formatVersion).toBe(3);
    expect((await stat(directory.documentsDir)).isDirectory()).toBe(true);
  });

  test('an empty folder is taken, and one on a fresh volume', async () => {
    const dir = await temporaryFolder();
    await mkdir(join(dir, 'lost+found'));
    await opened(dir);
    await opened(dir, false);
  });

  test('what was written is there after closing and opening, with the same epoch', async () => {
    const dir = await temporaryFolder();
    const first = await openDataDirectory(dir, { create: true });
    const { epoch } = first;
    await first.transact((tx) => tx.put('users', 'u', { name: 'n', bytes: Uint8Array.of(1, 2) }));
    await first.close();
    const second = await opened(dir, false);
    expect(second.epoch).toBe(epoch);
    expect(second.read((tx) => tx.get('users', 'u'))).toMatchObject({ name: 'n' });
  });

  test('a creation that was interrupted is taken up again', async () => {
    const dir = await temporaryFolder();
    await writeFile(join(dir, 'chartgraph.json.1a2b'), '{"form');
    await writeFile(join(dir, 'chartgraph.json'), '{"format":"chartgraph-data","version":3,"state":"begun"}');
    await expect(openDataDirectory(dir)).rejects.toThrow('holds no Chartgraph data yet');
    const directory = await opened(dir);
    expect(directory.read((tx) => tx.get('meta', 'sequence'))).toBe(0);
  });

  test('two openings at the same time make one directory', async () => {
    const dir = join(await temporaryFolder(), 'data');
    const [one, two] = await Promise.all([opened(dir), opened(dir)]);
    expect(one.epoch).toBe(two.epoch);
  });
});

describe('refusing', () => {
  const damages: [string, (dir: string) => Promise<void>, string][] = [
    [
      'a newer format',
      (dir) => writeFile(join(dir, 'chartgraph.json'), '{"format":"chartgraph-data","version":4}'),
      'has data format 4',
    ],
    [
      'no version',
      (dir) => writeFile(join(dir, 'chartgraph.json'), '{"format":"chartgraph-data"}'),
      'no version',
    ],
    [
      'a marker of something else',
      (dir) => writeFile(join(dir, 'chartgraph.json'), '{"format":"other","version":1}'),
      'another format',
    ],
    ['a marker that is no JSON', (dir) => writeFile(join(dir, 'chartgraph.json'), '{"for'), 'it is not JSON'],
    ['a marker that is null', (dir) => writeFile(join(dir, 'chartgraph.json'), 'null'), 'another format'],
    [
      'an empty store file',
      (dir) => truncate(join(dir, 'store', 'data.mdb'), 0),
      'its header cannot be read',
    ],
    [
      'a store file with one page',
      (dir) => truncate(join(dir, 'store', 'data.mdb'), 4096),
      'its second header',
    ],
    [
      'a store file cut in half',
      async (dir) => truncate(join(dir, 'store', 'data.mdb'), 8192 * 3),
      'it is cut short',
    ],
    [
      'a store file that was written over',
      (dir) => writeFile(join(dir, 'store', 'data.mdb'), Buffer.alloc(200_000, 7), { flag: 'r+' }),
      'its header cannot be read',
    ],
    [
      'a store file that was written over behind its header',
      async (dir) => {
        const file = await open(join(dir, 'store', 'data.mdb'), 'r+');
        await file.write(Buffer.alloc(1_000_000), 0, 1_000_000, 8192);
        await file.close();
      },
      'is not what belongs there',
    ],
    [
      'a store file of something else',
      (dir) => writeFile(join(dir, 'store', 'data.mdb'), Buffer.alloc(100_000, 'text')),
      'its header cannot be read',
    ],
    [
      'a store file of zeros',
      (dir) => writeFile(join(dir, 'store', 'data.mdb'), Buffer.alloc(100_000)),
      'its header cannot be read',
    ],
  ];

  test.each(damages)('%s: clearly, and without touching anything', async (_, damage, sentence) => {
    const dir = await prepared();
    await damage(dir);
    const before = await contents(dir);
    for (const create of [false, true]) {
      await expect(openDataDirectory(dir, { create })).rejects.toThrow(DataDirectoryError);
      await expect(openDataDirectory(dir, { create })).rejects.toThrow(sentence);
    }
    expect(await contents(dir)).toEqual(before);
  });

  test('a missing store file is a loss, not a new beginning', async () => {
    const dir = await prepared();
    const copy = join(await temporaryFolder(), 'copy');
    await mkdir(copy);
    await cp(join(dir, 'chartgraph.json'), join(copy, 'chartgraph.json'));
    await expect(openDataDirectory(copy, { create: true })).rejects.toThrow('it is missing');
    expect(await readdir(copy)).toEqual(['chartgraph.json']);
  });

  test('a folder with files of others, and a file', async () => {
    const dir = await temporaryFolder();
    await writeFile(join(dir, 'letter.txt'), 'x');
    await expect(openDataDirectory(dir, { create: true })).rejects.toThrow(
      'it holds other files (letter.txt)',
    );
    expect(await readdir(dir)).toEqual(['letter.txt']);
    await expect(openDataDirectory(join(dir, 'letter.txt'), { create: true })).rejects.toThrow('is a file');
  });

  test('a store file that is shorter than it says, because its last pages were never needed, is whole', async () => {
    const dir = join(await temporaryFolder(), 'data');
    const directory = await openDataDirectory(dir, { create: true });
    const keys = Array.from({ length: 300 }, (_, number) => `k${number}`);
    await directory.transact((tx) => {
      for (const key of keys) tx.put('users', key, 'x'.repeat(500));
      for (const key of keys) tx.remove('users', key);
    });
    await directory.close();
    await opened(dir, false);
  });

  test('an undamaged copy opens', async () => {
    const dir = await prepared();
    const copy = join(await temporaryFolder(), 'copy');
    await cp(dir, copy, { recursive: true });
    const directory = await opened(copy, false);
    expect(directory.read((tx) => tx.get('graphs', '/records/7'))).toBe('x'.repeat(5000) + '7');
  });
});

describe('transactions', () => {
  test('what throws is undone whole and alone', async () => {
    const directory = await opened(await temporaryFolder());
    const results = await Promise.allSettled([
      directory.transact((tx) => tx.put('users', 'before', 1)),
      directory.transact((tx) => {
        tx.put('users', 'failing', 1);
        tx.put('apps', 'failing', 1);
        throw new Error('no');
      }),
      directory.transact((tx) => {
        tx.put('users', 'long', 1);
        tx.put('users', 'k'.repeat(2000), 1);
      }),
      directory.transact((tx) => tx.put('users', 'after', 1)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const keys = directory.read((tx) => [...tx.range('users'), ...tx.range('apps')].map(({ key }) => key));
    expect(keys).toEqual(['after', 'before']);
  });

  test('asynchronous work is refused and undone', async () => {
    const directory = await opened(await temporaryFolder());
    const work = directory.transact(async (tx) => {
      tx.put('users', 'u', 1);
      await Promise.resolve();
    });
    await expect(work).rejects.toThrow('must be synchronous');
    expect(directory.read((tx) => tx.get('users', 'u'))).toBeUndefined();
  });

  test('a transaction reads what it has written, and works on all values of a table while changing it', async () => {
    const directory = await opened(await temporaryFolder());
    const keys = Array.from({ length: 500 }, (_, index) => `k${index}`);
    await directory.transact((tx) => keys.forEach((key) => tx.put('users', key, key)));
    await directory.transact((tx) => {
      for (const { key } of tx.range('users')) {
        tx.remove('users', key);
        tx.put('users', `new-${key}`, 1);
      }
      expect(tx.get('users', 'new-k1')).toBe(1);
    });
    expect(directory.read((tx) => [...tx.range('users', { prefix: 'k' })])).toEqual([]);
    expect(directory.read((tx) => [...tx.range('users')])).toHaveLength(500);
  });

  test('hundreds of writers at once are all counted', async () => {
    const directory = await opened(await temporaryFolder());
    const add = () => directory.transact((tx) => tx.put('users', 'n', Number(tx.get('users', 'n') ?? 0) + 1));
    await Promise.all(Array.from({ length: 500 }, add));
    expect(directory.read((tx) => tx.get('users', 'n'))).toBe(500);
  });

  test('one read sees one snapshot, a read after a write sees the write', async () => {
    const directory = await opened(await temporaryFolder());
    for (let number = 0; number < 50; number++) {
      await directory.transact((tx) => tx.put('users', 'n', number));
      expect(directory.read((tx) => tx.get('users', 'n'))).toBe(number);
    }
  });

  test('a transaction cannot begin inside a read', async () => {
    const directory = await opened(await temporaryFolder());
    const inside = directory.read(() => directory.transact(() => 1));
    await expect(inside).rejects.toThrow('cannot begin inside');
  });

  test('a closed directory refuses to work', async () => {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    await directory.close();
    await directory.close();
    expect(() => directory.read(() => 1)).toThrow('closed');
    await expect(directory.transact(() => 1)).rejects.toThrow('closed');
  });
});

describe('ranges', () => {
  const ranges: [string, object, (string | number)[]][] = [
    ['everything', {}, ['a', 'a/1', 'a/2', 'b', 'é']],
    ['a prefix', { prefix: 'a/' }, ['a/1', 'a/2']],
    ['a prefix, backwards', { prefix: 'a', reverse: true }, ['a/2', 'a/1', 'a']],
    ['from a key on', { start: 'a/1' }, ['a/1', 'a/2', 'b', 'é']],
    ['after a key', { after: 'a/1' }, ['a/2', 'b', 'é']],
    ['up to a key', { end: 'a/2' }, ['a', 'a/1']],
    ['between, backwards', { start: 'a/1', end: 'b', reverse: true }, ['a/2', 'a/1']],
    ['the first', { limit: 1 }, ['a']],
    ['the last', { limit: 1, reverse: true }, ['é']],
    ['nothing', { prefix: 'c' }, []],
  ];
  test.each(ranges)('%s', async (_, range, expected) => {
    const directory = await opened(await temporaryFolder());
    await directory.transact((tx) =>
      ['b', 'a/2', 'é', 'a', 'a/1'].forEach((key) => tx.put('users', key, `of ${key}`)),
    );
    const found = directory.read((tx) => [...tx.range('users', range)]);
    expect(found.map(({ key }) => key)).toEqual(expected);
    expect(found.map(({ value }) => value)).toEqual(expected.map((key) => `of ${key}`));
    const keys = directory.read((tx) => [...tx.range('users', { ...range, values: false })]);
    expect(keys.map(({ key }) => key)).toEqual(expected);
  });

  test('numbers are in the order of their values', async () => {
    const directory = await opened(await temporaryFolder());
    await directory.transact((tx) => [9, 10, 1, 1_000_000].forEach((key) => tx.put('changes', key, key)));
    expect(directory.read((tx) => [...tx.range('changes', { start: 2 })].map(({ key }) => key))).toEqual([
      9, 10, 1_000_000,
    ]);
  });
});
