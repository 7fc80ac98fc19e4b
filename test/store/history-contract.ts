import { expect, onTestFinished, test, vi } from 'vitest';
import type { DataDirectory } from '../../src/store/disk/data-directory.js';
import { keepHistory, storedHistory } from '../../src/store/history.js';
import { changesUnder, pathsAt, revisionAt, textAt } from '../../src/store/past.js';
import { atOnce } from '../../src/store/steps.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { purgeHistory, sweepHistory } from '../../src/store/sweep-history.js';
import { BASE, note } from './samples.js';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 2, 1);
const paths = [
  '/records/1',
  '/records/1/notes/a',
  '/records/1/notes/a/parts/b',
  '/records/10/notes/a',
  '/users/u',
];

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** What a model of the store remembers of one change: everything as it was then. */
interface Remembered {
  readonly revision: number;
  readonly at: number;
  readonly texts: ReadonlyMap<string, string>;
}

/** A clock that tests set. */
export function clock(at = START): { set(at: number): void } {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  onTestFinished(() => void vi.useRealTimers());
  return { set: (time) => void vi.setSystemTime(time) };
}

/** Makes random changes, and remembers the whole store after each. */
async function randomHistory(directory: DataDirectory, seed: number, count: number): Promise<Remembered[]> {
  const time = clock();
  await directory.transact((tx) => keepHistory(tx, 'all', START));
  const store = openPrimaryStore(directory, BASE, { command: 'test' });
  const next = numbers(seed);
  const remembered: Remembered[] = [];
  for (let n = 0; n < count; n++) {
    time.set(START + n * 1000);
    const some = paths.filter(() => next(3) === 0);
    const chosen = paths[next(paths.length)] ?? '';
    if (next(6) === 0) await store.write({ removeUnder: [BASE + chosen], by: { user: 'u' } });
    else if (next(4) === 0) await store.write({ remove: [BASE + chosen], by: { app: 'a' } });
    else await store.write({ replace: some.map((path) => note(path, `text ${next(3)}`)) });
    remembered.push(
      directory.read((tx) => ({
        revision: Number(tx.get('meta', 'sequence')),
        at: START + n * 1000,
        texts: new Map(Array.from(tx.range('graphs'), ({ key, value }) => [String(key), String(value)])),
      })),
    );
  }
  return remembered;
}

function partOf(texts: ReadonlyMap<string, string>, part: string): Map<string, string> {
  return new Map([...texts].filter(([path]) => path === part || path.startsWith(`${part}/`)));
}

/** What every store does about its history. @param open gives an empty directory */
export function testHistory(open: () => Promise<DataDirectory>): void {
  test.each([1, 2, 3])('every state of a random history (%i) can be had again, as it was', async (seed) => {
    const directory = await open();
    const remembered = await randomHistory(directory, seed, 40);
    directory.read((tx) => {
      for (const { revision, at, texts } of remembered) {
        expect(revisionAt(tx, at + 500)).toBe(revision);
        for (const path of paths) expect(textAt(tx, path, revision)).toBe(texts.get(path));
        for (const part of ['/records/1', '/records/10', '/users/u']) {
          const there = atOnce(pathsAt(tx, part, revision));
          const found = new Map(there.map((path) => [path, textAt(tx, path, revision)]));
          expect(found).toEqual(partOf(texts, part));
        }
      }
      expect(revisionAt(tx, START - 1)).toBeUndefined();
    });
  });

  test('the changes of a record are told with what they did, when, and by whom', async () => {
    const directory = await open();
    const remembered = await randomHistory(directory, 4, 40);
    const told = directory.read((tx) => atOnce(changesUnder(tx, '/records/1', 0)));
    let before = new Map<string, string>();
    const expected = remembered.flatMap(({ revision, at, texts }) => {
      const after = partOf(texts, '/records/1');
      const graphs = [...new Set([...before.keys(), ...after.keys()])]
        .filter((path) => before.get(path) !== after.get(path))
        .map((path) => ({
          path,
          did: !before.has(path) ? 'added' : after.has(path) ? 'replaced' : 'removed',
        }));
      before = after;
      return graphs.length === 0 ? [] : [{ revision, at, graphs: new Set(graphs) }];
    });
    expect(told.map(({ revision, at, graphs }) => ({ revision, at, graphs: new Set(graphs) }))).toEqual(
      expected,
    );
    expect(new Set(told.map(({ by }) => JSON.stringify(by)))).toEqual(
      new Set(['{"command":"test"}', '{"user":"u"}', '{"app":"a"}']),
    );
    const [, , third] = told;
    const since = directory.read((tx) => atOnce(changesUnder(tx, '/records/1', third?.revision ?? 0, 2)));
    expect(since).toEqual(told.slice(3, 5));
    // From far back they are read out of the history of the record, and not out of all changes.
    const fromFar = directory.read((tx) => atOnce(changesUnder(tx, '/records/1', -10_000)));
    const inOrder = (changes: typeof told) =>
      changes.map((change) => ({ ...change, graphs: new Set(change.graphs) }));
    expect(inOrder(fromFar)).toEqual(inOrder(told));
  });

  test('what is older than the history is kept is swept, and the rest stays as it was', async () => {
    const directory = await open();
    const remembered = await randomHistory(directory, 5, 40);
    const middle = remembered[20];
    await directory.transact((tx) => keepHistory(tx, 10, Date.now()));
    await sweepHistory(directory, (middle?.at ?? 0) + 10 * DAY);
    directory.read((tx) => {
      expect(storedHistory(tx)).toEqual({ keep: 10, since: middle?.revision, at: middle?.at });
      expect(revisionAt(tx, (middle?.at ?? 0) - 1)).toBeUndefined();
      for (const { revision, at, texts } of remembered.slice(20)) {
        expect(revisionAt(tx, at)).toBe(revision);
        for (const path of paths) expect(textAt(tx, path, revision)).toBe(texts.get(path));
      }
    });
    await directory.transact((tx) => keepHistory(tx, 'off', Date.now()));
    await sweepHistory(directory, Date.now());
    expect(directory.read((tx) => [tx.count('history'), tx.count('moments')])).toEqual([0, 0]);
  });

  test('nothing is kept while no history is to be kept, and it begins again when it is', async () => {
    const directory = await open();
    const time = clock();
    const store = openPrimaryStore(directory, BASE);
    await directory.transact((tx) => keepHistory(tx, 'off', START));
    await store.write({ replace: [note('/records/1', 'x')] });
    await store.write({ replace: [note('/records/1', 'y')] });
    expect(directory.read((tx) => [tx.count('history'), tx.count('moments')])).toEqual([0, 0]);
    time.set(START + DAY);
    await directory.transact((tx) => keepHistory(tx, 'all', Date.now()));
    expect(directory.read((tx) => [revisionAt(tx, START + DAY - 1), revisionAt(tx, START + DAY)])).toEqual([
      undefined,
      2,
    ]);
    time.set(START + 2 * DAY);
    await store.write({ remove: [BASE + '/records/1'] });
    directory.read((tx) => {
      expect(textAt(tx, '/records/1', 2)).toContain('"y"');
      expect(textAt(tx, '/records/1', 3)).toBeUndefined();
    });
  });

  test('a purged record leaves no text and no name in the history', async () => {
    const directory = await open();
    await randomHistory(directory, 6, 40);
    const count = directory.read((tx) => atOnce(changesUnder(tx, '/records/10', 0)).length);
    await directory.transact((tx) => purgeHistory(tx, '/records/1'));
    directory.read((tx) => {
      expect(atOnce(changesUnder(tx, '/records/1', 0))).toEqual([]);
      expect(atOnce(changesUnder(tx, '/records/10', 0))).toHaveLength(count);
      const moments = JSON.stringify([...tx.range('moments')]);
      expect(moments).toContain('/records/10/notes/a');
      expect(moments).not.toMatch(/\/records\/1["/]/);
      expect(Array.from(tx.range('history', { prefix: '/records/1', values: false })).length).toBe(
        Array.from(tx.range('history', { prefix: '/records/10/', values: false })).length,
      );
    });
  });
}
