import { readFile, stat, writeFile, readdir, truncate, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/disk/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/disk/data-directory.js';
import { tableNames } from '../../src/disk/tables.js';
import { temporaryFolder } from './temporary.js';

async function filled(mark: string): Promise<DataDirectory> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  await writeFile(join(directory.dir, 'secret.key'), 'the secret key');
  await directory.transact((tx) => {
    for (let number = 0; number < 500; number++) {
      tx.put('graphs', `/records/${number}`, `${mark} é 𝄞 `.repeat(300) + number);
    }
    tx.put('graphs', '/small', mark);
    tx.put('graphs', '/empty', '');
    tx.put('tokens', 't', { mark, bytes: Uint8Array.of(0, 255), list: [1, 2.5, null, true] });
    tx.put('meta', 'sequence', 7);
    tx.put('changes', 7, { paths: [], dropped: 0 });
    tx.put('revisions', '/', 7);
    tx.put('serving', 'holder', { pid: 1 });
  });
  return directory;
}

const everything = (directory: DataDirectory) =>
  directory.read((tx) => Object.fromEntries(tableNames.map((table) => [table, [...tx.range(table)]])));

describe('a backup', () => {
  test('brings everything back, in a new epoch and with a higher revision', async () => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    const written = await writeBackup(source, file);
    const target = await filled('second');
    const { epoch } = target;
    await target.transact((tx) => {
      tx.put('graphs', '/extra', 'x');
      tx.put('meta', 'sequence', 50);
    });
    expect(await restoreBackup(target, file)).toBe(written);
    const [was, is] = [everything(source), everything(target)];
    for (const table of ['graphs', 'tokens', 'users'] as const) expect(is[table]).toEqual(was[table]);
    expect(is.changes).toEqual([]);
    expect(is.serving).toHaveLength(1);
    expect(target.epoch).not.toBe(epoch);
    expect(target.epoch).not.toBe(source.epoch);
    expect(target.read((tx) => [tx.get('meta', 'sequence'), tx.get('revisions', '/')])).toEqual([51, 51]);
  });

  test('is for the owner only, never holds the key, and leaves nothing else behind', async () => {
    const source = await filled('first');
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'backup'), 'an older one');
    await writeBackup(source, join(folder, 'backup'));
    expect((await stat(join(folder, 'backup'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['backup']);
    expect((await readFile(join(folder, 'backup'))).includes('the secret key')).toBe(false);
  });

  test('is one snapshot, whatever is written meanwhile', async () => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    const backup = writeBackup(source, file);
    await source.transact((tx) => tx.put('graphs', '/small', 'changed'));
    await backup;
    const target = await filled('second');
    await restoreBackup(target, file);
    expect(['first', 'changed']).toContain(target.read((tx) => tx.get('graphs', '/small')));
  });

  test('a backup reports how far it is', async () => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    const seen: number[] = [];
    const entries = await writeBackup(source, file, (number) => seen.push(number));
    expect(seen.at(-1)).toBe(entries);
    expect(seen).toHaveLength(entries);
  });
});

describe('a backup that is not whole', () => {
  const damages: [string, (file: string) => Promise<void>, string][] = [
    [
      'cut in the middle',
      async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
      'it is cut short',
    ],
    ['cut by a byte', async (file) => truncate(file, (await stat(file)).size - 1), 'it is cut short'],
    ['with something after it', (file) => appendFile(file, 'x'), 'something follows its end'],
    ['with one bit changed', flipped(0.5), 'is damaged'],
    ['with a bit of its checksum changed', flipped(1), 'its checksum does not match'],
    ['empty', (file) => truncate(file, 0), 'is not a Chartgraph backup'],
    ['of something else', (file) => writeFile(file, '{"format":"other"}\n'), 'is not a Chartgraph backup'],
    ['that is no text at all', (file) => writeFile(file, Buffer.alloc(1000)), 'is not a Chartgraph backup'],
    [
      'of a newer format',
      (file) => writeFile(file, '{"format":"chartgraph-backup","version":2,"tables":[]}\n'),
      'has data format 2',
    ],
  ];

  test.each(damages)('%s is refused before anything changes', async (_, damage, sentence) => {
    const source = await filled('first');
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(source, file);
    await damage(file);
    const before = everything(source);
    await expect(restoreBackup(source, file)).rejects.toThrow(sentence);
    expect(everything(source)).toEqual(before);
  });

  test('a backup file that is not there is named', async () => {
    await expect(restoreBackup(await filled('first'), '/nowhere/backup')).rejects.toThrow(
      '/nowhere/backup cannot be read',
    );
  });
});

function flipped(where: number): (file: string) => Promise<void> {
  return async (file) => {
    const bytes = await readFile(file);
    const at = Math.floor((bytes.length - 1) * where);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(file, bytes);
  };
}
