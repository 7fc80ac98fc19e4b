import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { restoreBackup, writeBackup } from '../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { keepHistory, storedHistory, storeHistory, type HistoryLength } from '../../src/store/history.js';
import { undoneUntil, untold } from '../../src/store/past.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { sweepHistory } from '../../src/store/sweep-history.js';
import { temporaryFolder } from './disk/temporary.js';
import { clock } from './history-contract.js';
import { BASE, note } from './samples.js';

const START = Date.UTC(2026, 2, 1);
const DAY = 24 * 60 * 60 * 1000;
const KEY = Buffer.alloc(32, 7);

let time: ReturnType<typeof clock>;
let file: string;
beforeEach(async () => {
  time = clock();
  file = `${await temporaryFolder()}/backup`;
});

async function open(): Promise<DataDirectory> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true, secret: KEY });
  onTestFinished(() => directory.close());
  return directory;
}

/** Does something so many milliseconds after the start. */
async function after<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  time.set(START + milliseconds);
  return work();
}

const write = (directory: DataDirectory, text: string): Promise<number> =>
  openPrimaryStore(directory, BASE).write({ replace: [note('/records/1', text)] });

const keep = (directory: DataDirectory, length: HistoryLength): Promise<void> =>
  directory.transact((tx) => keepHistory(tx, length, Date.now()));

/** Until when times are undone, both after the start. */
const undone = (directory: DataDirectory, ...times: number[]): (number | undefined)[] =>
  directory.read((tx) =>
    times.map((each) => {
      const until = undoneUntil(tx, START + each);
      return until === undefined ? undefined : until - START;
    }),
  );

/** A change at 1000, a backup at 2000, a change at 3000, one more at 4000, the restore at 5000. */
async function restored(): Promise<DataDirectory> {
  const directory = await open();
  await after(1000, () => write(directory, 'kept'));
  await after(2000, () => writeBackup(directory, file));
  await after(3000, () => write(directory, 'lost'));
  await after(4000, () => write(directory, 'lost too'));
  await after(5000, () => restoreBackup(directory, file));
  return directory;
}

describe('the time that a restore has undone', () => {
  test('is that from the first change after the backup until the restore', async () => {
    const directory = await restored();
    expect(undone(directory, 0, 1000, 2999, 3000, 4999, 5000, 9000)).toEqual([
      undefined,
      undefined,
      undefined,
      5000,
      5000,
      undefined,
      undefined,
    ]);
    await after(6000, () => write(directory, 'new'));
    expect(undone(directory, 2999, 4000, 6000)).toEqual([undefined, 5000, undefined]);
  });

  test('is none where nothing was changed after the backup', async () => {
    const directory = await open();
    await after(1000, () => write(directory, 'kept'));
    await after(2000, () => writeBackup(directory, file));
    await after(5000, () => restoreBackup(directory, file));
    expect(undone(directory, 1000, 2000, 4999)).toEqual([undefined, undefined, undefined]);
    expect(directory.read(storedHistory)).not.toHaveProperty('taken');
  });

  test('is not the very time of the last change of the backup, which TimeMaps list', async () => {
    const directory = await open();
    await after(1000, () => write(directory, 'kept'));
    await writeBackup(directory, file);
    await write(directory, 'lost');
    await after(5000, () => restoreBackup(directory, file));
    expect(undone(directory, 1000, 1001)).toEqual([undefined, 5000]);
  });

  test('begins with the backup where it is restored into another directory', async () => {
    await restored();
    const other = await open();
    await after(7000, () => restoreBackup(other, file));
    expect(undone(other, 1000, 1999, 2000, 6999, 7000)).toEqual([
      undefined,
      undefined,
      7000,
      7000,
      undefined,
    ]);
    // No change is lost there that anybody could have read.
    expect(other.read((tx) => untold(tx, 1))).toBeUndefined();
  });

  test('begins with the backup where it is restored once more, and ends with the last restore', async () => {
    const directory = await restored();
    await after(6000, () => write(directory, 'lost as well'));
    await after(7000, () => restoreBackup(directory, file));
    expect(undone(directory, 1999, 2000, 5500, 6999, 7000)).toEqual([undefined, 7000, 7000, 7000, undefined]);
  });

  test('is told of each restore when a later backup is restored', async () => {
    const directory = await restored();
    await after(6000, () => writeBackup(directory, file));
    await after(7000, () => write(directory, 'lost as well'));
    await after(8000, () => restoreBackup(directory, file));
    expect(undone(directory, 2999, 3000, 5000, 6999, 7000, 8000)).toEqual([
      undefined,
      5000,
      undefined,
      undefined,
      8000,
      undefined,
    ]);
  });

  test('begins with the backup where the history does not tell of the first change after it', async () => {
    const directory = await open();
    await after(1000, () => write(directory, 'kept'));
    await after(2000, () => writeBackup(directory, file));
    await keep(directory, 'off');
    await after(3000, () => write(directory, 'lost'));
    await keep(directory, 'all');
    await after(4000, () => write(directory, 'lost too'));
    await after(5000, () => restoreBackup(directory, file));
    expect(undone(directory, 1999, 2000, 4999)).toEqual([undefined, 5000, 5000]);
  });

  test('begins after the last change of the backup where an older version has restored it', async () => {
    const directory = await restored();
    await directory.transact((tx) => {
      const history = storedHistory(tx);
      if (history) storeHistory(tx, { ...history, lost: [{ after: 1, before: 4 }] });
    });
    expect(undone(directory, 1000, 1001, 4999, 5000)).toEqual([undefined, 5000, 5000, undefined]);
  });

  test('is told as long as history reaches back to it', async () => {
    const directory = await restored();
    await after(6000, () => write(directory, 'new'));
    await keep(directory, 1);
    await sweepHistory(directory, START + DAY + 4000);
    expect(directory.read(storedHistory)).toMatchObject({ since: 1, at: START + 1000 });
    expect(undone(directory, 2999, 3000, 4999)).toEqual([undefined, 5000, 5000]);
    await sweepHistory(directory, START + DAY + 5000);
    expect(directory.read(storedHistory)).toMatchObject({ since: 4, at: START + 5000 });
    expect(undone(directory, 3000, 4999, 5000)).toEqual([undefined, undefined, undefined]);
  });
});
