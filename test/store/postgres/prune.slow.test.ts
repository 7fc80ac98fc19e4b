import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('what a shared store needs no more', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  test('is dropped, however much has come since it was looked for last', async () => {
    const address = server.createDatabase();
    const database = address.split('/').at(-1) ?? '';
    const store = await openPostgresStore(address);
    onTestFinished(() => store.close());
    server.run(
      `INSERT INTO chartgraph.nonces SELECT sha256(n::text::bytea), 0 FROM generate_series(1, 45000) AS n;
       INSERT INTO chartgraph.nonces VALUES (sha256('later'), ${Date.now() + 100_000});
       INSERT INTO chartgraph.commits SELECT n, n::text FROM generate_series(1, 245000) AS n;
       UPDATE chartgraph.head SET sequence = 245000, commit = '245000'`,
      database,
    );
    await store.prune();
    const left = server.run(
      'SELECT (SELECT count(*) FROM chartgraph.nonces), (SELECT min(sequence) FROM chartgraph.commits)',
      database,
    );
    expect(left.match(/\d+/gu)).toEqual(['1', '45000']);
  });

  test('is what has expired by the clock of the database as well: that of a gateway may be ahead', async () => {
    const address = server.createDatabase();
    const database = address.split('/').at(-1) ?? '';
    const store = await openPostgresStore(address);
    onTestFinished(() => store.close());
    const now = Date.now();
    server.run(
      `INSERT INTO chartgraph.nonces VALUES (sha256('live'), ${now + 100_000}), (sha256('over'), ${now - 100_000})`,
      database,
    );
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
    onTestFinished(() => ahead.mockRestore());
    await store.prune();
    expect(server.run('SELECT expires FROM chartgraph.nonces', database)).toBe(`${now + 100_000}\n`);
  });

  test('is dropped in steps that others hardly wait for, where one commit has removed very much', async () => {
    const address = server.createDatabase();
    const database = address.split('/').at(-1) ?? '';
    const store = await openPostgresStore(address);
    onTestFinished(() => store.close());
    server.run(
      `INSERT INTO chartgraph.entries
         SELECT 'graphs', sha256(n::text::bytea), CASE WHEN n > 45000 THEN 'there'::bytea END, 1
         FROM generate_series(1, 45001) AS n;
       INSERT INTO chartgraph.commits SELECT n, n::text FROM generate_series(1, 200001) AS n;
       UPDATE chartgraph.head SET sequence = 200001, commit = '200001';
       CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF (SELECT count(*) FROM gone) > 20000 THEN RAISE 'too many at once'; END IF; RETURN NULL; END $$;
       CREATE TRIGGER few AFTER DELETE ON chartgraph.entries REFERENCING OLD TABLE AS gone
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`,
      database,
    );
    await store.prune();
    expect(server.run('SELECT count(*) FROM chartgraph.entries', database)).toBe('1\n');
  });
});
