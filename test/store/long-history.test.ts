import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDataDirectory, type DataDirectory, type ReadTx } from '../../src/store/disk/data-directory.js';
import { changesUnder, lastChangeUnder } from '../../src/store/past.js';
import { atOnce } from '../../src/store/steps.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { BASE, note } from './samples.js';

const CHANGES = 2400;
const PART = '/records/1';
let directory: DataDirectory;

/** A record that was changed again and again, as another one was now and then. */
beforeAll(async () => {
  directory = await openDataDirectory(await mkdtemp(join(inject('scratch'), 'history-')), { create: true });
  const store = openPrimaryStore(directory, BASE);
  for (let number = 0; number < CHANGES; number += 200) {
    const paths = Array.from({ length: 200 }, (_, index) => `${PART}/notes/${(number + index) % 1800}`);
    paths.push('/records/2');
    await Promise.all(
      paths.map((path, index) => store.write({ replace: [note(path, `${number} ${index}`)] })),
    );
  }
});
afterAll(() => directory.close());

/** A transaction that counts what is looked at in it. */
function counted(tx: ReadTx): { readonly tx: ReadTx; looks: number } {
  const count = { looks: 0, tx };
  count.tx = new Proxy(tx, {
    get: (target, name: keyof ReadTx) => {
      if (name === 'range')
        return function* (...args: Parameters<ReadTx['range']>) {
          for (const entry of target.range(...args)) {
            count.looks++;
            yield entry;
          }
        };
      count.looks++;
      return target[name].bind(target) as unknown;
    },
  });
  return count;
}

test('the next changes of a long history cost no more than those', () => {
  directory.read((tx) => {
    const count = counted(tx);
    expect(atOnce(changesUnder(count.tx, PART, 10, 100))).toHaveLength(100);
    expect(count.looks).toBeLessThan(2000);
  });
});

test.each([1, 7, 100, 1500])('%d at a time they are the same', (most) => {
  directory.read((tx) => {
    const all = atOnce(changesUnder(tx, PART, 0));
    expect(all).toHaveLength(CHANGES);
    for (const since of [0, 150, 1390, 2350]) {
      const next = all.filter(({ revision }) => revision > since).slice(0, most);
      expect(atOnce(changesUnder(tx, PART, since, most))).toEqual(next);
    }
    expect(atOnce(changesUnder(tx, '/records/2', 0, most))).toHaveLength(Math.min(most, CHANGES / 200));
  });
});

test('the last one that is asked for is found without reading what any of them did', () => {
  directory.read((tx) => {
    const all = atOnce(changesUnder(tx, PART, 0));
    const isAsked = (path: string): boolean => path.endsWith('5');
    for (const since of [0, 1000, 2300]) {
      const wanted = all.findLast(({ graphs }) => graphs.some(({ path }) => isAsked(path)));
      const count = counted(tx);
      expect(atOnce(lastChangeUnder(count.tx, PART, since, isAsked))).toBe(wanted?.revision);
      expect(count.looks).toBeLessThan(CHANGES + 100);
    }
    expect(atOnce(lastChangeUnder(tx, PART, 0, () => false))).toBeUndefined();
    expect(atOnce(lastChangeUnder(tx, PART, all.at(-1)?.revision ?? 0, () => true))).toBeUndefined();
  });
});
