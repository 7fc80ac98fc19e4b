import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../../src/store/documents/document-files.js';
import { HistoryLost, type Position, type StoredEntry } from '../../../src/store/postgres/shared-store.js';
import { folder, run } from '../../cli/run.js';
import { temporaryFolder } from '../disk/temporary.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

const SECRET = '7'.repeat(64);

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('the data key of a store on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    process.env['CHARTGRAPH_SECRET_KEY'] = SECRET;
    server = await startPostgres(['fsync=off']);
  });
  afterAll(async () => {
    delete process.env['CHARTGRAPH_SECRET_KEY'];
    await server.stop();
  });

  async function gateway(store: string): Promise<DataDirectory> {
    const directory = await openDataDirectory(await temporaryFolder(), { store });
    onTestFinished(() => directory.close());
    return directory;
  }

  /** The numbers of the data keys that sealed what is in the database. */
  function numbersIn(store: string): { values: number[]; documents: number[] } {
    const read = (sql: string): number[] =>
      server
        .run(sql, store.split('/').at(-1))
        .trim()
        .split('\n')
        .map((hex) => Number.parseInt(hex, 16));
    return {
      values: read(
        `SELECT DISTINCT encode(substring(value FROM 2 FOR 4), 'hex') FROM chartgraph.entries
         WHERE tab IN ('graphs', 'history', 'users') AND length(value) > 0`,
      ),
      documents: read(
        `SELECT DISTINCT encode(substring(bytes FROM 9 FOR 4), 'hex')
         FROM chartgraph.documents JOIN chartgraph.chunks USING (version) WHERE number = 0`,
      ),
    };
  }

  test('it is changed while gateways read and write, and after a kill in the middle the rest is sealed anew', async () => {
    const store = server.createDatabase();
    const [one, two] = [await gateway(store), await gateway(store)];
    const GRAPHS = 1600;
    await one.transact((tx) => {
      for (let number = 0; number < GRAPHS; number++) tx.put('graphs', `/a/${number}`, `graph ${number}`);
      tx.put('history', '/a/1 00000000001', 'an earlier text');
      tx.put('users', 'u', { name: 'Anne' });
    });
    const contents = [Buffer.alloc(1_500_000, 'a long document '), Buffer.from('a short one')];
    const documents = await Promise.all(contents.map((content) => openDocumentStore(one).put([content])));
    const checkAll = async (directory: DataDirectory): Promise<void> => {
      await directory.current?.();
      directory.read((tx) => {
        const texts = Array.from(tx.range('graphs', { prefix: '/a/' }), ({ key, value }) => [key, value]);
        expect(texts).toHaveLength(GRAPHS);
        for (const [key, value] of texts) expect(value).toBe(`graph ${String(key).slice('/a/'.length)}`);
        expect(tx.get('history', '/a/1 00000000001')).toBe('an earlier text');
        expect(tx.get('users', 'u')).toEqual({ name: 'Anne' });
      });
      for (const [index, key] of documents.entries())
        expect((await openDocumentStore(directory).read(key)).equals(contents[index] ?? Buffer.of())).toBe(
          true,
        );
    };
    await checkAll(two);
    const old = one.dataKeys.current;

    let count = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        const next = ++count;
        await two.transact((tx) => tx.put('graphs', '/count', String(next)));
        await one.current?.();
        expect(one.read((tx) => tx.get('graphs', '/count'))).toBe(String(next));
      }
    })();

    const script = join(import.meta.dirname, 'rotate-until-killed.mjs');
    const child = spawn(process.execPath, [script, await temporaryFolder(), store], { stdio: 'ignore' });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    await one.current?.();
    const half = numbersIn(store);
    expect(one.hasOthers).toBe(true);
    expect(half.values.sort()).toEqual([old, one.dataKeys.current].sort());
    expect(half.documents).toEqual([old]);
    for (const directory of [one, two]) await checkAll(directory);

    const before = count;
    await one.resealAll();
    await expect.poll(() => count).toBeGreaterThan(before);
    isOver = true;
    await writing;
    const { current } = one.dataKeys;
    expect(current).not.toBe(old);
    expect(numbersIn(store)).toEqual({ values: [current], documents: [current] });
    for (const directory of [one, two, await gateway(store)]) {
      await checkAll(directory);
      expect(directory.read((tx) => tx.get('graphs', '/count'))).toBe(String(count));
      expect(directory.hasOthers).toBe(false);
      expect(() => directory.dataKeys.keyOf(old)).toThrow('its key is not there');
    }
  });

  test('a document that is on its way to the store while the command changes it arrives with the new one', async () => {
    const store = server.createDatabase();
    const [one, two] = [await gateway(store), await gateway(store)];
    const { shared } = one;
    if (!shared) throw new Error('it has a shared store');
    const old = one.dataKeys.current;
    let uploads = 0;
    const home = {
      documentsDir: one.documentsDir,
      get dataKeys() {
        return one.dataKeys;
      },
      transact: one.transact.bind(one),
      // The prototype has what is not named here.
      shared: Object.assign(Object.create(shared) as typeof shared, {
        async putDocument(...args: Parameters<typeof shared.putDocument>): Promise<boolean> {
          if (++uploads === 1) {
            const args = ['key', 'rotate', '--data-key', '--data', folder(), '--store', store];
            expect(await run(args, { env: { CHARTGRAPH_SECRET_KEY: SECRET } })).toMatchObject({
              code: 0,
              stdout: 'Every value and document is sealed with a new data key.\n',
            });
          }
          return shared.putDocument(...args);
        },
      }),
    };
    const key = await openDocumentStore(home).put([Buffer.from('a document')]);
    expect(uploads).toBe(2);
    expect(numbersIn(store).documents).not.toContain(old);
    expect((await openDocumentStore(two).read(key)).toString()).toBe('a document');
  });

  test('a copy that has missed more than it takes over at once is told so', async () => {
    const one = await gateway(server.createDatabase());
    const from = one.read((tx) => tx.get('copy', 'position')) as Position;
    await one.transact((tx) => {
      for (let number = 0; number < 3; number++) tx.put('graphs', `/a/${number}`, 'x');
    });
    const taken: StoredEntry[] = [];
    const take = (some: readonly StoredEntry[]): void => void taken.push(...some);
    await one.shared?.since(from, take, 3);
    expect(taken).toHaveLength(3);
    await expect(one.shared?.since(from, take, 2)).rejects.toThrow(HistoryLost);
    expect(taken).toHaveLength(3);
  });
});
