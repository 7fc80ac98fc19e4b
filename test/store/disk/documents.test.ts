import { createHash, randomBytes } from 'node:crypto';
import { utimesSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDocumentStore, type DocumentStore } from '../../../src/store/documents/document-files.js';
import { LARGEST_DOCUMENT } from '../../../src/store/documents/put-document.js';
import type { SharedStore } from '../../../src/store/postgres/shared-store.js';
import { sweepDocuments, SWEEP_AGE } from '../../../src/store/documents/sweep-documents.js';
import { addDataKey } from '../../../src/store/disk/keyring.js';
import { temporaryFolder } from './temporary.js';

const bytes = Buffer.from('the bytes of a document');
const sha256 = createHash('sha256').update(bytes).digest('hex');

async function emptyStore() {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  return { directory, folder: directory.documentsDir, store: openDocumentStore(directory) };
}

describe('a store of document files', () => {
  it('keeps bytes under their hash and gives them back', async () => {
    const { store } = await emptyStore();
    const key = await store.put([bytes.subarray(0, 4), bytes.subarray(4)]);
    expect(key).toEqual({ sha256, size: bytes.length });
    expect((await store.read(key)).equals(bytes)).toBe(true);
    expect(store.has(sha256)).toBe(true);
    expect(await store.list()).toMatchObject([{ sha256 }]);
  });

  it('keeps equal content once, and nothing else', async () => {
    const { folder, store } = await emptyStore();
    await Promise.all(Array.from({ length: 5 }, () => store.put([bytes])));
    const files = await readdir(join(folder, 'sha256'), { recursive: true });
    expect(files.sort()).toEqual([sha256.slice(0, 2), `${sha256.slice(0, 2)}/${sha256.slice(2)}`]);
  });

  it('keeps an empty file', async () => {
    const { store } = await emptyStore();
    const key = await store.put([]);
    expect(key.size).toBe(0);
    expect((await store.read(key)).length).toBe(0);
  });

  it('gives parts of a file', async () => {
    const { store } = await emptyStore();
    const file = await store.open(await store.put([bytes]), { start: 4, end: 8 });
    const parts: Uint8Array[] = [];
    for await (const part of file.bytes()) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('bytes');
  });

  it('keeps nothing of a file that breaks off', async () => {
    const { folder, store } = await emptyStore();
    async function* broken() {
      yield await Promise.resolve(bytes);
      throw new Error('the source broke off');
    }
    await expect(store.put(broken())).rejects.toThrow('the source broke off');
    expect(await readdir(join(folder, 'sha256'))).toEqual([]);
  });

  it('refuses a file beyond its limit', async () => {
    const { folder, store } = await emptyStore();
    const piece = Buffer.alloc(1 << 20);
    function* endless() {
      for (let size = 0; size <= LARGEST_DOCUMENT; size += piece.length) yield piece;
    }
    await expect(store.put(endless())).rejects.toThrow(RangeError);
    expect(await readdir(join(folder, 'sha256'))).toEqual([]);
  });

  it.each<[string, (file: string) => Promise<void>]>([
    ['is missing', (file) => rm(file)],
    ['is cut short', (file) => truncate(file, 3)],
    ['is empty', (file) => truncate(file, 0)],
    ['is longer than it was', (file) => appendFile(file, '!')],
    ['has one other byte', (file) => writeFile(file, 'The bytes of a document')],
    ['is a folder', (file) => rm(file).then(() => mkdir(file))],
  ])('a file that %s is told as damaged, and put again it is sound', async (_, damage) => {
    const { store } = await emptyStore();
    const key = await store.put([bytes]);
    await damage(store.path(sha256));
    await expect(store.read(key)).rejects.toMatchObject({ kind: 'damaged-document', status: 500 });
    await expect(store.open(key)).rejects.toMatchObject({ kind: 'damaged-document' });
    await rm(store.path(sha256), { recursive: true, force: true });
    await store.put([bytes]);
    expect((await store.read(key)).equals(bytes)).toBe(true);
  });

  it.each(['', '..', '../../etc/passwd', 'a'.repeat(63), sha256.toUpperCase(), `${sha256}/x`])(
    'the hash %j leads to no file',
    async (wrong) => {
      const { store } = await emptyStore();
      expect(store.has(wrong)).toBe(false);
      await expect(store.read({ sha256: wrong, size: 1 })).rejects.toMatchObject({
        kind: 'damaged-document',
      });
    },
  );

  it('keeps nothing of the content in the clear, and gives every part of what is longer than a chunk', async () => {
    const { store } = await emptyStore();
    const long = randomBytes(3 * 65536);
    for (const size of [65535, 65536, 65537, long.length]) {
      const content = long.subarray(0, size);
      const key = await store.put([content.subarray(0, 1000), content.subarray(1000)]);
      const stored = await readFile(store.path(key.sha256));
      expect(stored.includes(content.subarray(0, 16))).toBe(false);
      expect((await store.read(key)).equals(content)).toBe(true);
      for (const [start, end] of [
        [0, 0],
        [65535, 65536],
        [size - 1, size - 1],
        [10, size - 2],
      ] as const) {
        if (end >= size) continue;
        const parts: Uint8Array[] = [];
        for await (const part of (await store.open(key, { start, end })).bytes()) parts.push(part);
        expect(Buffer.concat(parts).equals(content.subarray(start, end + 1))).toBe(true);
      }
    }
  });

  it('finds chunks that changed their places, were left out or belong to another file', async () => {
    const { store } = await emptyStore();
    const long = randomBytes(3 * 65536);
    const key = await store.put([long]);
    const other = await store.put([Buffer.concat([long, Buffer.of(1)])]);
    const file = store.path(key.sha256);
    const sound = await readFile(file);
    const start = sound.length - 3 * (65536 + 16);
    const chunk = (bytes: Buffer, at: number) => bytes.subarray(start + at * 65552, start + (at + 1) * 65552);
    const header = sound.subarray(0, start);
    const another = await readFile(store.path(other.sha256));
    for (const chunks of [
      [chunk(sound, 1), chunk(sound, 0), chunk(sound, 2)],
      [chunk(sound, 0), chunk(sound, 2)],
      [chunk(sound, 0), chunk(sound, 1)],
      [chunk(another, 0), chunk(sound, 1), chunk(sound, 2)],
    ]) {
      await writeFile(file, Buffer.concat([header, ...chunks]));
      await expect(store.read(key)).rejects.toMatchObject({ kind: 'damaged-document' });
    }
    await writeFile(file, sound);
    expect((await store.read(key)).equals(long)).toBe(true);
  });

  it('looks at nothing but the part that is asked for once the content was compared with its hash', async () => {
    const { store } = await emptyStore();
    const long = randomBytes(3 * 65536);
    const key = await store.put([long]);
    const other = await store.put([randomBytes(3 * 65536)]);
    const file = store.path(key.sha256);
    const sound = await readFile(file);
    const altered = Buffer.from(sound);
    altered.writeUInt8(altered.readUInt8(1000) ^ 1, 1000);
    const last = { start: 2 * 65536, end: 3 * 65536 - 1 };
    const part = async () => {
      const parts: Uint8Array[] = [];
      for await (const bytes of (await store.open(key, last)).bytes()) parts.push(bytes);
      return Buffer.concat(parts);
    };
    const isDamaged = { kind: 'damaged-document' };

    await writeFile(file, altered);
    await expect(part()).rejects.toMatchObject(isDamaged);
    await writeFile(file, sound);
    expect((await part()).equals(long.subarray(last.start))).toBe(true);
    await writeFile(file, altered);
    expect((await part()).equals(long.subarray(last.start))).toBe(true);
    await expect(store.open(key, { start: 0, end: 0 })).rejects.toMatchObject(isDamaged);
    await expect(store.open(key)).rejects.toMatchObject(isDamaged);
    await expect(store.read(key)).rejects.toMatchObject(isDamaged);
    // Sealed by this container, whole, and of the right length, but another file.
    await copyFile(store.path(other.sha256), file);
    await expect(part()).rejects.toMatchObject(isDamaged);
    await truncate(file, sound.length - 1);
    await expect(part()).rejects.toMatchObject(isDamaged);
    // Nothing but the header that is known.
    await writeFile(file, sound.subarray(0, sound.length - 3 * (65536 + 16)));
    for (const name of [key, { sha256: key.sha256 }])
      await expect(store.open(name)).rejects.toMatchObject(isDamaged);
  });

  it('seals files anew with the data key of now', async () => {
    const { directory, store } = await emptyStore();
    const sealed = await store.put([bytes]);
    const secret = Buffer.from((await readFile(join(directory.dir, 'secret.key'), 'utf8')).trim(), 'hex');
    const before = directory.dataKeys.current;
    await directory.changeKeys((keys) => addDataKey(keys, secret));
    await directory.resealAll();
    expect(directory.dataKeys.current).not.toBe(before);
    expect(() => directory.dataKeys.keyOf(before)).toThrow('its key is not there');
    expect((await store.read(sealed)).equals(bytes)).toBe(true);
  });

  it('a file that comes while the data key is changed is sealed with the new one', async () => {
    const { directory, store } = await emptyStore();
    const secret = Buffer.from((await readFile(join(directory.dir, 'secret.key'), 'utf8')).trim(), 'hex');
    async function* slow() {
      yield bytes;
      await directory.changeKeys((keys) => addDataKey(keys, secret));
      await directory.resealAll();
    }
    const key = await store.put(slow());
    expect((await store.read(key)).equals(bytes)).toBe(true);
    expect(await readdir(join(directory.documentsDir, 'sha256'))).toEqual([sha256.slice(0, 2)]);
  });

  it('only its owner can read', async () => {
    const { store } = await emptyStore();
    await store.put([bytes]);
    expect((await stat(store.path(sha256))).mode & 0o777).toBe(0o600);
  });
});

describe('sweeping', () => {
  async function directoryWith(...contents: string[]) {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    const store = openDocumentStore(directory);
    const keys = [];
    for (const content of contents) keys.push(await store.put([Buffer.from(content)]));
    return { directory, store, hashes: keys.map((key) => key.sha256) };
  }
  const later = (): number => Date.now() + SWEEP_AGE + 1000;

  it('removes the old files that no graph refers to, and leaves the others', async () => {
    const { directory, store, hashes } = await directoryWith('used', 'orphan');
    const [used = '', orphan = ''] = hashes;
    expect(await sweepDocuments(directory, () => new Set([used]), { now: later() })).toBe(1);
    expect([store.has(used), store.has(orphan)]).toEqual([true, false]);
    await directory.close();
  });

  it('leaves young files alone: somebody may be storing their graph', async () => {
    const { directory, store, hashes } = await directoryWith('young');
    expect(await sweepDocuments(directory, () => new Set())).toBe(0);
    expect(store.has(hashes[0] ?? '')).toBe(true);
    await directory.close();
  });

  it('leaves a file that a graph began to refer to, or that was put again, before the transaction', async () => {
    for (const meanwhile of ['referred', 'put again'] as const) {
      const { directory, store, hashes } = await directoryWith('x');
      const [hash = ''] = hashes;
      const past = new Date(Date.now() - 2 * SWEEP_AGE);
      await utimes(store.path(hash), past, past);
      let looks = 0;
      const references = (): Set<string> => {
        looks++;
        if (meanwhile === 'put again' && looks === 2) touchNow(store.path(hash));
        return new Set(meanwhile === 'referred' && looks === 2 ? [hash] : []);
      };
      expect(await sweepDocuments(directory, references)).toBe(0);
      expect([looks, store.has(hash)]).toEqual([2, true]);
      await directory.close();
    }
  });

  it('removes what an interrupted writer left behind', async () => {
    const { directory } = await directoryWith('x');
    const left = join(directory.documentsDir, 'sha256', '.0123456789abcdef');
    await writeFile(left, 'half');
    await sweepDocuments(directory, () => new Set());
    expect(await readdir(join(directory.documentsDir, 'sha256'))).toContain('.0123456789abcdef');
    await sweepDocuments(directory, () => new Set(), { now: later() });
    expect(await readdir(join(directory.documentsDir, 'sha256'))).not.toContain('.0123456789abcdef');
    await directory.close();
  });

  it('removes what was left of a document that another gateway has, and that nobody fetched to its end', async () => {
    const { directory } = await directoryWith('x');
    let end: () => void = () => undefined;
    const isEnded = new Promise<void>((resolve) => (end = resolve));
    const fetching = gatewayOf(directory, async function* () {
      yield Buffer.from('half');
      await isEnded;
    });
    const begun = fetching.read({ sha256 });
    const files = async (): Promise<string[]> =>
      (await readdir(directory.documentsDir, { recursive: true, withFileTypes: true }))
        .filter((each) => each.isFile())
        .map(({ name }) => name);
    await expect.poll(files).toHaveLength(2);
    await sweepDocuments(directory, () => new Set(), { now: later() });
    expect(await files()).toEqual([]);
    end();
    await expect(begun).rejects.toThrow();
    await directory.close();
  });

  it('is content with a directory that has no documents', async () => {
    const { directory } = await directoryWith();
    expect(await sweepDocuments(directory, () => new Set(), { now: later() })).toBe(0);
    await directory.close();
  });
});

/** The documents of a gateway whose shared store has one. */
function gatewayOf(directory: DataDirectory, document: SharedStore['document']): DocumentStore {
  const { documentsDir, dataKeys } = directory;
  const shared = { document } as SharedStore;
  const transact = directory.transact.bind(directory);
  return openDocumentStore({ documentsDir, dataKeys, shared, transact, current: undefined });
}

describe('a document that another gateway has', () => {
  it('is fetched once for all who ask for it at the same time', async () => {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    const here = openDocumentStore(directory);
    const { sha256: name } = await here.put([bytes]);
    const sealed = await readFile(here.path(name));
    await rm(here.path(name));
    let fetched = 0;
    const store = gatewayOf(directory, async function* () {
      fetched++;
      yield await Promise.resolve(sealed);
    });
    const read = await Promise.all(Array.from({ length: 5 }, () => store.read({ sha256: name })));
    expect(read.map(String)).toEqual(Array(5).fill(String(bytes)));
    expect(fetched).toBe(1);
    await directory.close();
  });

  it('is 503 where there is no room for it, and leaves nothing behind', async () => {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    const isFull = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const store = gatewayOf(directory, () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(isFull) }),
    }));
    await expect(store.read({ sha256 })).rejects.toMatchObject({
      status: 503,
      message: 'There is no room on the disk for the file.',
    });
    expect(await readdir(join(directory.documentsDir, 'sha256'))).toEqual([]);
    await directory.close();
  });
});

function touchNow(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/** A backup opens where the secret key of its directory is. */
async function directoryWithKeyOf({ dir }: DataDirectory): Promise<DataDirectory> {
  const folder = await temporaryFolder();
  await copyFile(join(dir, 'secret.key'), join(folder, 'secret.key'));
  return openDataDirectory(folder, { create: true });
}

describe('a backup', () => {
  it('holds the files of documents, and brings them back into another directory', async () => {
    const source = await openDataDirectory(await temporaryFolder(), { create: true });
    const key = await openDocumentStore(source).put([bytes]);
    const empty = await openDocumentStore(source).put([]);
    const file = join(await temporaryFolder(), 'backup');
    const written = await writeBackup(source, file);
    const target = await directoryWithKeyOf(source);
    expect(await restoreBackup(target, file)).toBe(written);
    const store = openDocumentStore(target);
    expect((await store.read(key)).equals(bytes)).toBe(true);
    expect((await store.read(empty)).length).toBe(0);
    for (const directory of [source, target]) await directory.close();
  });

  it('of a damaged file does not make it look sound', async () => {
    const source = await openDataDirectory(await temporaryFolder(), { create: true });
    const key = await openDocumentStore(source).put([bytes]);
    await writeFile(openDocumentStore(source).path(key.sha256), 'The bytes of a document');
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(source, file);
    const target = await directoryWithKeyOf(source);
    await restoreBackup(target, file);
    await expect(openDocumentStore(target).read(key)).rejects.toMatchObject({
      kind: 'damaged-document',
    });
    for (const directory of [source, target]) await directory.close();
  });
});
