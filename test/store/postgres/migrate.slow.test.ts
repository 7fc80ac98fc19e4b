import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { keyOf, openAccounts } from '../../../src/access/accounts/accounts.js';
import { restoreBackup, writeBackup } from '../../../src/store/backup/backup.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { openDocumentStore } from '../../../src/store/documents/document-files.js';
import { migrateFromStore, migrateToStore } from '../../../src/store/postgres/migrate.js';
import { keptTables } from '../../../src/store/disk/tables.js';
import { tokenIdsOf } from '../../../src/store/disk/token-index.js';
import { documentReferences } from '../../../src/records/documents/content-key.js';
import { seededCopy } from '../../setup/seeded-copy.js';
import { startPostgres, withoutPostgres, type PostgresServer } from './postgres.js';

const nothing = (): void => undefined;

/** Everything that a directory holds, as it was written. */
function contentOf(directory: DataDirectory): unknown {
  return directory.read((tx) =>
    keptTables.map((table) => [table, Array.from(tx.range(table), ({ key, value }) => [key, value])]),
  );
}

async function withTokens(directory: DataDirectory, count: number): Promise<void> {
  const accounts = openAccounts(directory, keyOf(directory));
  await directory.transact((tx) => {
    accounts.putApp(tx, { id: 'watch', mode: 'background' });
    for (let at = 0; at < count; at++) accounts.putToken(tx, { app: 'watch', record: '1000001' });
  });
}

const indexed = (directory: DataDirectory): { watch: number; entries: number } =>
  directory.read((tx) => ({
    watch: tokenIdsOf(tx, { app: 'watch' }).length,
    entries: tx.count('tokenIndex'),
  }));

// Without PostgreSQL on this machine there is no shared store: `apt-get install postgresql`.
describe.skipIf(withoutPostgres)('migrating a container', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(['fsync=off']);
  });
  afterAll(() => server.stop());

  async function folder(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'chartgraph-migrate-'));
    await cp(join(inject('seeded'), 'secret.key'), join(dir, 'secret.key'));
    return dir;
  }

  async function opened(dir: string, store?: string): Promise<DataDirectory> {
    const directory = await openDataDirectory(dir, { store });
    onTestFinished(() => directory.close());
    return directory;
  }

  test('into a database and back again changes nothing, documents included', async () => {
    const from = await seededCopy();
    const source = await opened(from);
    const before = contentOf(source);
    const key = await openDocumentStore(source).put([Buffer.alloc(700_000, 'scan')]);
    const store = server.createDatabase();
    const there = await migrateToStore(from, store, nothing);
    expect(there.entries).toBeGreaterThan(500);
    const gateway = await opened(await folder(), store);
    expect(contentOf(gateway)).toEqual(before);
    const back = await folder();
    const returned = await migrateFromStore(store, back, nothing);
    expect(returned).toEqual(there);
    const again = await opened(back);
    expect(contentOf(again)).toEqual(before);
    expect((await openDocumentStore(again).read(key)).byteLength).toBe(700_000);
    expect(again.shared).toBeUndefined();
  });

  test('into a database that an earlier version filled, the index of tokens is made once for all gateways', async () => {
    const from = await seededCopy();
    const source = await opened(from);
    await withTokens(source, 700);
    const before = indexed(source);
    const store = server.createDatabase();
    await migrateToStore(from, store, nothing);
    const first = await opened(await folder(), store);
    expect(indexed(first)).toEqual(before);
    await first.transact((tx) => tx.clear('tokenIndex'));
    // As one of an earlier version, which knows of no index.
    const later = await opened(await folder(), store);
    await first.current?.();
    expect([indexed(first), indexed(later)]).toEqual([before, before]);
    const accounts = openAccounts(later, keyOf(later));
    await later.transact((tx) => accounts.removeApp(tx, 'watch'));
    await first.current?.();
    expect(indexed(first)).toEqual({ ...before, watch: 0, entries: 0 });
  });

  test('a store or a directory that holds a container is left alone', async () => {
    const store = server.createDatabase();
    await migrateToStore(await seededCopy(), store, nothing);
    await expect(migrateToStore(await seededCopy(), store, nothing)).rejects.toThrow(
      'The store holds a container already: name an empty database.',
    );
    await expect(migrateFromStore(store, await seededCopy(), nothing)).rejects.toThrow(
      /holds a container already/,
    );
  });

  test('back into a directory without the key is refused before anything is made', async () => {
    const store = server.createDatabase();
    await migrateToStore(await seededCopy(), store, nothing);
    const nowhere = join(await folder(), 'new');
    await expect(migrateFromStore(store, nowhere, nothing)).rejects.toThrow(
      `put that at ${join(nowhere, 'secret.key')} first`,
    );
    expect(existsSync(nowhere)).toBe(false);
  });

  test('from a database without a container says so, and makes nothing', async () => {
    const nowhere = join(await folder(), 'new');
    await expect(migrateFromStore(server.createDatabase(), nowhere, nothing)).rejects.toThrow(
      'The database holds no container: name the one that gateways serve.',
    );
    expect(existsSync(nowhere)).toBe(false);
  });

  test('a backup of a gateway holds the documents that it was never asked for', async () => {
    const store = server.createDatabase();
    const [one, two] = [await opened(await folder(), store), await opened(await folder(), store)];
    const key = await openDocumentStore(one).put([Buffer.from('scan')]);
    expect(openDocumentStore(two).has(key.sha256)).toBe(false);
    const file = join(await folder(), 'backup');
    await writeBackup(two, file);
    const restored = await opened(await seededCopy());
    await restoreBackup(restored, file);
    expect((await openDocumentStore(restored).read(key)).toString()).toBe('scan');
  });

  const damages = [
    'UPDATE chartgraph.chunks SET bytes = set_byte(bytes, 200, get_byte(bytes, 200) # 1)',
    'DELETE FROM chartgraph.chunks',
  ];

  test('a backup of a gateway mends its own damaged copy of a document, and ends when the store is damaged', async () => {
    for (const damage of damages) {
      const store = server.createDatabase();
      await migrateToStore(await seededCopy(), store, nothing);
      const gateway = await opened(await folder(), store);
      const file = join(await folder(), 'backup');
      const references = documentReferences;
      await writeBackup(gateway, file, { references });
      const [[sha256] = ['']] = gateway.read(references);
      const copy = openDocumentStore(gateway).path(sha256);
      await writeFile(copy, 'other bytes');
      await writeBackup(gateway, file, { references });
      const restored = await opened(await seededCopy());
      await rm(openDocumentStore(restored).path(sha256));
      await restoreBackup(restored, file);
      expect(openDocumentStore(restored).has(sha256)).toBe(true);
      // Another gateway has no sound copy that would serve.
      const other = await opened(await folder(), store);
      const version = `(SELECT version FROM chartgraph.documents WHERE sha256 = '${sha256}')`;
      server.run(`${damage} WHERE version = ${version}`, store.split('/').at(-1));
      await expect(writeBackup(other, file, { references })).rejects.toThrow(
        `The document ${sha256}, which `,
      );
      await expect(migrateFromStore(store, await folder(), nothing)).rejects.toThrow(
        `The document ${sha256} of the source is damaged`,
      );
    }
  });

  test('with a damaged document is refused, and leaves the database empty', async () => {
    const from = await seededCopy();
    const source = await opened(from);
    const [[sha256] = ['']] = source.read(documentReferences);
    const file = openDocumentStore(source).path(sha256);
    const bytes = await readFile(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await writeFile(file, bytes);
    const store = server.createDatabase();
    await expect(migrateToStore(from, store, nothing)).rejects.toThrow(
      `The document ${sha256} of the source is damaged`,
    );
    const database = store.split('/').at(-1) ?? '';
    expect(server.run('SELECT count(*) FROM chartgraph.entries', database).trim()).toBe('0');
  });

  test('while another command writes to the directory is refused, and leaves the database empty', async () => {
    const from = await seededCopy();
    const source = await opened(from);
    const store = server.createDatabase();
    let written: Promise<void> | undefined;
    const migrating = migrateToStore(from, store, () => void (written ??= withTokens(source, 1)));
    await expect(migrating).rejects.toThrow(
      `Another command wrote to ${from} while it was copied, so nothing is in use yet`,
    );
    await written;
    const database = store.split('/').at(-1) ?? '';
    expect(server.run('SELECT count(*) FROM chartgraph.entries', database).trim()).toBe('0');
    const before = contentOf(source);
    await migrateToStore(from, store, nothing);
    expect(contentOf(await opened(await folder(), store))).toEqual(before);
  });

  test('a backup of a directory is restored into a database, for every gateway', async () => {
    const source = await opened(await seededCopy());
    const file = join(await folder(), 'backup');
    await writeBackup(source, file);
    const store = server.createDatabase();
    const [one, two] = [await opened(await folder(), store), await opened(await folder(), store)];
    await restoreBackup(one, file);
    await two.current?.();
    const graphs = (directory: DataDirectory): unknown => directory.read((tx) => [...tx.range('graphs')]);
    expect(graphs(two)).toEqual(graphs(source));
    expect(two.epoch).toBe(one.epoch);
    const again = join(await folder(), 'again');
    expect(await writeBackup(two, again)).toBeGreaterThan(500);
  });

  test('what is interrupted leaves the database empty, and can be begun again', async () => {
    const store = server.createDatabase();
    const from = await seededCopy();
    const interrupted = migrateToStore(from, store, () => {
      throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow();
    const database = store.split('/').at(-1) ?? '';
    expect(server.run('SELECT count(*) FROM chartgraph.entries', database).trim()).toBe('0');
    expect((await migrateToStore(from, store, nothing)).entries).toBeGreaterThan(500);
  });

  test('where the log of a gateway stood is kept in the store, and only moves on', async () => {
    const { openPostgresStore } = await import('../../../src/store/postgres/postgres-store.js');
    const store = await openPostgresStore(server.createDatabase());
    onTestFinished(() => store.close());
    expect(await store.anchorOf('c')).toBeUndefined();
    await store.anchor('c', 'one', 10, 'hash of ten');
    await store.anchor('c', 'one', 4, 'hash of four');
    expect(await store.anchorOf('c')).toEqual({ entries: 10, hash: 'hash of ten' });
  });
});
