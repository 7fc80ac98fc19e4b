import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { compareKeys, SortedKeys, SortedKeysWriter } from '../../../src/store/search/sorted-keys.js';
import { temporaryFolder } from '../disk/temporary.js';
import { runs } from '../../setup/runs.js';

const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('keys are ordered by their characters, those beyond the first 65,536 behind all others', () => {
  const character = fc.constantFrom('a', 'b', '\u0000', 'é', '\ud7ff', '\ue000', '\uffff', '𝄞', '\u{10ffff}');
  const text = fc.array(character, { maxLength: 6 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(bytes(a, b));
    }),
  );
});

test('what was added and not removed is found, in order, from wherever to wherever, in every transaction after', async () => {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const stem = fc.constantFrom('a', 'ab', 'ﬀ', '𝄞', 'z'.repeat(700));
  const key = fc.tuple(stem, fc.nat({ max: 400 })).map(([text, number]) => `${text}${number}`);
  const known = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(key, { maxLength: 400 }),
      fc.array(key, { maxLength: 400 }),
      key,
      key,
      async (added, removed, start, end) => {
        await directory.transact((tx) => {
          const keys = new SortedKeysWriter(tx);
          for (const each of added) keys.add(each);
          for (const each of removed) keys.remove(each);
          keys.finish();
        });
        for (const each of added) known.add(each);
        for (const each of removed) known.delete(each);
        const found = directory.read((tx) => [...new SortedKeys(tx).range(start, end)].flat());
        const expected = [...known].filter((each) => bytes(each, start) >= 0 && bytes(each, end) < 0);
        expect(found).toEqual(expected.sort(bytes));
      },
    ),
    { numRuns: runs(60) },
  );
  // More than one node holds, whatever was tried before.
  const many = Array.from({ length: 20 }, (_, at) => `${'z'.repeat(700)}${at}`);
  await directory.transact((tx) => {
    const keys = new SortedKeysWriter(tx);
    for (const each of many) keys.add(each);
    keys.finish();
  });
  await directory.transact((tx) => {
    const keys = new SortedKeysWriter(tx);
    for (const each of new Set([...known, ...many])) keys.remove(each);
    keys.finish();
  });
  // The root, which is empty, and the number of the next node.
  expect(directory.read((tx) => [...new SortedKeys(tx).range('', '\u{10ffff}')].flat())).toEqual([]);
  expect(directory.read((tx) => tx.count('searchNodes'))).toBe(2);
});
