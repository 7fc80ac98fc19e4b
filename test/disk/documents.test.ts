import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/disk/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/disk/data-directory.js';
import { LARGEST_DOCUMENT, openDocumentStore } from '../../src/disk/document-files.js';
import { sweepDocuments, SWEEP_AGE } from '../../src/disk/sweep-documents.js';
import { temporaryFolder } from './temporary.js';

const bytes = Buffer.from('the bytes of a document');
const sha256 = createHash('sha256').update(bytes).digest('hex');

async function emptyStore() {
  const folder = await temporaryFolder();
  return { folder, store: openDocumentStore(folder) };
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
    const file = await store.open(await store.put([bytes]));
    const parts: Uint8Array[] = [];
    for await (const part of file.bytes(4, 8)) parts.push(part);
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

  it('only its owner can read', async () => {
    const { store } = await emptyStore();
    await store.put([bytes]);
    expect((await stat(store.path(sha256))).mode & 0o777).toBe(0o600);
  });
});

describe('sweeping', () => {
  async function directoryWith(...contents: string[]) {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    const store = openDocumentStore(directory.documentsDir);
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

  it('is content with a directory that has no documents', async () => {
    const { directory } = await directoryWith();
    expect(await sweepDocuments(directory, () => new Set(), { now: later() })).toBe(0);
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
    const key = await openDocumentStore(source.documentsDir).put([bytes]);
    const empty = await openDocumentStore(source.documentsDir).put([]);
    const file = join(await temporaryFolder(), 'backup');
    const written = await writeBackup(source, file);
    const target = await directoryWithKeyOf(source);
    expect(await restoreBackup(target, file)).toBe(written);
    const store = openDocumentStore(target.documentsDir);
    expect((await store.read(key)).equals(bytes)).toBe(true);
    expect((await store.read(empty)).length).toBe(0);
    for (const directory of [source, target]) await directory.close();
  });

  it('of a damaged file does not make it look sound', async () => {
    const source = await openDataDirectory(await temporaryFolder(), { create: true });
    const key = await openDocumentStore(source.documentsDir).put([bytes]);
    await writeFile(openDocumentStore(source.documentsDir).path(key.sha256), 'The bytes of a document');
    const file = join(await temporaryFolder(), 'backup');
    await writeBackup(source, file);
    const target = await directoryWithKeyOf(source);
    await restoreBackup(target, file);
    await expect(openDocumentStore(target.documentsDir).read(key)).rejects.toMatchObject({
      kind: 'damaged-document',
    });
    for (const directory of [source, target]) await directory.close();
  });
});
