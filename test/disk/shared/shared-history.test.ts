import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openDataDirectory } from '../../../src/disk/data-directory.js';
import { testHistory } from '../../store/history-contract.js';
import { temporaryFolder } from '../temporary.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('the history of a store on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  testHistory(async () => {
    process.env['CHARTGRAPH_SECRET_KEY'] = '7'.repeat(64);
    onTestFinished(() => void delete process.env['CHARTGRAPH_SECRET_KEY']);
    const directory = await openDataDirectory(await temporaryFolder(), { store: server.createDatabase() });
    onTestFinished(() => directory.close());
    return directory;
  });
});
