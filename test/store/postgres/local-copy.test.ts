import { expect, test } from 'vitest';
import { LocalCopy, type CopyHome } from '../../../src/store/postgres/local-copy.js';
import type {
  Advance,
  Position,
  SharedStore,
  StoredEntry,
  Take,
  Turn,
} from '../../../src/store/postgres/shared-store.js';
import { decodeStored, type ReadTx } from '../../../src/store/disk/transaction.js';

const TABLE = 'meta';
const KEY = 'count';

/** A store of one number, of which every commit is known. */
function storeOf(...values: readonly Uint8Array[]) {
  const commits = values.map((value, sequence) => ({ sequence, commit: `commit ${sequence}`, value }));
  const last = () => {
    const found = commits.at(-1);
    if (!found) throw new Error('there is no commit');
    return found;
  };
  const head = (): Position => ({ sequence: last().sequence, commit: last().commit });
  const advance =
    (to: number): Advance =>
    async (take) => {
      await take([{ table: TABLE, key: KEY, value: commits[to]?.value }]);
      return { sequence: to, commit: `commit ${to}` };
    };
  return { commits, head, advance };
}

const numberIn = (value: Uint8Array | undefined): number =>
  value ? (decodeStored(TABLE, Buffer.from(value)) as number) : 0;

test('a commit runs over all that was committed before, though a read brings the copy to somewhere in between', async () => {
  const [none, one, two] = [0, 1, 2].map((number) => Uint8Array.of(number)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const store = storeOf(none, one, two);
  let position: Position = { sequence: 0, commit: 'commit 0' };
  let value: Uint8Array | undefined = none;
  const home: CopyHome = {
    read: (work) => work({ get: () => numberIn(value) } as unknown as ReadTx),
    position: () => position,
    apply: async (advance, from) => {
      let entry: StoredEntry | undefined;
      const to = await advance(([first]) => void (entry = first));
      if (position.commit !== from.commit) return false;
      value = entry?.value ?? value;
      position = to;
      return true;
    },
    stored: (_table, _key, content) => content,
  };
  let isFirst = true;
  const since = async (_position: Position, take: Take): Promise<Position> => {
    // Another process of this gateway reads what was there before the last commit.
    if (isFirst) await home.apply(store.advance(1), { sequence: 0, commit: 'commit 0' });
    isFirst = false;
    return store.advance(store.head().sequence)(take);
  };
  const copy = new LocalCopy(
    {
      head: () => Promise.resolve(store.head()),
      since,
      exclusively: (work: (turn: Turn) => Promise<unknown>) =>
        work({
          head: store.head(),
          since,
          write: (entries: readonly StoredEntry[]) => {
            const sequence = store.commits.length;
            store.commits.push({ sequence, commit: `commit ${sequence}`, value: entries[0]?.value ?? none });
            return Promise.resolve(store.head());
          },
        }),
    } as unknown as SharedStore,
    home,
  );
  const counted = await copy.commit((tx) => {
    const next = (tx.get(TABLE, KEY) as number) + 1;
    tx.put(TABLE, KEY, next);
    return next;
  });
  // Nothing that was acknowledged is lost, here and in the store.
  expect(counted).toBe(3);
  expect(numberIn(store.commits.at(-1)?.value)).toBe(3);
  expect(position).toEqual(store.head());
  expect(numberIn(value)).toBe(3);
});
