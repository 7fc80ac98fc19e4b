import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openEnvironment } from '../../../src/store/disk/environment.js';
import { readSecretKeyNow } from '../../../src/store/disk/key-file.js';
import { addDataKey, addSecret, openKeys, type WrappedKeys } from '../../../src/store/disk/keyring.js';
import { textAt } from '../../../src/store/past.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { BASE, note } from '../samples.js';
import { temporaryFolder } from './temporary.js';

async function opened(dir: string, seal?: boolean): Promise<DataDirectory> {
  const directory = await openDataDirectory(dir, { create: true, seal });
  onTestFinished(() => directory.close());
  return directory;
}

/** A directory with a graph that was replaced, and a user. */
async function filled(seal?: boolean): Promise<DataDirectory> {
  const directory = await opened(await temporaryFolder(), seal);
  const store = openPrimaryStore(directory, BASE);
  for (const text of ['diagnosis', 'diagnosis', 'recovery'])
    await store.write({ replace: [note('/records/1', text)] });
  await directory.transact((tx) => tx.put('users', 'u', { name: 'Anne', records: [] }));
  return directory;
}

function expectAllThere(directory: DataDirectory): void {
  directory.read((tx) => {
    expect(tx.get('graphs', '/records/1')).toContain('"recovery"');
    expect(textAt(tx, '/records/1', 1)).toContain('"diagnosis"');
    expect(tx.count('history')).toBe(2);
    expect(tx.get('users', 'u')).toEqual({ name: 'Anne', records: [] });
  });
}

const wordsIn = async ({ dir }: DataDirectory): Promise<string[]> => {
  const file = await readFile(join(dir, 'store', 'data.mdb'));
  return ['diagnosis', 'recovery', 'Anne'].filter((word) => file.includes(word));
};

test('with --seal off what records say is in the clear, and accounts are sealed', async () => {
  const directory = await filled(false);
  expectAllThere(directory);
  expect(await wordsIn(directory)).toEqual(['diagnosis', 'recovery']);
  const sealed = await filled();
  expectAllThere(sealed);
  expect(await wordsIn(sealed)).toEqual([]);
});

test.each([
  [false, true, 'leaves records in the clear, which was chosen when it was made'],
  [undefined, false, 'is sealed, which was chosen when it was made'],
  [true, false, 'restore a backup of it into a new directory with --seal off'],
])('a directory that was made with %s is not opened with %s', async (made, asked, sentence) => {
  const dir = await temporaryFolder();
  await (await openDataDirectory(dir, { create: true, seal: made })).close();
  await expect(openDataDirectory(dir, { seal: asked })).rejects.toThrow(sentence);
  for (const same of [undefined, made]) await (await openDataDirectory(dir, { seal: same })).close();
});

test('keys that say how a directory is sealed are changed by nobody without the secret key', async () => {
  const [clear, sealed] = [await filled(false), await filled()];
  const { tables, close } = await openEnvironment(join(sealed.dir, 'store'));
  onTestFinished(close);
  const other = await openEnvironment(join(clear.dir, 'store'));
  onTestFinished(other.close);
  const planted = Buffer.from(other.tables.graphs.getBinary('/records/1') ?? []);
  await tables.graphs.put('/records/1', planted);
  const read = () => sealed.read((tx) => tx.get('graphs', '/records/1'));
  expect(read).toThrow('A value of graphs is damaged');
  const keys = tables.meta.get('keys') as WrappedKeys;
  const [[id, wraps] = ['', {}]] = Object.entries(keys.wraps);
  const [theirs = {}] = Object.values((other.tables.meta.get('keys') as WrappedKeys).wraps);
  const forged = { ...wraps, account: theirs['account'] ?? '' };
  await tables.meta.put('keys', { ...keys, wraps: { [id]: forged } });
  expect(() => sealed.accountKey).toThrow('The keys of this data directory are damaged');
  const user = Buffer.from([0x81, 0xa1, 0x61, 0x01]);
  await other.tables.users.put('u', user);
  expect(() => clear.read((tx) => tx.get('users', 'u'))).toThrow('A value of users is damaged');
  await other.tables.graphs.put('/records/1', Buffer.from('planted as before 0.3'));
  expect(() => clear.read((tx) => tx.get('graphs', '/records/1'))).toThrow('A value of graphs is damaged');
});

test('new keys leave it as it was chosen', async () => {
  const directory = await filled(false);
  const secret = readSecretKeyNow(directory.dir, process.env);
  await directory.changeKeys((keys) => addDataKey(keys, secret));
  expect(directory.hasOthers).toBe(true);
  await directory.resealAll();
  expect(directory.hasOthers).toBe(false);
  expectAllThere(directory);
  expect(await wordsIn(directory)).toEqual(['diagnosis', 'recovery']);
  const fresh = Buffer.alloc(32, 7);
  await directory.changeKeys((keys) => {
    const changed = addSecret(keys, secret, fresh);
    expect(openKeys(changed, fresh).sealing).toBe('accounts');
    return changed;
  });
  expectAllThere(directory);
});

test('a backup is sealed either way, and brings what it holds into a directory of the other kind', async () => {
  for (const from of [true, false]) {
    const directory = await filled(from);
    const file = join(await temporaryFolder(), 'backup');
    const key = { kind: 'passphrase', passphrase: 'a long passphrase' } as const;
    await writeBackup(directory, file, { key });
    const bytes = await readFile(file);
    for (const word of ['diagnosis', 'Anne']) expect(bytes.includes(word)).toBe(false);
    const target = await opened(await temporaryFolder(), !from);
    await restoreBackup(target, file, { key });
    expectAllThere(target);
    expect(await wordsIn(target)).toEqual(from ? ['diagnosis', 'recovery'] : []);
  }
});
