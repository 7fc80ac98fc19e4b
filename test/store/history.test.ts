import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { readSecretKeyNow } from '../../src/store/disk/key-file.js';
import { addDataKey } from '../../src/store/disk/keyring.js';
import { storedHistory } from '../../src/store/history.js';
import { historyBegins, revisionAt, textAt } from '../../src/store/past.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { clock, testHistory } from './history-contract.js';
import { BASE, note } from './samples.js';

const START = Date.UTC(2026, 2, 1);

async function open(seal = true): Promise<DataDirectory> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true, seal });
  onTestFinished(() => directory.close());
  return directory;
}

describe('the history of a store whose records are in the clear', () => testHistory(() => open(false)));

describe('the history of a store', () => {
  testHistory(open);

  test('changes that share a transaction stay apart', async () => {
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    const texts = ['a', 'b', 'c', 'd'];
    await Promise.all(texts.map((text) => store.write({ replace: [note('/records/1', text)] })));
    directory.read((tx) => {
      for (const [index, text] of texts.entries())
        expect(textAt(tx, '/records/1', index + 1)).toContain(`"${text}"`);
      expect(textAt(tx, '/records/1', 0)).toBeUndefined();
    });
  });

  test('a clock that is set back does not put a later change before an earlier one', async () => {
    const time = clock();
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    await store.write({ replace: [note('/records/1', 'x')] });
    time.set(START - 60_000);
    await store.write({ replace: [note('/records/1', 'y')] });
    expect(directory.read((tx) => [revisionAt(tx, START), revisionAt(tx, START - 1)])).toEqual([
      2,
      undefined,
    ]);
  });

  test('what a program without a history has changed meanwhile begins it anew', async () => {
    const time = clock();
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    await store.write({ replace: [note('/records/1', 'x')] });
    await directory.transact((tx) => tx.put('meta', 'sequence', 2));
    time.set(START + 1000);
    await store.write({ replace: [note('/records/1', 'y')] });
    expect(directory.read(historyBegins)).toEqual({ revision: 2, at: START + 1000 });
  });

  test('what is not to be kept is not, and neither is its moment told as a change', async () => {
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    await store.write({ replace: [note('/records/1', 'x')], isUnkept: true });
    await store.write({ replace: [note('/records/1', 'y')], isUnkept: true });
    expect(directory.read((tx) => [tx.count('history'), tx.count('moments')])).toEqual([0, 2]);
  });

  test('a backup holds the history, and it goes on after the restore', async () => {
    const time = clock();
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    await store.write({ replace: [note('/records/1', 'x')] });
    time.set(START + 1000);
    await store.write({ replace: [note('/records/1', 'y')] });
    const file = `${await temporaryFolder()}/backup`;
    await writeBackup(directory, file);
    await store.write({ remove: [BASE + '/records/1'] });
    time.set(START + 2000);
    await restoreBackup(directory, file);
    time.set(START + 3000);
    await store.write({ replace: [note('/records/1', 'z')] });
    const seen = [0, 1000, 2000, 3000].map((after) =>
      directory.read(
        (tx) => /"(.)"/.exec(textAt(tx, '/records/1', revisionAt(tx, START + after) ?? 0) ?? '')?.[1],
      ),
    );
    expect(seen).toEqual(['x', 'y', 'y', 'z']);
    expect(directory.read(storedHistory)?.since).toBe(0);
  });

  test('a clock that is set back before a restore does not put what follows before an earlier change', async () => {
    const time = clock();
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    for (const [index, text] of ['a', 'b', 'c', 'd'].entries()) {
      time.set(START + index * 1000);
      await store.write({ replace: [note('/records/1', text)] });
    }
    const file = `${await temporaryFolder()}/backup`;
    await writeBackup(directory, file);
    time.set(START + 500);
    await restoreBackup(directory, file);
    for (const text of ['v', 'w', 'x', 'y', 'z']) await store.write({ replace: [note('/records/1', text)] });
    const seen = [500, 1500, 2500, 3500].map((after) =>
      directory.read((tx) => revisionAt(tx, START + after)),
    );
    expect(seen).toEqual([1, 2, 3, 10]);
  });

  test('it is read after a change of the data key', async () => {
    const directory = await open();
    const store = openPrimaryStore(directory, BASE);
    await store.write({ replace: [note('/records/1', 'x')] });
    await store.write({ replace: [note('/records/1', 'y')] });
    const secret = readSecretKeyNow(directory.dir, process.env);
    await directory.changeKeys((keys) => addDataKey(keys, secret));
    await directory.resealAll();
    expect(directory.read((tx) => textAt(tx, '/records/1', 1))).toContain('"x"');
  });
});
