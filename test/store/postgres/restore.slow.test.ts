import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folder, run } from '../../cli/run.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('a restore into a store on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  test('of a backup with other keys of accounts says that all gateways have to be restarted', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'passphrase'), 'a passphrase that is long\n');
    const sealed = ['--passphrase-file', 'passphrase'];
    const chartgraph = async (args: readonly string[], env: Record<string, string>): Promise<string> => {
      const { code, stderr } = await run(args, { cwd, env });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      return stderr;
    };
    const add = ['user', 'add', 'ada', '--given-name', 'Ada', '--family-name', 'Quillane', '--role', 'admin'];
    const alone = { CHARTGRAPH_SECRET_KEY: '8'.repeat(64) };
    const gateway = { CHARTGRAPH_SECRET_KEY: '7'.repeat(64), CHARTGRAPH_STORE: server.createDatabase() };
    await chartgraph([...add, '--data', 'alone'], alone);
    await chartgraph(['backup', 'saved', ...sealed, '--data', 'alone'], alone);
    await chartgraph([...add, '--data', 'gateway'], gateway);
    expect(await chartgraph(['restore', 'saved', ...sealed, '--data', 'gateway'], gateway)).toBe(
      'chartgraph: warning: the backup was made of another data directory: restart every gateway before anybody signs in.\n',
    );
  });
});
