import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openEnvironment } from '../../../src/store/disk/environment.js';
import { OpenDirectory, STORE } from '../../../src/store/disk/open-directory.js';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { temporaryFolder } from '../disk/temporary.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

const ENTRIES = 20_000;
/** The large commit removes a quarter of them. */
const LEFT = 15_000;
/** Milliseconds: all entries of the large commit take about twice as long to read, and a part a fifth. */
const WITHIN = 3000;

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a commit that takes longer to read than an answer may', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
    process.env['CHARTGRAPH_SECRET_KEY'] = '7'.repeat(64);
  });
  afterAll(async () => {
    delete process.env['CHARTGRAPH_SECRET_KEY'];
    await server.stop();
  });

  const run = (store: string, sql: string): string => server.run(sql, store.split('/').at(-1));

  /** A commit of another gateway; what it says never has to be opened. */
  function commit(store: string, sequence: number, values: string, table = 'chartgraph.entries'): void {
    run(
      store,
      `BEGIN;
       INSERT INTO ${table}
         SELECT 'graphs', convert_to('s/a/' || n, 'UTF8'), ${values}, ${sequence} FROM generate_series(1, ${ENTRIES}) AS n
         ON CONFLICT (tab, key) DO UPDATE SET value = EXCLUDED.value, sequence = EXCLUDED.sequence;
       INSERT INTO chartgraph.commits VALUES (${sequence}, '${sequence}');
       UPDATE chartgraph.head SET sequence = ${sequence}, commit = '${sequence}';
       COMMIT`,
    );
  }

  /** A store with all entries, and the folder of a gateway that has them. */
  async function followed(): Promise<{ store: string; dir: string }> {
    const store = server.createDatabase();
    const dir = await temporaryFolder();
    await (await openDataDirectory(dir, { store })).close();
    commit(store, 100, `'first'`);
    await (await openDataDirectory(dir, { store })).close();
    return { store, dir };
  }

  /** Commits the large one, in a database that takes a few milliseconds for each hundred entries of it. */
  function commitLarge(store: string): void {
    run(
      store,
      `ALTER TABLE chartgraph.entries RENAME TO fast;
       CREATE VIEW chartgraph.entries AS SELECT * FROM chartgraph.fast
       WHERE get_byte(sha256(key), 0) > 0 OR pg_sleep(0.08) IS NOT NULL`,
    );
    commit(store, 101, `CASE WHEN n % 4 > 0 THEN 'second'::bytea END`, 'chartgraph.fast');
  }

  const count = (directory: DataDirectory): number => directory.read((tx) => tx.count('graphs'));

  test('is read in parts, and seen when all of it is there', async () => {
    const { store, dir } = await followed();
    const directory = new OpenDirectory(
      dir,
      join(dir, 'documents'),
      await openEnvironment(join(dir, STORE)),
      await openPostgresStore(store, WITHIN),
      () => undefined,
      undefined,
    );
    onTestFinished(() => directory.close());
    await directory.begin(false);
    commitLarge(store);
    const seen = new Set<number>();
    let isOver = false;
    const reading = (async () => {
      for (; !isOver; await wait(5)) seen.add(count(directory));
    })();
    await directory.current?.().finally(() => (isOver = true));
    await reading;
    expect(count(directory)).toBe(LEFT);
    expect([...seen].filter((number) => number !== LEFT)).toEqual([ENTRIES]);
    expect(readdirSync(dir).filter((name) => name.startsWith('missed'))).toEqual([]);
  });

  test('changes nothing in a gateway that is killed meanwhile, and is there when that comes back', async () => {
    const { store, dir } = await followed();
    const follower = fork(new URL('follow-store.mjs', import.meta.url), [dir, store]);
    onTestFinished(() => void follower.kill('SIGKILL'));
    await once(follower, 'message');
    commitLarge(store);
    const parts = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'FETCH%'`;
    await expect.poll(() => run(store, parts).trim()).toBe('1');
    await wait(WITHIN / 2);
    follower.kill('SIGKILL');
    await once(follower, 'exit');
    const environment = await openEnvironment(join(dir, STORE));
    const { graphs, copy } = environment.tables;
    expect(graphs.getStats()).toMatchObject({ entryCount: ENTRIES });
    expect(copy.get('position')).toEqual({ sequence: 100, commit: '100' });
    await environment.close();
    expect(readdirSync(dir).filter((name) => name.startsWith('missed'))).toEqual([]);
    run(store, 'DROP VIEW chartgraph.entries; ALTER TABLE chartgraph.fast RENAME TO entries');
    const again = await openDataDirectory(dir, { store });
    onTestFinished(() => again.close());
    expect(count(again)).toBe(LEFT);
  });
});

// A limit on the size of a file fails like a full disk. Skipped where only some have the shell's `ulimit -f`.
test.skipIf(process.platform !== 'linux')(
  'a disk without room for a large commit is not taken for a store that cannot be reached',
  async () => {
    const module = new URL('../../../dist/store/postgres/copy-home.js', import.meta.url).href;
    const script = `
      const { MissedEntries } = await import('${module}');
      const missed = new MissedEntries(${JSON.stringify(await temporaryFolder())});
      const part = [{ table: 'graphs', key: '/a', value: Buffer.alloc(50_000) }];
      for (let number = 0; number < 5; number++) await missed.add(part).catch(({ message }) => console.log(message));`;
    const limited = `trap '' XFSZ; ulimit -f 100; exec "$0" "$@"`;
    const args = ['-c', limited, process.execPath, '--input-type=module', '-e', script];
    const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    // The first part is kept in memory, and two have room.
    const sentence = 'There is no room on the disk for what other gateways have written.\n';
    expect(await text(child.stdout)).toBe(sentence.repeat(2));
  },
);
