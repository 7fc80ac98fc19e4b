import { spawnSync } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../../src/store/documents/document-files.js';
import { sweepDocuments } from '../../../src/store/documents/sweep-documents.js';
import { verifyBackup, type BackupContents } from '../../../src/store/backup/verify-backup.js';
import { documentReferences, referencedContents } from '../../../src/records/documents/content-key.js';
import { removeRecord } from '../../../src/records/remove-record.js';
import { checkText } from '../../../src/store/relative-text.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { seededCopy } from '../../setup/seeded-copy.js';
import { temporaryFolder } from './temporary.js';

const program = resolve(import.meta.dirname, '..', '..', '..', 'dist', 'cli', 'chartgraph.js');
const references = documentReferences;

async function seeded(): Promise<DataDirectory> {
  const directory = await openDataDirectory(await seededCopy());
  onTestFinished(() => directory.close());
  return directory;
}

/** A document that a record refers to: its hash, the path of a graph that does, and its file. */
function someDocument(directory: DataDirectory): { sha256: string; path: string; file: string } {
  const [[sha256, path] = ['', '']] = directory.read(references);
  return { sha256, path, file: openDocumentStore(directory).path(sha256) };
}

async function flipBit(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

const verified = (directory: DataDirectory, file: string): Promise<BackupContents> =>
  verifyBackup(
    file,
    () => Promise.resolve({ kind: 'secret', secret: directory.secretKey() }),
    checkText,
    references,
  );

const newFile = async (): Promise<string> => join(await temporaryFolder(), 'backup');

describe('a document that cannot be backed up', () => {
  test.each<[string, (file: string) => Promise<void>]>([
    ['has another bit', flipBit],
    ['has other bytes and no seal', (file) => writeFile(file, 'other bytes')],
    ['is missing', (file) => rm(file)],
  ])('ends the backup when it %s, and leaves the one of before', async (_, damage) => {
    const directory = await seeded();
    const file = await newFile();
    await writeBackup(directory, file, { references });
    const before = await readFile(file);
    const document = someDocument(directory);
    await damage(document.file);
    await expect(writeBackup(directory, file, { references })).rejects.toThrow(
      `The document ${document.sha256}, which ${document.path} refers to, is missing or damaged`,
    );
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(join(file, '..'))).toEqual(['backup']);
  });

  test('is left out where that is asked for, and named then and when the backup is verified', async () => {
    const directory = await seeded();
    const file = await newFile();
    const { sha256, path, file: damaged } = someDocument(directory);
    const all = directory.read(references).size;
    await flipBit(damaged);
    const told: string[][] = [];
    await writeBackup(directory, file, { references, leaveOut: (...document) => told.push(document) });
    expect(told).toEqual([[sha256, path]]);
    expect(await verified(directory, file)).toMatchObject({
      documents: all - 1,
      problems: [`The document ${sha256}, which ${path} refers to, is not in the backup ${file}.`],
    });
  });

  test('is named by the command, which says what to do', async () => {
    const directory = await seeded();
    const { sha256, file } = someDocument(directory);
    await flipBit(file);
    const backup = await newFile();
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [program, ...args, '--data', directory.dir], { encoding: 'utf8' });
    const refused = run('backup', backup);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toContain(`The document ${sha256}, which `);
    expect(refused.stderr).toContain('or leave such documents out with --without-damaged');
    expect(await readdir(join(backup, '..'))).toEqual([]);
    const partial = run('backup', backup, '--without-damaged');
    expect(partial.status).toBe(0);
    expect(partial.stderr).toMatch(
      new RegExp(`^chartgraph: warning: the document ${sha256}, [^\n]+\n$`, 'u'),
    );
    const check = run('backup', 'verify', backup);
    expect(check).toMatchObject({ status: 1, stdout: '' });
    expect(check.stderr).toContain(`The document ${sha256}, which `);
  });

  test('is no matter where nothing refers to it', async () => {
    const directory = await seeded();
    const documents = openDocumentStore(directory);
    const { sha256 } = await documents.put([Buffer.from('nobody needs this')]);
    await flipBit(documents.path(sha256));
    const file = await newFile();
    await writeBackup(directory, file, { references });
    expect((await verified(directory, file)).problems).toEqual([]);
  });
});

/** A backup of some documents, of which there are `all`, and an empty directory to restore it in. */
async function backedUp() {
  const source = await seeded();
  const file = await newFile();
  await writeBackup(source, file, { references });
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  return { source, file, directory, all: source.read(references).size };
}

describe('the documents of a backup', () => {
  test('are all there when the data key is changed while it is written', async () => {
    const directory = await seeded();
    const file = await newFile();
    const all = directory.read(references).size;
    let rotated: unknown;
    const progress = (): void => {
      // The snapshot that is written is of before, and all is sealed anew before it ends.
      rotated ??= spawnSync(process.execPath, [
        program,
        'key',
        'rotate',
        '--data-key',
        '--data',
        directory.dir,
      ]).status;
    };
    await writeBackup(directory, file, { references, progress });
    expect(rotated).toBe(0);
    expect(all).toBeGreaterThan(10);
    expect(await verified(directory, file)).toMatchObject({ documents: all, problems: [] });
  });

  test('are those that records refer to, or did as far as history is kept, and no others', async () => {
    const directory = await seeded();
    const base = 'http://localhost:7000';
    const primary = openPrimaryStore(directory, base);
    const documents = openDocumentStore(directory);
    const { path } = someDocument(directory);
    const record = path.split('/')[2] ?? '';
    const count = async (): Promise<number> => {
      const file = await newFile();
      await writeBackup(directory, file, { references });
      const { documents: found, problems } = await verified(directory, file);
      expect(problems).toEqual([]);
      return found;
    };
    const all = await count();
    expect(all).toBe((await documents.list()).length);
    await removeRecord(primary, base, record);
    expect(await count()).toBe(all);
    await removeRecord(primary, base, record, true);
    // What was purged is there until the next start, and goes into no backup.
    expect((await documents.list()).length).toBe(all);
    expect(await count()).toBeLessThan(all);
  });

  test('come back with a restore', async () => {
    const directory = await seeded();
    const file = await newFile();
    await writeBackup(directory, file, { references });
    const { sha256, file: lost } = someDocument(directory);
    await rm(lost);
    await restoreBackup(directory, file);
    expect((await openDocumentStore(directory).read({ sha256 })).length).toBeGreaterThan(0);
  });

  test('are all there after a restore that took so long that a server swept them meanwhile', async () => {
    const { source, file, directory, all } = await backedUp();
    let commits = 0;
    let swept = 0;
    const transact = directory.transact.bind(directory);
    // The first transactions put a document each, the next one restores what refers to them.
    directory.transact = async (work) => {
      // A file may be of a part of the millisecond that has just begun.
      const now = Date.now() + 1;
      if (commits++ === all) swept = await sweepDocuments(directory, referencedContents, { age: 0, now });
      return transact(work);
    };
    await restoreBackup(directory, file, { key: { kind: 'secret', secret: source.secretKey() } });
    expect(swept).toBe(all);
    const documents = openDocumentStore(directory);
    for (const sha256 of directory.read(references).keys()) expect(documents.has(sha256)).toBe(true);
  });

  test('are put a few times and no more where a server sweeps them each time', async () => {
    const { source, file, directory, all } = await backedUp();
    let commits = 0;
    let isSweeping = false;
    const transact = directory.transact.bind(directory);
    // Each attempt puts every document in a transaction of its own, and then restores what refers to them.
    directory.transact = async (work) => {
      if (isSweeping) return transact(work);
      // Without an end to the attempts this would never end either.
      if (commits > 20 * (all + 1)) throw new Error('the restore goes on and on');
      if (commits++ % (all + 1) === all) {
        isSweeping = true;
        await sweepDocuments(directory, referencedContents, { age: 0, now: Date.now() + 1 });
        isSweeping = false;
      }
      return transact(work);
    };
    await expect(
      restoreBackup(directory, file, { key: { kind: 'secret', secret: source.secretKey() } }),
    ).rejects.toThrow(/were removed 4 times before all of them were there: end the servers/u);
  });
});
