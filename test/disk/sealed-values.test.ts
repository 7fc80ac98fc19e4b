import { createSecretKey, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/disk/data-directory.js';
import { openEnvironment } from '../../src/disk/environment.js';
import { replaceSecretKey } from '../../src/disk/key-file.js';
import { addDataKey, addSecret, keepSecret, openKeys, type WrappedKeys } from '../../src/disk/keyring.js';
import { seal } from '../../src/disk/sealing.js';
import { temporaryFolder } from './temporary.js';

const secretOf = async (dir: string) =>
  Buffer.from((await readFile(join(dir, 'secret.key'), 'utf8')).trim(), 'hex');

async function opened(dir: string): Promise<DataDirectory> {
  const directory = await openDataDirectory(dir, { create: true });
  onTestFinished(() => directory.close());
  return directory;
}

test('nothing of a value can be read in the file, and what is read is what was written', async () => {
  const directory = await opened(await temporaryFolder());
  const user = { name: 'Anne', list: [1, 2.5, null, true], bytes: Uint8Array.of(0, 255) };
  await directory.transact((tx) => {
    tx.put('graphs', '/records/1', 'a diagnosis of é 𝄞');
    tx.put('graphs', '/empty', '');
    tx.put('users', 'u', user);
  });
  directory.read((tx) => {
    expect(tx.get('graphs', '/records/1')).toBe('a diagnosis of é 𝄞');
    expect(tx.get('graphs', '/empty')).toBe('');
    expect(tx.get('users', 'u')).toEqual({ ...user, bytes: Buffer.from(user.bytes) });
    expect([...tx.range('graphs')].map(({ value }) => value)).toEqual(['', 'a diagnosis of é 𝄞']);
  });
  const file = await readFile(join(directory.dir, 'store', 'data.mdb'));
  for (const word of ['diagnosis', 'Anne']) expect(file.includes(word)).toBe(false);
});

test('a flipped bit is found, and so is a value that was moved to another place', async () => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => {
    for (const path of ['/a', '/b', '/c']) tx.put('graphs', path, `text of ${path}`);
  });
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  const [a, b] = ['/a', '/b'].map((path) => Buffer.from(tables.graphs.getBinary(path) ?? []));
  const flipped = Buffer.from(b ?? []);
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  await tables.graphs.put('/b', flipped);
  await tables.graphs.put('/c', a);
  await close();
  for (const path of ['/b', '/c']) {
    expect(() => directory.read((tx) => tx.get('graphs', path))).toThrow('A value of graphs is damaged');
  }
  expect(directory.read((tx) => tx.get('graphs', '/a'))).toBe('text of /a');
});

test('a text is compressed before it is sealed', async () => {
  const directory = await opened(await temporaryFolder());
  const text = '</records/1> <http://purl.org/dc/terms/title> "a title" .\n'.repeat(100);
  await directory.transact((tx) => tx.put('graphs', '/records/1', text));
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  expect(tables.graphs.getBinary('/records/1')?.length).toBeLessThan(text.length / 4);
  await close();
  expect(directory.read((tx) => tx.get('graphs', '/records/1'))).toBe(text);
});

test('a text that was sealed and not compressed is read, and compressed when it is sealed anew', async () => {
  const directory = await opened(await temporaryFolder());
  const secret = await secretOf(directory.dir);
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  onTestFinished(close);
  const wrapped = tables.meta.get('keys') as WrappedKeys;
  const key = createSecretKey(openKeys(wrapped, secret).data.get(wrapped.current) ?? Buffer.alloc(0));
  const header = Buffer.alloc(5, 0xc1);
  header.writeUInt32BE(wrapped.current, 1);
  await tables.graphs.put('/a', Buffer.concat([header, seal(key, Buffer.from('a text'), 'graphs /a')]));
  const read = () => directory.read((tx) => tx.get('graphs', '/a'));
  expect(read()).toBe('a text');
  await directory.resealAll();
  expect(tables.graphs.getBinary('/a')?.[0]).toBe(0xc0);
  expect(read()).toBe('a text');

  const relabelled = Buffer.from(tables.graphs.getBinary('/a') ?? []);
  relabelled[0] = 0xc1;
  await tables.graphs.put('/a', relabelled);
  expect(read).toThrow('A value of graphs is damaged');
});

test('another secret key opens nothing', async () => {
  const dir = await temporaryFolder();
  await (await openDataDirectory(dir, { create: true })).close();
  await writeFile(join(dir, 'secret.key'), randomBytes(32).toString('hex'));
  await expect(openDataDirectory(dir)).rejects.toThrow('The secret key is not the one');
});

test('a directory of version 0.2 is read as it is, and sealed step by step', async () => {
  const dir = await temporaryFolder();
  const directory = await openDataDirectory(dir, { create: true });
  await directory.close();
  // As version 0.2 left it: no keys, texts compressed, values as MessagePack.
  const root = open({ path: join(dir, 'store'), noSubdir: false, maxDbs: 64 });
  const compression = { threshold: 500, dictionary: Buffer.alloc(0) };
  const graphs = root.openDB({ name: 'graphs', encoding: 'string', compression });
  const users = root.openDB({ name: 'users', encoding: 'msgpack' });
  const meta = root.openDB({ name: 'meta', encoding: 'msgpack' });
  for (let number = 0; number < 1200; number++) {
    await graphs.put(`/records/${number}`, `an old text ${number} `.repeat(100));
  }
  await users.put('u', { name: 'Anne', records: ['1', '2'], at: 1.5 });
  await meta.put('format', 1);
  await meta.remove('keys');
  await root.close();
  const text = (await readFile(join(dir, 'chartgraph.json'), 'utf8')).replace('"version": 2', '"version": 1');
  await writeFile(join(dir, 'chartgraph.json'), text);

  const again = await opened(dir);
  expect(again.hasOthers).toBe(true);
  const check = () =>
    again.read((tx) => {
      expect(tx.get('graphs', '/records/7')).toBe('an old text 7 '.repeat(100));
      expect(tx.get('users', 'u')).toEqual({ name: 'Anne', records: ['1', '2'], at: 1.5 });
      expect([...tx.range('graphs')]).toHaveLength(1200);
    });
  check();
  const seen: number[] = [];
  await again.resealAll((done, total) => {
    seen.push(done);
    expect(total).toBe(1201);
  });
  expect(seen.length).toBeGreaterThan(2);
  expect(again.hasOthers).toBe(false);
  check();
  const { tables, close } = await openEnvironment(join(dir, 'store'));
  for (const { value } of tables.graphs.getRange()) expect((value as Buffer)[0]).toBe(0xc0);
  await close();
  expect(JSON.parse(await readFile(join(dir, 'chartgraph.json'), 'utf8'))).toMatchObject({ version: 2 });
});

test('the secret key and the data key change while the directory is open elsewhere', async () => {
  const dir = await temporaryFolder();
  const server = await opened(dir);
  await server.transact((tx) => tx.put('graphs', '/a', 'x'));
  const account = Buffer.from(server.accountKey);

  const [old, fresh] = [await secretOf(dir), randomBytes(32)];
  await server.changeKeys((keys) => addSecret(keys, old, fresh));
  await (await openDataDirectory(dir)).close();
  await replaceSecretKey(dir, fresh);
  await server.changeKeys((keys) => keepSecret(keys, fresh));
  await server.transact((tx) => tx.put('graphs', '/b', 'y'));
  await writeFile(join(dir, 'secret.key'), old.toString('hex'));
  await expect(openDataDirectory(dir)).rejects.toThrow('The secret key is not the one');
  await replaceSecretKey(dir, fresh);

  const command = await openDataDirectory(dir);
  await command.changeKeys((keys) => addDataKey(keys, fresh));
  expect(command.hasOthers).toBe(true);
  await server.transact((tx) => tx.put('graphs', '/c', 'z'));
  await command.resealAll();
  expect(command.hasOthers).toBe(false);
  for (const directory of [server, command]) {
    const texts = directory.read((tx) => [...tx.range('graphs')].map(({ value }) => value));
    expect(texts).toEqual(['x', 'y', 'z']);
    expect(Buffer.from(directory.accountKey)).toEqual(account);
  }
  await command.close();
});
