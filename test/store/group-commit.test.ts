import { describe, expect, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { literal, namedNode, quad } from '../../src/rdf/terms.js';
import { StaleRevision, type NamedGraph } from '../../src/store/graph-store.js';
import { openPrimaryStore, type PrimaryStore } from '../../src/store/primary-store.js';
import { temporaryFolder } from './disk/temporary.js';

const base = 'http://localhost:7000';

function graph(path: string, text = path): NamedGraph {
  const name = base + path;
  return { name, quads: [quad(namedNode(name), namedNode('http://example.org/p'), literal(text))] };
}

/** A primary store in a new directory, and how many transactions it has asked for. */
async function counted(): Promise<{
  primary: PrimaryStore;
  transactions: () => number;
  close: () => Promise<void>;
}> {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  let transactions = 0;
  const counting = Object.create(directory, {
    read: { value: directory.read.bind(directory) },
    transact: {
      value: ((work) => {
        transactions++;
        return directory.transact(work);
      }) as DataDirectory['transact'],
    },
  }) as DataDirectory;
  return {
    primary: openPrimaryStore(counting, base),
    transactions: () => transactions,
    close: () => directory.close(),
  };
}

describe('the change log', () => {
  test('holds the last hundred thousand changes, and says when more are asked for', async () => {
    const { primary, close } = await counted();
    const old = { paths: [], dropped: 0, added: 0 };
    await primary.directory.transact((tx) => {
      for (const number of [1, 2, 99_999]) tx.put('changes', number, old);
      tx.put('meta', 'sequence', 99_999);
    });
    const numbers = () =>
      primary.directory.read((tx) => Array.from(tx.range('changes', { values: false }), ({ key }) => key));
    await primary.write({ replace: [graph('/a')] });
    expect(numbers()).toEqual([1, 2, 99_999, 100_000]);
    await Promise.all(['/b', '/c'].map((path) => primary.write({ replace: [graph(path)] })));
    expect(numbers()).toEqual([99_999, 100_000, 100_002]);
    expect(primary.changesSince(99_998)).toMatchObject({ revision: 100_002, complete: true });
    expect([...primary.changesSince(100_001).paths]).toEqual(['/c']);
    expect(primary.changesSince(99_997).complete).toBe(false);
    await close();
  });
});

describe('writes that wait at the same time', () => {
  test('share one transaction, and each has a revision of its own in the order in which they came', async () => {
    const { primary, transactions, close } = await counted();
    const paths = Array.from({ length: 20 }, (_, n) => `/records/1/notes/${n}`);
    const revisions = await Promise.all(paths.map((path) => primary.write({ replace: [graph(path)] })));
    expect(revisions).toEqual(paths.map((_, n) => n + 1));
    expect(transactions()).toBe(1);
    expect(paths.map((path) => primary.revision(path))).toEqual(revisions);
    expect(['', '/records', '/records/1'].map((path) => primary.revision(path))).toEqual([20, 20, 20]);
    expect([...primary.changesSince(18).paths]).toEqual(paths.slice(18));
    expect(primary.changesSince(18)).toMatchObject({ revision: 20, complete: true, dropped: 0, added: 2 });
    expect(primary.changesSince(0)).toMatchObject({ complete: true, added: 20 });
    expect(primary.directory.read((tx) => tx.count('changes'))).toBe(1);
    await close();
  });

  test('see what those before them wrote: only the first with an expectation comes through', async () => {
    const { primary, close } = await counted();
    const write = (text: string): Promise<number> =>
      primary.write({ replace: [graph('/records/1', text)], expect: [{ path: '/records/1', revision: 0 }] });
    const [first, second, other] = await Promise.allSettled([
      write('first'),
      write('second'),
      primary.write({ replace: [graph('/records/2')] }),
    ]);
    expect(first).toEqual({ status: 'fulfilled', value: 1 });
    expect(second).toMatchObject({ status: 'rejected', reason: new StaleRevision('/records/1', 0, 1) });
    expect(other).toEqual({ status: 'fulfilled', value: 2 });
    expect(primary.graph(`${base}/records/1`)?.[0]?.object.value).toBe('first');
    await close();
  });

  test('do not suffer from one that cannot be written, of which nothing stays', async () => {
    const { primary, close } = await counted();
    const tooLong = `/records/${'x'.repeat(3000)}`;
    const [before, broken, after] = await Promise.allSettled([
      primary.write({ replace: [graph('/records/1')] }),
      primary.write({ replace: [graph('/records/2'), graph(tooLong)] }),
      primary.write({ replace: [graph('/records/3')] }),
    ]);
    expect([before.status, broken.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(primary.names()).toEqual([`${base}/records/1`, `${base}/records/3`]);
    expect([primary.revision(''), primary.revision('/records/2')]).toEqual([2, 0]);
    await close();
  });
});
