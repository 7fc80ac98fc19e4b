import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { openEmbeddedStore, type EmbeddedStore } from '../../src/store/embedded-store.js';
import { SHARED } from '../../src/store/parts.js';
import { temporaryFolder } from './disk/temporary.js';
import { BASE, note, TEXTS } from './samples.js';

async function storeAndWriter(): Promise<{
  store: EmbeddedStore;
  write: (path: string, value: string) => Promise<number>;
}> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  const store = await openEmbeddedStore({ directory, base: BASE });
  const child: ChildProcess = fork(new URL('other-writer.mjs', import.meta.url), [directory.dir, BASE]);
  await once(child, 'message');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await store.close();
    await directory.close();
  });
  const write = async (path: string, value: string): Promise<number> => {
    const answer = once(child, 'message');
    child.send({ path, value });
    return ((await answer) as [number])[0];
  };
  return { store, write };
}

const textOf = async (store: EmbeddedStore, path: string) =>
  (await store.select(TEXTS)).find((row) => row.note?.value === BASE + path)?.text?.value;

describe('two processes on one directory', () => {
  test('what one has acknowledged the other answers at once', async () => {
    const { store, write } = await storeAndWriter();
    for (let number = 0; number < 200; number++) {
      const revision = await write('/records/1', String(number));
      expect(await textOf(store, '/records/1')).toBe(String(number));
      expect(await store.revision('/records/1')).toBe(revision);
    }
  });

  test('rows are held for those who ask again until the other has written', async () => {
    const { store, write } = await storeAndWriter();
    const again = () => store.select(TEXTS, undefined, 'cached');
    for (let number = 0; number < 50; number++) {
      await write('/records/1', String(number));
      const rows = await again();
      expect(rows.map((row) => row.text?.value)).toEqual([String(number)]);
      expect(await again()).toBe(rows);
      expect(await store.select(TEXTS)).toEqual(rows);
    }
  });

  test('rows of a record are held until the other has written to that record', async () => {
    const { store, write } = await storeAndWriter();
    const ofOne = `SELECT ?text WHERE { GRAPH <${BASE}/records/1/notes/1> { ?note ?is ?text } }`;
    const again = (...scope: string[]) => store.select(ofOne, scope, 'cached');
    let [rows, ofAll] = [await again('/records/1'), await again('/records/1', SHARED)];
    for (let number = 0; number < 20; number++) {
      await write('/records/10', String(number));
      expect(await again('/records/1')).toBe(rows);
      // Whatever else is read may stand anywhere.
      expect(await again('/records/1', SHARED)).not.toBe(ofAll);
      await write('/records/1/notes/1', String(number));
      [rows, ofAll] = [await again('/records/1'), await again('/records/1', SHARED)];
      for (const each of [rows, ofAll]) expect(each.map(({ text }) => text?.value)).toEqual([String(number)]);
    }
  });

  test('both write at the same time, and every write has a revision of its own', async () => {
    const { store, write } = await storeAndWriter();
    const theirs = (async () => {
      const all = [];
      for (let number = 0; number < 100; number++) all.push(await write(`/theirs/${number}`, 'x'));
      return all;
    })();
    const ours = Promise.all(
      Array.from({ length: 100 }, (_, number) => store.write({ replace: [note(`/ours/${number}`, 'x')] })),
    );
    const revisions = [...(await theirs), ...(await ours)];
    expect(new Set(revisions).size).toBe(200);
    expect(await store.revision('')).toBe(200);
    expect(await store.select(TEXTS)).toHaveLength(200);
  });

  test('a restore is seen by a running store, which then goes on writing', async () => {
    const { store, write } = await storeAndWriter();
    const { directory } = store.primary;
    const file = directory.dir + '/backup';
    await write('/records/1', 'kept');
    await writeBackup(directory, file);
    await write('/records/1', 'changed');
    await write('/records/2', 'added');
    expect(await store.select(TEXTS)).toHaveLength(2);
    expect(await store.select(TEXTS, undefined, 'cached')).toHaveLength(2);
    await restoreBackup(directory, file);
    expect(await store.select(TEXTS, undefined, 'cached')).toHaveLength(1);
    expect(await store.select(TEXTS)).toHaveLength(1);
    expect(await textOf(store, '/records/1')).toBe('kept');
    expect(await store.revision('')).toBeGreaterThan(3);
    await write('/records/2', 'again');
    expect(await textOf(store, '/records/2')).toBe('again');
  });
});
