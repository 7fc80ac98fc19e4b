import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '../../../src/store/disk/data-directory.js';
import { textAt } from '../../../src/store/past.js';
import { openPrimaryStore } from '../../../src/store/primary-store.js';
import { testHistory } from '../history-contract.js';
import { BASE, note } from '../samples.js';
import { temporaryFolder } from '../disk/temporary.js';
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

  test('a store that was made with --seal off is so for every gateway, and its history is told', async () => {
    process.env['CHARTGRAPH_SECRET_KEY'] = '7'.repeat(64);
    onTestFinished(() => void delete process.env['CHARTGRAPH_SECRET_KEY']);
    const store = server.createDatabase();
    const folders = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()] as const;
    const first = await openDataDirectory(folders[0], { store, seal: false });
    onTestFinished(() => first.close());
    const written = openPrimaryStore(first, BASE);
    for (const text of ['x', 'y']) await written.write({ replace: [note('/records/1', text)] });
    const second = await openDataDirectory(folders[1], { store });
    onTestFinished(() => second.close());
    expect(second.sealsRecords).toBe(false);
    const texts = second.read((tx) => [1, 2].map((revision) => textAt(tx, '/records/1', revision)));
    expect(texts).toEqual([expect.stringContaining('"x"'), expect.stringContaining('"y"')]);
    await expect(openDataDirectory(folders[2], { store, seal: true })).rejects.toThrow('leave --seal out');
  });
});
