import { createSecretKey, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import {
  openDataDirectory,
  type DataDirectory,
  type WriteTx,
} from '../../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../../src/store/documents/document-files.js';
import { openEnvironment } from '../../../src/store/disk/environment.js';
import { historyKey, type TaggedChange } from '../../../src/store/disk/history-tags.js';
import { replaceSecretKey } from '../../../src/store/disk/key-file.js';
import {
  addDataKey,
  addSecret,
  keepSecret,
  openKeys,
  type WrappedKeys,
} from '../../../src/store/disk/keyring.js';
import { deriveKey, seal } from '../../../src/store/disk/sealing.js';
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

test.each([
  ['a text', 'graphs', '/a', Buffer.from('</a> <urn:p> "planted" .\n')],
  ['an account', 'users', 'u', Buffer.from([0x81, 0xa1, 0x61, 0x01])],
] as const)('%s that is not sealed is refused, whatever the keys claim', async (_, table, key, plain) => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => tx.put(table, key, 'sealed'));
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  onTestFinished(close);
  const sealed = Buffer.from(tables[table].getBinary(key) ?? []);
  const relabelled = Buffer.from(sealed);
  relabelled[0] = 0x20;
  for (const stored of [plain, relabelled]) {
    await tables[table].put(key, stored);
    expect(() => directory.read((tx) => tx.get(table, key))).toThrow(`A value of ${table} is damaged`);
    expect(() => directory.read((tx) => [...tx.range(table)])).toThrow(`A value of ${table} is damaged`);
  }
  await tables.meta.put('keys', { ...(tables.meta.get('keys') as WrappedKeys), pending: true });
  expect(() => directory.read((tx) => tx.get(table, key))).toThrow(`A value of ${table} is damaged`);
  await tables[table].put(key, sealed);
  expect(directory.read((tx) => tx.get(table, key))).toBe('sealed');
});

test('a directory whose keys do not say that everything is sealed is looked through once, and says so', async () => {
  const directory = await opened(await temporaryFolder());
  const secret = await secretOf(directory.dir);
  await directory.transact((tx) => tx.put('graphs', '/a', 'a text'));
  await directory.changeKeys((keys) => {
    const [[id, wraps] = ['', {}]] = Object.entries(keys.wraps);
    const { account } = openKeys(keys, secret);
    const asBefore = seal(deriveKey(secret, 'wrapping'), account, 'key account').toString('base64url');
    return { ...keys, wraps: { [id]: { ...wraps, account: asBefore } } };
  });
  expect(directory.hasOthers).toBe(true);
  expect(directory.read((tx) => tx.get('graphs', '/a'))).toBe('a text');
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  onTestFinished(close);
  await tables.graphs.put('/b', Buffer.from('</b> <urn:p> "of version 0.2" .\n'));
  await expect(directory.resealAll()).rejects.toThrow(
    'A value of graphs is not sealed, as version 0.2 left it: start version 0.26 on this directory once',
  );
  await tables.graphs.remove('/b');
  await directory.resealAll();
  expect(directory.hasOthers).toBe(false);
  expect(directory.read((tx) => tx.get('graphs', '/a'))).toBe('a text');
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

/** Ends the text of a graph as a change does, which says the tag in its moment. */
function endText(tx: WriteTx, path: string, revision: number): TaggedChange {
  const tag = tx.putIntoHistory(path, historyKey(path, revision));
  return { revision, paths: [path], tags: [tag ?? null] };
}

test('a text goes into the history as it is at that moment, whatever was read of its place before', async () => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => tx.put('graphs', '/a', 'first text'));
  await directory.transact((tx) => {
    expect(tx.get('graphs', '/a')).toBe('first text');
    const changes = [endText(tx, '/a', 1)];
    tx.put('graphs', '/a', 'later text');
    changes.push(endText(tx, '/a', 2));
    tx.put('graphs', '/b', 'another text');
    expect(tx.get('graphs', '/a')).toBe('later text');
    changes.push(endText(tx, '/b', 3));
    tx.put('moments', 3, { at: 0, changes });
    expect(() => endText(tx, '/c', 4)).toThrow('a graph that is to be put into the history is not there');
  });
  const kept = [historyKey('/a', 1), historyKey('/a', 2), historyKey('/b', 3)];
  const texts = ['first text', 'later text', 'another text'];
  expect(directory.read((tx) => kept.map((key) => tx.get('history', key)))).toEqual(texts);
  const secret = await secretOf(directory.dir);
  await directory.changeKeys((keys) => addDataKey(keys, secret));
  await directory.resealAll();
  expect(directory.read((tx) => kept.map((key) => tx.get('history', key)))).toEqual(texts);
  expect(directory.read((tx) => Array.from(tx.range('history'), ({ value }) => value))).toEqual(texts);
});

test('a text of the history does not open as a graph again, nor at another change, nor with another bit', async () => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => tx.put('graphs', '/a', 'first text'));
  await directory.transact((tx) => {
    const first = endText(tx, '/a', 1);
    tx.put('graphs', '/a', 'later text');
    const second = endText(tx, '/a', 2);
    tx.put('graphs', '/a', 'last text');
    tx.put('moments', 2, { at: 0, changes: [first, second] });
  });
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  onTestFinished(close);
  const [one, two] = [historyKey('/a', 1), historyKey('/a', 2)];
  const [ended, later] = [one, two].map((key) => Buffer.from(tables.history.getBinary(key) ?? []));
  const present = Buffer.from(tables.graphs.getBinary('/a') ?? []);
  const read = (table: 'graphs' | 'history', key: string) => directory.read((tx) => tx.get(table, key));
  const asGraph = Buffer.from(ended ?? []);
  asGraph[0] = 0xc0;
  for (const stored of [ended, asGraph]) {
    await tables.graphs.put('/a', stored);
    expect(() => read('graphs', '/a')).toThrow('A value of graphs is damaged');
  }
  const flipped = Buffer.from(ended ?? []);
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  const presentAsPast = Buffer.from(present);
  presentAsPast[0] = 0xbf;
  for (const stored of [later, flipped, present, presentAsPast]) {
    await tables.history.put(one, stored);
    expect(() => read('history', one)).toThrow('A value of history is damaged');
  }
  await tables.history.put(one, ended);
  expect(read('history', one)).toBe('first text');
  await tables.moments.remove(2);
  expect(() => read('history', one)).toThrow('A value of history is damaged');
});

test('a change learns of a text what it has to know, opened or not', async () => {
  const directory = await opened(await temporaryFolder());
  // Two texts whose compressed forms are equally long can only be told apart by what they say.
  const [text, asLong, longer] = ['one\ntwo\n', 'six\nten\n', 'one\ntwo\nthree\n'];
  const look = (path: string, other?: string) =>
    directory.transact((tx) => [tx.lookAtGraph(path, other)?.lines, tx.lookAtGraph(path, other)?.isSame]);
  await directory.transact((tx) => {
    tx.put('graphs', '/a', text);
    tx.putBytes('graphs', '/b', Buffer.from(text));
    tx.put('graphs', '/empty', '');
  });
  for (const path of ['/a', '/b']) {
    expect(await look(path, text)).toEqual([2, true]);
    expect(await look(path, asLong)).toEqual([2, false]);
    expect(await look(path, longer)).toEqual([2, false]);
    expect(await look(path)).toEqual([2, false]);
  }
  expect(await look('/empty', '')).toEqual([0, true]);
  expect(await look('/none', text)).toEqual([undefined, undefined]);
  expect(await look('', text)).toEqual([undefined, undefined]);
});

test('a directory of format 2 is marked as format 3, and a change of its texts keeps what they said', async () => {
  const dir = await temporaryFolder();
  const before = await openDataDirectory(dir, { create: true });
  await before.transact((tx) => {
    // As it stood there: without the number of lines.
    tx.putBytes('graphs', '/a', Buffer.from('first text\n'));
    tx.put('meta', 'format', 2);
  });
  await before.close();
  await writeFile(join(dir, 'chartgraph.json'), '{"format":"chartgraph-data","version":2,"state":"ready"}');
  const directory = await opened(dir);
  expect(JSON.parse(await readFile(join(dir, 'chartgraph.json'), 'utf8'))).toMatchObject({ version: 3 });
  expect(directory.read((tx) => tx.get('meta', 'format'))).toBe(3);
  const key = historyKey('/a', 1);
  const tag = await directory.transact((tx) => tx.putIntoHistory('/a', key));
  expect(tag).toBeUndefined();
  expect(directory.read((tx) => [tx.get('graphs', '/a'), tx.get('history', key)])).toEqual([
    'first text\n',
    'first text\n',
  ]);
});

test('the number of lines that stands with a text is authenticated', async () => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => tx.put('graphs', '/a', 'one\ntwo\n'));
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  onTestFinished(close);
  const stored = Buffer.from(tables.graphs.getBinary('/a') ?? []);
  expect(stored.readUInt32BE(5)).toBe(2);
  stored.writeUInt32BE(3, 5);
  for (const planted of [stored, stored.subarray(0, 7)]) {
    await tables.graphs.put('/a', planted);
    expect(() => directory.read((tx) => tx.get('graphs', '/a'))).toThrow('A value of graphs is damaged');
  }
});

test('whether there is an entry is told without opening it', async () => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => {
    for (const path of ['/a', '/empty', '/gone']) tx.put('graphs', path, path === '/empty' ? '' : 'a text');
  });
  const found = await directory.transact((tx) => {
    tx.remove('graphs', '/gone');
    tx.put('graphs', '/new', 'a text');
    return ['/a', '/empty', '/gone', '/new', '/never', ''].map((path) => tx.has('graphs', path));
  });
  expect(found).toEqual([true, true, false, true, false, false]);
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  const stored = Buffer.from(tables.graphs.getBinary('/a') ?? []);
  stored[stored.length - 1] = (stored.at(-1) ?? 0) ^ 1;
  await tables.graphs.put('/a', stored);
  await close();
  directory.read((tx) => {
    expect(tx.has('graphs', '/a')).toBe(true);
    expect(() => tx.get('graphs', '/a')).toThrow('A value of graphs is damaged');
  });
});

test('a value that was just written is found damaged, though what was written is known', async () => {
  const directory = await opened(await temporaryFolder());
  const posted = { day: 20_000, bytes: 1024 };
  await directory.transact((tx) => tx.put('posted', '1 an-app', posted));
  const read = () => directory.read((tx) => tx.get('posted', '1 an-app'));
  expect(read()).toEqual(posted);
  const { tables, close } = await openEnvironment(join(directory.dir, 'store'));
  const stored = Buffer.from(tables.posted.getBinary('1 an-app') ?? []);
  stored[stored.length - 1] = (stored.at(-1) ?? 0) ^ 1;
  await tables.posted.put('1 an-app', stored);
  await close();
  expect(read).toThrow('A value of posted is damaged');
});

test('a change that was undone leaves what was there before it', async () => {
  const directory = await opened(await temporaryFolder());
  await directory.transact((tx) => tx.put('posted', '1 an-app', { day: 20_000, bytes: 1024 }));
  const undone = directory.transact((tx) => {
    tx.put('posted', '1 an-app', { day: 20_000, bytes: 2048 });
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(directory.read((tx) => tx.get('posted', '1 an-app'))).toEqual({ day: 20_000, bytes: 1024 });
});

test('another secret key opens nothing', async () => {
  const dir = await temporaryFolder();
  await (await openDataDirectory(dir, { create: true })).close();
  await writeFile(join(dir, 'secret.key'), randomBytes(32).toString('hex'));
  await expect(openDataDirectory(dir)).rejects.toThrow('The secret key is not the one');
});

test('a directory of version 0.2 is refused with the way to open it', async () => {
  const dir = await temporaryFolder();
  await (await openDataDirectory(dir, { create: true })).close();
  const marker = join(dir, 'chartgraph.json');
  const text = await readFile(marker, 'utf8');
  await writeFile(marker, text.replace('"version": 3', '"version": 1'));
  await expect(openDataDirectory(dir)).rejects.toThrow(
    `${dir} holds data of version 0.2, whose values are not sealed: start version 0.26 on it once, which seals them.`,
  );
});

test('a directory without its keys is refused, and gets no new ones', async () => {
  const dir = await temporaryFolder();
  await (await openDataDirectory(dir, { create: true })).close();
  const root = open({ path: join(dir, 'store'), noSubdir: false, maxDbs: 64 });
  await root.openDB({ name: 'meta', encoding: 'msgpack' }).remove('keys');
  await root.close();
  await expect(openDataDirectory(dir)).rejects.toThrow('its keys are missing; restore a backup.');
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

test('an open directory whose secret key came from the environment goes on when that is changed, until it is opened anew', async () => {
  const dir = await temporaryFolder();
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  process.env['CHARTGRAPH_SECRET_KEY'] = old.toString('hex');
  onTestFinished(() => void delete process.env['CHARTGRAPH_SECRET_KEY']);
  const server = await opened(dir);
  await server.transact((tx) => tx.put('graphs', '/a', 'x'));
  await server.changeKeys((keys) => addSecret(keys, old, fresh));
  await server.changeKeys((keys) => keepSecret(keys, fresh));
  await server.transact((tx) => tx.put('graphs', '/b', 'y'));
  const { sha256 } = await openDocumentStore(server).put([Buffer.from('z')]);
  expect((await openDocumentStore(server).read({ sha256 })).toString()).toBe('z');
  await expect(openDataDirectory(dir)).rejects.toThrow('The secret key is not the one');
  // A data key that it does not know is another matter.
  await server.changeKeys((keys) => addDataKey(keys, fresh));
  await expect(server.transact((tx) => tx.put('graphs', '/c', 'z'))).rejects.toThrow(
    'The secret key is not the one',
  );
  process.env['CHARTGRAPH_SECRET_KEY'] = fresh.toString('hex');
  const again = await opened(dir);
  expect(again.read((tx) => [...tx.range('graphs')].map(({ value }) => value))).toEqual(['x', 'y']);
});

test('a data key that is changed while values are sealed with the one before it loses nothing', async () => {
  const directory = await opened(await temporaryFolder());
  const secret = await secretOf(directory.dir);
  const change = (): Promise<void> => directory.changeKeys((keys) => addDataKey(keys, secret));
  await directory.transact((tx) => {
    for (let number = 0; number < 1100; number++) tx.put('graphs', `/a/${number}`, `text ${number}`);
  });
  await change();
  const first = directory.dataKeys.current;
  let again: Promise<void> | undefined;
  await directory.resealAll(() => {
    again ??= change();
  });
  await again;
  expect(directory.hasOthers).toBe(false);
  expect(directory.dataKeys.current).not.toBe(first);
  expect(() => directory.dataKeys.keyOf(first)).toThrow('its key is not there');
  directory.read((tx) => {
    for (let number = 0; number < 1100; number++)
      expect(tx.get('graphs', `/a/${number}`)).toBe(`text ${number}`);
  });
});
