import { expect, test } from 'vitest';
import { HistoryTags, historyKey, type TaggedChange } from '../../../src/store/disk/history-tags.js';

test('a moment of many texts is read and opened once, until something is committed', () => {
  const paths = Array.from({ length: 5000 }, (_, n) => `/records/1/notes/${n}`);
  const tagsOf = (first: number) => paths.map((_, n) => Uint8Array.of(first, n >> 8, n & 255));
  let commit = 1;
  // Longer than what is kept of several.
  let stored = { key: 7, value: Buffer.alloc(8 << 20, 1) };
  const done = { read: 0, opened: 0 };
  const tags = new HistoryTags(
    () => commit,
    (revision) => {
      done.read++;
      return revision <= 7 ? stored : undefined;
    },
    ({ value }): TaggedChange[] => {
      done.opened++;
      return [{ revision: 6, paths, tags: tagsOf(value[0] ?? 0) }];
    },
  );
  const all = () => paths.map((path) => tags.of(historyKey(path, 6)));
  expect(all()).toEqual(tagsOf(1));
  expect(done).toEqual({ read: 1, opened: 1 });
  stored = { key: 7, value: Buffer.alloc(100, 2) };
  commit++;
  expect(all()).toEqual(tagsOf(2));
  expect(done).toEqual({ read: 2, opened: 2 });
  // One that is not long is not opened again.
  commit++;
  expect(all()).toEqual(tagsOf(2));
  expect(done).toEqual({ read: 3, opened: 2 });
  expect(tags.of(historyKey('/records/2', 6))).toBeUndefined();
  expect(tags.of(historyKey('/records/1', 8))).toBeUndefined();
});
