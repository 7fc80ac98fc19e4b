import { describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { temporaryFolder } from '../disk/temporary.js';
import { startPostgres, withoutPostgres } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a PostgreSQL server with a synchronous standby', () => {
  test('when the first server dies and the standby takes over, gateways follow, and nothing acknowledged is lost', async () => {
    process.env['CHARTGRAPH_SECRET_KEY'] = '7'.repeat(64);
    onTestFinished(() => void delete process.env['CHARTGRAPH_SECRET_KEY']);
    const first = await startPostgres();
    onTestFinished(() => first.stop());
    const standby = await startPostgres([], first);
    onTestFinished(() => standby.stop());
    first.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
    first.run('SELECT pg_reload_conf()');
    await expect.poll(() => first.run('SELECT sync_state FROM pg_stat_replication').trim()).toBe('sync');
    const database = new URL(first.createDatabase()).pathname;
    const store = `postgres://chartgraph@127.0.0.1:${first.port},127.0.0.1:${standby.port}${database}`;
    const gateways = [];
    for (let number = 0; number < 2; number++) {
      const directory = await openDataDirectory(await temporaryFolder(), { store });
      onTestFinished(() => directory.close());
      gateways.push(directory);
    }
    const acknowledged = new Set<string>();
    let refused = 0;
    let isOver = false;
    const writers = gateways.flatMap((directory, at) =>
      Array.from({ length: 4 }, async (_, lane) => {
        for (let number = 0; !isOver; number++) {
          const key = `${at}-${lane}-${number}`;
          try {
            await directory.transact((tx) => tx.put('users', key, number));
            acknowledged.add(key);
          } catch (error) {
            expect(error).toMatchObject({ status: 503 });
            refused++;
          }
        }
      }),
    );
    await expect.poll(() => acknowledged.size).toBeGreaterThan(50);
    await first.kill();
    standby.run('SELECT pg_promote()');
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(writers);
    expect(refused).toBeGreaterThan(0);
    for (const directory of gateways) {
      await directory.current?.();
      const found = new Set(directory.read((tx) => Array.from(tx.range('users'), ({ key }) => String(key))));
      expect([...acknowledged].filter((key) => !found.has(key))).toEqual([]);
    }
  });
});
