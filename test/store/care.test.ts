import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { StoreFull } from '../../src/store/capacity.js';
import {
  openEmbeddedStore,
  type EmbeddedStore,
  type EmbeddedStoreOptions,
} from '../../src/store/embedded-store.js';
import { Pace, paces } from '../../src/store/follower.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';
import { BASE, note, TEXTS } from './samples.js';

async function directory(): Promise<DataDirectory> {
  const opened = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => opened.close());
  return opened;
}

async function storeOn(files: DataDirectory, options: Partial<EmbeddedStoreOptions>): Promise<EmbeddedStore> {
  const opened = await openEmbeddedStore({ directory: files, base: BASE, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

/** Notes of three quads each. */
const notes = (number: number, text = 'x') =>
  Array.from({ length: number }, (_, index) => note(`/records/1/notes/${index}`, text));
const count = async (store: EmbeddedStore): Promise<number> => (await store.select(TEXTS)).length;

describe('a working set that is made anew beside the one in use', () => {
  test('is due when more was replaced than the limit allows, however often a graph changed between two queries', async () => {
    const garbage: number[] = [];
    const store = await storeOn(await directory(), { garbageLimit: (quads) => garbage.push(quads) && 150 });
    await store.write({ replace: notes(100) });
    for (let round = 0; round < 200; round++) await store.write({ replace: notes(1, `${round}`) });
    expect(await count(store)).toBe(100);
    // Only the last version of the one note was ever taken in: nothing to make anew.
    expect(store.isRenewing).toBe(false);
    expect(garbage.at(-1)).toBe(300);
    for (let round = 0; round < 2; round++) {
      await store.write({ replace: notes(100, `all ${round}`) });
      expect(await count(store)).toBe(100);
    }
    for (let left = 200; store.renewals === 0 && left > 0; left--) {
      await wait(10);
      await store.ready();
    }
    expect(store.renewals).toBeGreaterThan(0);
    expect(garbage.at(-1)).toBe(300);
  });

  test('is not due for what stays: of a graph that changes, only what it no longer says is garbage', async () => {
    const garbage: number[] = [];
    const store = await storeOn(await directory(), { garbageLimit: (quads) => garbage.push(quads) && 150 });
    const name = `${BASE}/records/1/notes/1`;
    for (let round = 0; round < 50; round++) {
      const texts = Array.from({ length: 100 }, (_, index) => (index === 7 ? `changed ${round}` : 'stays'));
      const predicates = texts.map((_, index) => namedNode(`https://example.org/terms#p${index}`));
      const quads = texts.map((text, index) =>
        quad(namedNode(name), predicates[index] ?? namedNode(name), literal(text)),
      );
      await store.write({ replace: [{ name, quads }] });
      const found = await store.select(`SELECT ?text WHERE { GRAPH <${name}> { ?s ?p ?text } }`);
      expect(found.map((row) => row.text?.value).sort()).toEqual(texts.sort());
    }
    expect(garbage.at(-1)).toBe(100);
    expect(store.isRenewing).toBe(false);
    expect(store.renewals).toBe(0);
  });
});

describe('a store that nears the end of its memory', () => {
  test('warns from four fifths of the plan on, once for each twentieth', async () => {
    const told: number[] = [];
    const store = await storeOn(await directory(), {
      planned: 300,
      onNearCapacity: (quads) => told.push(quads),
    });
    await store.write({ replace: notes(79) });
    await store.ready();
    expect(told).toEqual([]);
    await store.write({ replace: notes(80) });
    for (let round = 0; round < 3; round++) await store.ready();
    expect(told).toEqual([240]);
    await store.write({ replace: notes(90) });
    await store.ready();
    expect(told).toEqual([240, 270]);
  });

  test('refuses clearly instead of breaking, loses nothing, and answers again when there is less', async () => {
    const files = await directory();
    const store = await storeOn(files, { planned: 100, retryFull: 0 });
    await store.write({ replace: notes(10) });
    expect(await count(store)).toBe(10);
    await store.write({ replace: notes(60) });
    for (let round = 0; round < 3; round++) await expect(count(store)).rejects.toThrow(StoreFull);
    await expect(count(store)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '60' } });
    expect(store.primary.names()).toHaveLength(60);
    await expect(openEmbeddedStore({ directory: files, base: BASE, planned: 100 })).rejects.toThrow(
      'planned for 100 quads',
    );
    await store.write({ remove: notes(55).map(({ name }) => name) });
    expect(await count(store)).toBe(5);
  });

  test('is not full of what was replaced', async () => {
    const store = await storeOn(await directory(), { planned: 250 });
    for (let round = 0; round < 30; round++) {
      await store.write({ replace: notes(60, `${round}`) });
      expect(await count(store)).toBe(60);
    }
  });
});

describe('filling', () => {
  test('tells how far it is, up to the end', async () => {
    const files = await directory();
    await openPrimaryStore(files, BASE).write({ replace: notes(3000, 'x'.repeat(3000)) });
    const told: [number, number][] = [];
    await storeOn(files, { onFill: (done, total) => told.push([done, total]) });
    expect(told.length).toBeGreaterThan(2);
    expect(told.every(([, total]) => total === 3000)).toBe(true);
    expect(told.at(-1)).toEqual([3000, 3000]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b));
  });

  test('finds pieces that take as long as a turn may', () => {
    // A machine that does 10,000 characters in a millisecond.
    const pace = new Pace(paces.serving);
    for (let turn = 0; turn < 20; turn++) pace.took(pace.size / 10_000, pace.size);
    expect(pace.size).toBeGreaterThan(110_000);
    expect(pace.size).toBeLessThan(130_000);
    expect(pace.rest).toBeGreaterThan(10);
    pace.took(500, 10);
    expect(pace.size).toBeGreaterThan(110_000);
  });
});
