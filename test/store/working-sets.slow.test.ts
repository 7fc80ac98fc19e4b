import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { CapacityWatch, StoreFull } from '../../src/store/capacity.js';
import {
  openEmbeddedStore,
  type EmbeddedStore,
  type EmbeddedStoreOptions,
} from '../../src/store/embedded-store.js';
import { Follower, paces } from '../../src/store/follower.js';
import { SHARED, survey, type Partition, type Scope } from '../../src/store/parts.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { runGraphStoreTests } from './contract.js';
import { BASE, note, TEXTS } from './samples.js';

/** Records are parts. */
const partition: Partition = { partOf: (path) => /^\/records\/[^/]+/.exec(path)?.[0] ?? SHARED };

async function directory(): Promise<DataDirectory> {
  const opened = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => opened.close());
  return opened;
}

async function storeOn(
  files: DataDirectory,
  options: Partial<EmbeddedStoreOptions> = {},
): Promise<EmbeddedStore> {
  const store = await openEmbeddedStore({
    directory: files,
    base: BASE,
    partition,
    fillsAhead: true,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

const record = (number: number): string => `/records/${number}`;

const demographicsOf = (...numbers: number[]): Scope =>
  numbers.map((number) => `${record(number)}/demographics`);

/** A record of a demographics graph and some notes, three quads each. */
const recordWith = (number: number, notes: number, text = 'x') => [
  note(`${record(number)}/demographics`, text),
  ...Array.from({ length: notes }, (_, index) => note(`${record(number)}/notes/${index}`, text)),
];

async function textsIn(store: EmbeddedStore, part: string): Promise<Record<string, string | undefined>> {
  const rows = await store.select(TEXTS, [part]);
  const pairs = rows.map((row) => [row.note?.value.slice(BASE.length) ?? '', row.text?.value] as const);
  return Object.fromEntries(pairs.filter(([path]) => path.startsWith(`${part}/`) || path === part));
}

async function untilIs(holds: () => boolean): Promise<void> {
  for (let left = 1000; !holds(); left--) {
    expect(left).toBeGreaterThan(0);
    await wait(5);
  }
}

describe('a store that is filled ahead', () => {
  runGraphStoreTests({
    async open() {
      const files = await openDataDirectory(await temporaryFolder(), { create: true });
      const store = await openEmbeddedStore({ directory: files, base: BASE, partition, fillsAhead: true });
      const dispose = async (): Promise<void> => {
        await store.close();
        await files.close();
      };
      return { store, dispose };
    },
  });
});

describe('what a query asks for', () => {
  test('is loaded for it, and nothing else', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({
      replace: [1, 2, 10].flatMap((number) => recordWith(number, 5)),
    });
    const store = await storeOn(files);
    expect(Object.keys(await textsIn(store, '/records/1'))).toHaveLength(6);
    expect(store.quads).toBe(18);
    expect(Object.keys(await textsIn(store, '/records/10'))).toHaveLength(6);
    expect(store.quads).toBe(36);
  });

  test('of what is shared, and of single graphs of records, is there without the rest of the records', async () => {
    const files = await directory();
    const users = [note('/users/ann', 'ann'), note('/urn-like', 'x'), note('/apps/one', 'one')];
    await openPrimaryStore(files, BASE).write({
      replace: [...users, ...[1, 2, 3].flatMap((number) => recordWith(number, 40))],
    });
    const store = await storeOn(files, { planned: 40 });
    const rows = await store.select(TEXTS, [SHARED, ...demographicsOf(1, 2, 3)]);
    expect(rows.map((row) => row.note?.value.slice(BASE.length)).sort()).toEqual([
      '/apps/one',
      '/records/1/demographics',
      '/records/2/demographics',
      '/records/3/demographics',
      '/urn-like',
      '/users/ann',
    ]);
    await store.write({
      replace: [note('/records/2/demographics', 'changed'), note('/records/4/demographics', 'new')],
    });
    const after = await store.select(TEXTS, [SHARED, ...demographicsOf(1, 2, 3, 4)]);
    expect(after.map((row) => row.text?.value).filter((text) => text !== 'x')).toEqual(
      expect.arrayContaining(['changed', 'new', 'ann', 'one']),
    );
    expect(after).toHaveLength(7);
  });

  test('is brought up to date for it, and nothing else: who writes one record slows no reader of another', async () => {
    const files = await directory();
    const primary = openPrimaryStore(files, BASE);
    await primary.write({ replace: [...recordWith(1, 5), ...recordWith(2, 5)] });
    const capacity = new CapacityWatch(1000, () => undefined);
    const follower = new Follower({ primary, partition, pace: paces.serving, capacity });
    const upToDate = (scope: Scope | undefined): number => {
      for (let left = 100; follower.step(scope) !== 'current'; left--) expect(left).toBeGreaterThan(0);
      return follower.loaded;
    };
    expect(upToDate(undefined)).toBe(36);
    await primary.write({ replace: recordWith(1, 5, 'changed') });
    expect(upToDate(['/records/2'])).toBe(36);
    // Of the record that changed its demographics alone are asked for.
    expect(upToDate([...demographicsOf(1), '/records/2'])).toBe(39);
    expect(upToDate(['/records/1'])).toBe(54);
    expect(upToDate(undefined)).toBe(54);
  });

  test('is a place of a record, and what has changed in it while it was filled is not old', async () => {
    const files = await directory();
    const primary = openPrimaryStore(files, BASE);
    const long = 'x'.repeat(4000);
    await primary.write({ replace: [...recordWith(1, 60, long), note('/records/1/other/1', 'x')] });
    const capacity = new CapacityWatch(100_000, () => undefined);
    const follower = new Follower({ primary, partition, pace: paces.serving, capacity });
    const textsOf = (scope: Scope): Record<string, string> => {
      for (let left = 100; follower.step(scope) !== 'current'; left--) expect(left).toBeGreaterThan(0);
      const lines = follower.workingSet.select(TEXTS).trim().split('\n').slice(1);
      return Object.fromEntries(
        lines.map((line) => {
          const [name = '', text = ''] = line.split('\t');
          return [name.slice(1 + BASE.length, -1), text.slice(1, -1)];
        }),
      );
    };
    // The first turn brings some of it, and then that changes.
    expect(follower.step(['/records/1/notes'])).toBe('behind');
    await primary.write({
      replace: [note('/records/1/notes/0', 'changed')],
      remove: [`${BASE}/records/1/notes/1`],
    });
    expect(Object.keys(textsOf(['/records/1/other']))).toContain('/records/1/other/1');
    // The rest of the record makes an end of it.
    const all = textsOf(['/records/1']);
    expect(Object.keys(all)).toHaveLength(61);
    expect(all['/records/1/notes/0']).toBe('changed');
    await primary.write({
      replace: [note('/records/1/notes/2', 'again'), note('/records/1/other/1', 'again')],
    });
    expect(textsOf(['/records/1/notes'])).toMatchObject({
      '/records/1/notes/2': 'again',
      '/records/1/other/1': 'x',
    });
    expect(textsOf(['/records/1'])['/records/1/other/1']).toBe('again');
    expect(follower.isFilling).toBe(false);
    expect(follower.garbage).toBeLessThan(20);
  });

  test('is followed by everything else, where there is room', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({
      replace: Array.from({ length: 50 }, (_, number) => recordWith(number, 9)).flat(),
    });
    const store = await storeOn(files);
    await untilIs(() => store.state === 'whole');
    expect(store.quads).toBe(1500);
    await store.write({ replace: recordWith(50, 9) });
    expect(await store.select(TEXTS)).toHaveLength(510);
    expect(store.state).toBe('whole');
  });

  test('is an error that names the record, when that alone is too much, and others are answered', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({ replace: [...recordWith(1, 100), ...recordWith(2, 3)] });
    const store = await storeOn(files, { planned: 60 });
    for (let round = 0; round < 2; round++) {
      await expect(textsIn(store, '/records/1')).rejects.toThrow(StoreFull);
      await expect(textsIn(store, '/records/1')).rejects.toThrow('/records/1 alone holds more');
      expect(Object.keys(await textsIn(store, '/records/2'))).toHaveLength(4);
    }
  });
});

describe('more than there is room for', () => {
  test('goes in turns: what was not asked for lately makes room, and nothing is ever missing or old', async () => {
    const files = await directory();
    const primary = openPrimaryStore(files, BASE);
    const records = 60;
    await primary.write({
      replace: Array.from({ length: records }, (_, number) => recordWith(number, 4)).flat(),
    });
    const planned = 400;
    const store = await storeOn(files, { planned });
    let most = 0;
    let state = 1;
    const random = (below: number): number => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    const expected = new Map(
      Array.from({ length: records }, (_, number) => [
        number,
        Object.fromEntries(recordWith(number, 4).map(({ name }) => [name.slice(BASE.length), 'x'])),
      ]),
    );
    for (let round = 0; round < 600; round++) {
      const number = random(records);
      const texts = expected.get(number) ?? {};
      const what = random(10);
      if (what === 0) {
        const path = `${record(number)}/notes/${random(6)}`;
        texts[path] = `text ${round}`;
        await primary.write({ replace: [note(path, `text ${round}`)] });
      } else if (what === 1) {
        const path = `${record(number)}/notes/${random(6)}`;
        Reflect.deleteProperty(texts, path);
        await primary.write({ remove: [BASE + path] });
      } else if (what === 3 || what === 4) {
        // A place of it alone, before or after the rest, changed or not.
        const place = `${record(number)}/notes`;
        const rows = await store.select(TEXTS, [place]);
        const found = rows.map((row) => [row.note?.value.slice(BASE.length) ?? '', row.text?.value] as const);
        const below = (pairs: readonly (readonly [string, string | undefined])[]): object =>
          Object.fromEntries(pairs.filter(([path]) => path.startsWith(`${place}/`)));
        expect(below(found)).toEqual(below(Object.entries(texts)));
        continue;
      } else if (what === 2) {
        const all = Array.from({ length: records }, (_, each) => each);
        const rows = await store.select(TEXTS, demographicsOf(...all));
        const found = rows.filter((row) => row.note?.value.endsWith('/demographics'));
        expect(found).toHaveLength(records);
      }
      expect(await textsIn(store, record(number))).toEqual(texts);
      most = Math.max(most, store.quads);
      expect(store.state).not.toBe('whole');
    }
    expect(store.renewals).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(planned * 1.5);
  });

  test('is answered, too, when what is shared takes most of the room', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({
      replace: Array.from({ length: 60 }, (_, number) => [
        note(`/users/${number}`, `${number}`),
        ...recordWith(number, 4, `${number}`),
      ]).flat(),
    });
    const store = await storeOn(files, { planned: 200 });
    const shared = async () => (await store.select(TEXTS, [SHARED])).length;
    expect(await shared()).toBeGreaterThanOrEqual(60);
    for (let number = 0; number < 60; number++) {
      expect(Object.keys(await textsIn(store, record(number)))).toHaveLength(5);
      expect(await shared()).toBeGreaterThanOrEqual(60);
    }
    expect(store.renewals).toBeLessThan(30);
  });

  test('ends in an error for a record that is too large in itself, however many others are loaded meanwhile', async () => {
    const files = await directory();
    const long = 'x'.repeat(4000);
    const others = Array.from({ length: 40 }, (_, number) => recordWith(number + 2, 2)).flat();
    await openPrimaryStore(files, BASE).write({ replace: [...recordWith(1, 200, long), ...others] });
    const store = await storeOn(files, { planned: 300 });
    await expect(textsIn(store, '/records/1')).rejects.toThrow('/records/1 alone holds more');
    expect(Object.keys(await textsIn(store, '/records/2'))).toHaveLength(3);
  });

  test('is read by many at once', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({
      replace: Array.from({ length: 60 }, (_, number) => recordWith(number, 4, `${number}`)).flat(),
    });
    const store = await storeOn(files, { planned: 200 });
    for (let round = 0; round < 10; round++) {
      const found = await Promise.all(
        Array.from({ length: 60 }, (_, number) => textsIn(store, record(number))),
      );
      expect(found.map((texts) => [...new Set(Object.values(texts))].join())).toEqual(
        Array.from({ length: 60 }, (_, number) => `${number}`),
      );
    }
  });
});

describe('a survey', () => {
  test('finds every part and shared graph once, in whatever steps, and reads nothing below a part', async () => {
    const files = await directory();
    const paths = [
      '/apps/one',
      '/records/1',
      '/records/1-a/demographics',
      '/records/1/demographics',
      ...Array.from({ length: 50 }, (_, index) => `/records/1/notes/${index}`),
      '/records/10/notes/1',
      '/records/2',
      '/users/ann',
      'urn:chartgraph:endpoint:e1',
    ];
    const named = paths.map((path) => ({
      ...note('/x/y', 'x'),
      name: path.startsWith('/') ? BASE + path : path,
    }));
    await openPrimaryStore(files, BASE).write({ replace: named });
    for (const most of [1, 2, 3, 1000]) {
      const shared: string[] = [];
      const parts = new Set<string>();
      let steps = 0;
      for (let from: string | undefined = ''; from !== undefined; steps++) {
        const at: string = from;
        const found = files.read((tx) => survey(tx, partition, at, most));
        shared.push(...found.shared);
        for (const part of found.parts) parts.add(part);
        from = found.to;
      }
      expect(shared.sort()).toEqual(['/apps/one', '/users/ann', 'urn:chartgraph:endpoint:e1']);
      expect([...parts].sort()).toEqual(['/records/1', '/records/1-a', '/records/10', '/records/2']);
      expect(steps).toBeLessThan(15);
    }
  });
});
