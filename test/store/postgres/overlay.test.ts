import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { Overlay } from '../../../src/store/postgres/overlay.js';
import type { TableName } from '../../../src/store/disk/tables.js';
import type { Range, WriteTx } from '../../../src/store/disk/transaction.js';
import { temporaryFolder } from '../disk/temporary.js';
import { runs } from '../../setup/runs.js';

const tables: readonly TableName[] = ['graphs', 'users', 'revisions'];
const key = fc.constantFrom('a', 'a/', 'a/b', 'b', 'ä', '\u{10fffe}', 'a/b/c');
const step = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    table: fc.constantFrom(...tables),
    key,
    value: fc.string(),
  }),
  fc.record({ kind: fc.constant('remove' as const), table: fc.constantFrom(...tables), key }),
  fc.record({ kind: fc.constant('clear' as const), table: fc.constantFrom(...tables) }),
);
const range: fc.Arbitrary<Range> = fc.oneof(
  fc.record({ prefix: key, limit: fc.nat(4), reverse: fc.boolean() }, { requiredKeys: [] }),
  fc.record(
    { start: key, end: key, limit: fc.nat(4), reverse: fc.boolean(), values: fc.boolean() },
    { requiredKeys: [] },
  ),
  fc.record({ after: key, limit: fc.nat(4) }, { requiredKeys: ['after'] }),
);

function run(tx: WriteTx, steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): void {
  for (const each of steps) {
    if (each.kind === 'put') tx.put(each.table, each.key, each.value);
    else if (each.kind === 'remove') tx.remove(each.table, each.key);
    else tx.clear(each.table);
  }
}

describe('a transaction over a snapshot', () => {
  test('reads what a transaction of the store itself would read, whatever was written in it', async () => {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    onTestFinished(() => directory.close());
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(step, { maxLength: 12 }),
        fc.array(step, { maxLength: 6 }),
        fc.array(range, { minLength: 1, maxLength: 4 }),
        async (before, first, second, ranges) => {
          const seen = (tx: WriteTx) =>
            tables.map((table) => [
              tx.count(table),
              ranges.map((each) => [...tx.range(table, each)]),
              ['a', 'b', 'ä'].map((each) => [
                tx.has(table, each),
                tx.isEmpty(table, each),
                tx.get(table, each),
              ]),
            ]);
          await directory.transact((tx) => {
            for (const table of tables) tx.clear(table);
            run(tx, before);
          });
          const laid = directory.read((tx) => {
            const below = new Overlay(tx);
            run(below, first);
            const above = new Overlay(below);
            run(above, second);
            const read = seen(above);
            above.copyTo(below);
            expect(seen(below)).toEqual(read);
            return read;
          });
          const real = await directory.transact((tx) => {
            run(tx, first);
            run(tx, second);
            return seen(tx);
          });
          expect(laid).toEqual(real);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  test('numbers come in their order, and a key that no table can hold is refused', async () => {
    const directory = await openDataDirectory(await temporaryFolder(), { create: true });
    onTestFinished(() => directory.close());
    await directory.transact((tx) => [1, 3, 11].forEach((number) => tx.put('changes', number, number)));
    directory.read((tx) => {
      const overlay = new Overlay(tx);
      overlay.put('changes', 2, 2);
      overlay.remove('changes', 3);
      expect([...overlay.range('changes', { start: 2 })].map((entry) => entry.key)).toEqual([2, 11]);
      expect(() => overlay.put('users', 'x'.repeat(2000), 1)).toThrow(RangeError);
    });
  });
});
