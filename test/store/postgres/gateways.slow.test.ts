import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../../src/store/documents/document-files.js';
import { Memo } from '../../../src/store/disk/memo.js';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { sweepDocuments } from '../../../src/store/documents/sweep-documents.js';
import { temporaryFolder } from '../disk/temporary.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('gateways on one PostgreSQL database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  /** Two, each on a folder of its own, with one secret key. */
  async function gateways(store = server.createDatabase()): Promise<[DataDirectory, DataDirectory]> {
    process.env['CHARTGRAPH_SECRET_KEY'] = '7'.repeat(64);
    onTestFinished(() => void delete process.env['CHARTGRAPH_SECRET_KEY']);
    return [await gateway(store), await gateway(store)];
  }

  async function gateway(store: string, dir?: string): Promise<DataDirectory> {
    const directory = await openDataDirectory(dir ?? (await temporaryFolder()), { store });
    onTestFinished(() => directory.close());
    return directory;
  }

  const read = (directory: DataDirectory, key: string): unknown =>
    directory.read((tx) => tx.get('users', key));

  test('what one has committed the others see with their next read', async () => {
    const [one, two] = await gateways();
    for (let number = 0; number < 50; number++) {
      const [writer, reader] = number % 2 ? [one, two] : [two, one];
      await writer.transact((tx) => tx.put('users', 'u', { number }));
      expect(read(writer, 'u')).toEqual({ number });
      await reader.current?.();
      expect(read(reader, 'u')).toEqual({ number });
    }
  });

  test('a nonce is taken once, by whichever gateway, and with it comes what others have committed', async () => {
    const [one, two] = await gateways();
    const inAMinute = Date.now() + 60_000;
    for (let number = 0; number < 20; number++) {
      await one.transact((tx) => tx.put('users', 'u', { number }));
      const taken = await Promise.all(
        [one, two, two].map(async (each) => each.nonces?.remember(`nonce ${number}`, inAMinute)),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(read(two, 'u')).toEqual({ number });
    }
    // Who has looked at what is old by now is told so, and may try again.
    await one.transact((tx) => tx.put('users', 'u', 'newer'));
    expect(await two.nonces?.remember('lags', inAMinute, true)).toBeUndefined();
    expect(read(two, 'u')).toBe('newer');
    expect(await two.nonces?.remember('lags', inAMinute, true)).toBe(true);
    expect(await one.nonces?.remember('lags', inAMinute, true)).toBe(false);
    // What has expired is as good as new.
    expect(await one.nonces?.remember('short', Date.now() - 1)).toBe(true);
    expect(await two.nonces?.remember('short', inAMinute)).toBe(true);
    expect(await one.nonces?.remember('short', inAMinute)).toBe(false);
  });

  test('what was held of the copy is read again, whichever process of the gateway has brought it up to date', async () => {
    const store = server.createDatabase();
    const [one, two] = await gateways(store);
    const follower = fork(new URL('follow-store.mjs', import.meta.url), [two.dir, store]);
    onTestFinished(() => void follower.kill('SIGKILL'));
    await once(follower, 'message');
    const held = new Memo<{ readonly number: unknown }>(two, 10);
    const stale: number[] = [];
    for (let number = 0; number < 2000; number++) {
      await one.transact((tx) => tx.put('users', 'u', { number }));
      await two.current?.();
      const { number: seen } = held.get('u', () => read(two, 'u') as { number: unknown });
      if (seen !== number) stale.push(number);
    }
    expect(stale).toEqual([]);
  });

  test('commits of several at once happen one after the other, and none is lost', async () => {
    const all = await gateways();
    const increment = (directory: DataDirectory): Promise<number> =>
      directory.transact((tx) => {
        const next = ((tx.get('users', 'count') as number | undefined) ?? 0) + 1;
        tx.put('users', 'count', next);
        return next;
      });
    const results = await Promise.all(
      Array.from({ length: 120 }, (_, at) => increment(at % 2 ? all[0] : all[1])),
    );
    expect(results.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    for (const each of all) {
      await each.current?.();
      expect(read(each, 'count')).toBe(120);
    }
  });

  test('what throws undoes itself alone, and what is removed is gone everywhere', async () => {
    const [one, two] = await gateways();
    const outcomes = await Promise.allSettled([
      one.transact((tx) => tx.put('users', 'a', 1)),
      one.transact((tx) => {
        tx.put('users', 'b', 1);
        throw new Error('no');
      }),
      one.transact((tx) => tx.put('users', 'c', 1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await two.current?.();
    expect(['a', 'b', 'c'].map((key) => read(two, key))).toEqual([1, undefined, 1]);
    await two.transact((tx) => tx.clear('users'));
    await one.current?.();
    expect(one.read((tx) => [...tx.range('users')])).toEqual([]);
  });

  test('a commit of thousands of entries arrives whole', async () => {
    const [one, two] = await gateways();
    await one.transact((tx) => {
      for (let number = 0; number < 5000; number++) tx.put('graphs', `/a/${number}`, `graph ${number}`);
    });
    await two.current?.();
    expect(two.read((tx) => [tx.count('graphs'), tx.get('graphs', '/a/4999')])).toEqual([5000, 'graph 4999']);
  });

  test('a gateway that joins later, or comes back, has everything', async () => {
    const store = server.createDatabase();
    const [one] = await gateways(store);
    for (let number = 0; number < 30; number++)
      await one.transact((tx) => tx.put('graphs', `/a/${number}`, 'x'));
    const dir = await temporaryFolder();
    const two = await gateway(store, dir);
    expect(two.read((tx) => tx.count('graphs'))).toBe(30);
    await two.close();
    await one.transact((tx) => tx.remove('graphs', '/a/3'));
    const again = await gateway(store, dir);
    expect(again.read((tx) => tx.count('graphs'))).toBe(29);
    expect(again.epoch).toBe(one.epoch);
  });

  test('a copy is never written to alone, and a container of its own never becomes a copy', async () => {
    const store = server.createDatabase();
    const dir = await temporaryFolder();
    await (await gateway(store, dir)).close();
    await expect(openDataDirectory(dir)).rejects.toThrow(
      /holds a copy of a shared store: give its address with --store/,
    );
    const own = await temporaryFolder();
    await (await openDataDirectory(own, { create: true })).close();
    await expect(openDataDirectory(own, { store })).rejects.toThrow(
      /holds a container of its own: copy it with chartgraph migrate/,
    );
  });

  test('a copy with states that the store has lost is made anew when it is opened, and serves nothing until then', async () => {
    const store = server.createDatabase();
    const dir = await temporaryFolder();
    const one = await gateway(store, dir);
    await one.transact((tx) => tx.put('users', 'u', 'before'));
    const database = store.split('/').at(-1) ?? '';
    // As after the restore of a backup of the database.
    server.run(
      `UPDATE chartgraph.head SET sequence = 1, commit = 'another'; DELETE FROM chartgraph.commits WHERE sequence > 1;
       UPDATE chartgraph.commits SET commit = 'another' WHERE sequence = 1; DELETE FROM chartgraph.entries WHERE tab = 'users'`,
      database,
    );
    await expect(one.current?.()).rejects.toThrow(/has to be made anew; restart the gateway/);
    await expect(one.transact((tx) => tx.put('users', 'v', 1))).rejects.toThrow(/made anew/);
    await one.close();
    const again = await gateway(store, dir);
    expect(read(again, 'u')).toBeUndefined();
    await again.current?.();
  });

  test('an empty database never takes the place of a copy', async () => {
    const store = server.createDatabase();
    const dir = await temporaryFolder();
    const one = await gateway(store, dir);
    await one.transact((tx) => tx.put('users', 'u', 'kept'));
    await one.close();
    await expect(openDataDirectory(dir, { store: server.createDatabase() })).rejects.toThrow(
      `The store is empty, and ${dir} holds a copy of another one`,
    );
    expect(read(await gateway(store, dir), 'u')).toBe('kept');
  });

  test('a document that one has stored is read by the others', async () => {
    const [one, two] = await gateways();
    const content = Buffer.alloc(1_500_000, 'chartgraph ');
    const key = await openDocumentStore(one).put([content]);
    expect(Buffer.compare(await openDocumentStore(two).read(key), content)).toBe(0);
    const missing = { sha256: 'ab'.repeat(32), size: 3 };
    await expect(openDocumentStore(two).read(missing)).rejects.toThrow(/is missing/);
  });

  /** What stands in the database: documents, the versions of which there are chunks, and chunks. */
  const stored = (store: string): number[] =>
    server
      .run(
        `SELECT (SELECT count(*) FROM chartgraph.documents), count(DISTINCT version), count(*) FROM chartgraph.chunks`,
        store.split('/').at(-1),
      )
      .split('|')
      .map(Number);

  test('a document that several put at once is stored once, and nothing else', async () => {
    const store = server.createDatabase();
    const both = (await gateways(store)).map((each) => openDocumentStore(each));
    for (let number = 0; number < 20; number++)
      await Promise.all(both.map((each) => each.put([Buffer.from(`document ${number}`)])));
    expect(stored(store)).toEqual([20, 20, 20]);
  });

  test('a document whose upload breaks off leaves nothing in the database', async () => {
    const address = server.createDatabase();
    const store = await openPostgresStore(address);
    onTestFinished(() => store.close());
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield Buffer.alloc(1_000_000);
      throw new Error('it breaks off');
    };
    await expect(store.putDocument('ab'.repeat(32), broken())).rejects.toThrow('it breaks off');
    expect(stored(address)).toEqual([0, 0, 0]);
  });

  test('what an earlier version has left of documents is removed at the next start, and no document', async () => {
    const store = server.createDatabase();
    const [one] = await gateways(store);
    const key = await openDocumentStore(one).put([Buffer.alloc(1_000_000)]);
    server.run(
      `INSERT INTO chartgraph.chunks SELECT 'left', n, 'x' FROM generate_series(0, 9) AS n`,
      store.split('/').at(-1),
    );
    expect(stored(store)).toEqual([1, 2, 12]);
    await sweepDocuments(one, () => new Set());
    expect(stored(store)).toEqual([1, 1, 2]);
    await openDocumentStore(one).read(key);
  });

  test('nothing is answered while the database is away, and everything after it is back', async () => {
    const own = await startPostgres();
    onTestFinished(() => own.stop());
    const [one, two] = await gateways(own.createDatabase());
    await one.transact((tx) => tx.put('users', 'u', 1));
    await own.kill();
    await expect(two.current?.()).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    await expect(one.transact((tx) => tx.put('users', 'u', 2))).rejects.toMatchObject({ status: 503 });
    await own.start();
    await expect
      .poll(
        () =>
          two.current?.().then(
            () => true,
            () => false,
          ),
        { timeout: 100_000 },
      )
      .toBe(true);
    expect(read(two, 'u')).toBe(1);
    await one.transact((tx) => tx.put('users', 'u', 3));
    await two.current?.();
    expect(read(two, 'u')).toBe(3);
  });

  test('a database that is read only says so, and reads go on', async () => {
    const store = server.createDatabase();
    const [one] = await gateways(store);
    await one.transact((tx) => tx.put('users', 'u', 1));
    server.run(`ALTER DATABASE ${new URL(store).pathname.slice(1)} SET default_transaction_read_only = on`);
    const two = await gateway(store);
    await expect(two.transact((tx) => tx.put('users', 'u', 2))).rejects.toThrow(
      'The shared store takes no writes (it is read only) at the moment; try again.',
    );
    await two.current?.();
    expect(read(two, 'u')).toBe(1);
  });

  test('a server that asks for a password that nobody gave is a sentence, and no connection stays open', async () => {
    const own = await startPostgres();
    onTestFinished(() => own.stop());
    const store = own.createDatabase();
    own.run("ALTER ROLE chartgraph PASSWORD 'geheim'");
    writeFileSync(join(own.folder, 'data', 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
    await own.kill();
    await own.start();
    const open = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = open();
    await expect(openDataDirectory(await temporaryFolder(), { store })).rejects.toThrow(
      /the server asks for a password\. Set PGPASSWORD, /,
    );
    await expect.poll(open).toBeLessThanOrEqual(before);
  });

  test('an address that is none, or leads nowhere, is a sentence without its password', async () => {
    const dir = await temporaryFolder();
    mkdirSync(join(dir, 'x'));
    const sentences: [string, RegExp][] = [
      [
        `postgres://me:geheim@127.0.0.1:1/x`,
        /^The store at postgres:\/\/me@127\.0\.0\.1:1\/x cannot be used: .*Is the server running/,
      ],
      [`postgres://chartgraph@127.0.0.1:${server.port}/nothing`, /Create the database first: createdb\.$/],
      [`${server.createDatabase()}?slmode=require`, /knows no slmode/],
      [`${server.createDatabase()}?sslmode=verify`, /sslmode=verify must be one of disable, /],
    ];
    for (const [store, sentence] of sentences) {
      const error = await openDataDirectory(join(dir, 'x'), { store }).catch(
        (reason: unknown) => reason as Error,
      );
      expect((error as Error).message).toMatch(sentence);
      expect((error as Error).message).not.toContain('geheim');
    }
  });
});
