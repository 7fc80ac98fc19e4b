import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccessLog, type AccessLog } from '../../src/access/log/access-log.js';
import { keyOf, openAccounts, type Accounts } from '../../src/access/accounts/accounts.js';
import { EXPORT_LIFETIME, type BulkExport } from '../../src/access/accounts/bulk-exports.js';
import { openDataDirectory, type DataDirectory } from '../../src/store/disk/data-directory.js';
import { noRoom } from '../../src/store/disk/disk-space.js';
import { openDocumentStore, type DocumentStore } from '../../src/store/documents/document-files.js';
import { SALT } from '../../src/services/exports/exported-resources.js';
import { ExportRunner, type ExportParts } from '../../src/services/exports/export-runner.js';
import { removeRecord } from '../../src/records/remove-record.js';
import { pastStores } from '../../src/store/past-store.js';
import { openPrimaryStore } from '../../src/store/primary-store.js';
import { shippedModel } from '../authoring/shipped-model.js';
import { seededCopy } from '../setup/seeded-copy.js';

const root = resolve(import.meta.dirname, '..', '..');
const base = 'http://localhost:7000';
const APP = 'demo-background@apps.example.org';

let data: string;
let directory: DataDirectory;
let accounts: Accounts;
let accessLog: AccessLog;
let documents: DocumentStore;
let now: number;
/** Read once for all tests. */
let model: ReturnType<typeof shippedModel> | undefined;

beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:00Z');
  data = await seededCopy();
  await open();
});
afterEach(() => close());

async function open(): Promise<void> {
  directory = await openDataDirectory(data);
  accounts = openAccounts(directory, keyOf(directory), () => now);
  accessLog = await openAccessLog(data);
  documents = openDocumentStore(directory);
}

async function close(): Promise<void> {
  await accessLog.close();
  await directory.close();
}

const begin = async (): Promise<string> => {
  const begun = await accounts.beginExport({
    ...{ app: APP, format: 'ndjson', epoch: directory.epoch },
    revision: openPrimaryStore(directory, base).revision(''),
  });
  return begun?.id ?? '';
};

/** Looks once for what is due, and does it. */
async function look(parts: Partial<ExportParts> = {}): Promise<void> {
  const primary = openPrimaryStore(directory, base);
  const { ontology, queries } = await (model ??= shippedModel());
  const runner = new ExportRunner({
    ...{ primary, ontology, queries, base, accounts, accessLog, documents },
    ...{ past: pastStores(primary, undefined), log: pino({ level: 'silent' }), clock: () => now },
    ...parts,
  });
  await runner.look();
  await runner.close();
}

/** The lines of an export by the resource that each tells of, sorted. */
async function linesOf(id: string): Promise<string[]> {
  const { state, files } = accounts.bulkExport(id) as BulkExport;
  expect(state).toBe('done');
  const lines: string[] = [];
  for (const { key, count } of files) {
    const own = gunzipSync((await documents.read(key)).subarray(SALT))
      .toString()
      .trimEnd()
      .split('\n');
    expect(own).toHaveLength(count);
    lines.push(...own);
  }
  return lines.sort();
}

const pathsOf = (id: string): string[] =>
  accounts.bulkExport(id)?.files.map(({ key }) => documents.path(key.sha256)) ?? [];

describe('what makes exports', () => {
  it('goes on behind what is in files after it was killed, and tells nothing twice', async () => {
    const whole = await begin();
    await look();
    const wanted = await linesOf(whole);
    expect(wanted.length).toBeGreaterThan(50);
    const id = await begin();
    await close();
    const child = spawn(process.execPath, [join(root, 'test/http/export-child.mjs'), data, base, '5'], {
      ...{ cwd: root, stdio: 'ignore' },
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    await open();
    const before = accounts.bulkExport(id);
    expect(before?.state).toBe('waiting');
    expect(before?.files.length).toBeGreaterThan(0);
    await look({ batchBytes: 1 });
    expect(await linesOf(id)).toEqual(wanted);
    expect(accounts.bulkExport(id)?.files.slice(0, before?.files.length)).toEqual(before?.files);
  });

  it('takes turns where several exports wait', async () => {
    const first = await begin();
    now++;
    const ids = [first, await begin()];
    const order: string[] = [];
    await look({
      batchBytes: 1,
      accessLog: {
        record: (entry) => {
          order.push(entry.resource?.split('/').at(-1) ?? '');
          now++;
          return accessLog.record(entry);
        },
      },
    });
    expect(order.slice(0, 4)).toEqual([ids[0], ids[1], ids[0], ids[1]]);
    for (const id of ids) expect((await linesOf(id)).length).toBeGreaterThan(50);
  });

  it('removes the files of what has expired, and forgets it a day later', async () => {
    const id = await begin();
    await look();
    const files = pathsOf(id);
    expect(files.length).toBeGreaterThan(0);
    now += EXPORT_LIFETIME - 1;
    await look();
    expect(files.every((file) => existsSync(file))).toBe(true);
    now++;
    await look();
    expect(files.some((file) => existsSync(file))).toBe(false);
    expect(accounts.bulkExport(id)?.state).toBe('ended');
    now += EXPORT_LIFETIME;
    await look();
    expect(accounts.listExports()).toEqual([]);
  });

  it('forgets all but the newest of those that an app cancels, those with files once these are gone', async () => {
    const end = (id: string) =>
      accounts.changeExport(id, (job) => ({ ...job, state: 'ended', updated: now }));
    const withFiles = await begin();
    await look();
    const files = pathsOf(withFiles);
    await end(withFiles);
    const ids: string[] = [];
    for (let number = 0; number < 30; number++) {
      now++;
      ids.push(await begin());
      await end(ids.at(-1) ?? '');
    }
    expect(accounts.bulkExport(withFiles)?.files.length).toBeGreaterThan(0);
    expect(accounts.listExports()).toHaveLength(22);
    expect(accounts.bulkExport(ids.at(-1) ?? '')?.state).toBe('ended');
    await look();
    expect(files.some((file) => existsSync(file))).toBe(false);
    now += 61_000;
    await begin();
    expect(accounts.bulkExport(withFiles)).toBeUndefined();
  });

  it('removes the files of one that has ended while another one is being made', async () => {
    const ended = await begin();
    await look();
    const files = pathsOf(ended);
    await begin();
    const left: number[] = [];
    await look({
      accessLog: {
        record: async (entry) => {
          if (left.length === 0) {
            await accounts.changeExport(ended, (job) => ({ ...job, state: 'ended', updated: now }));
            await wait(1100);
          }
          left.push(files.filter((file) => existsSync(file)).length);
          return accessLog.record(entry);
        },
      },
    });
    expect(left.length).toBeGreaterThan(2);
    expect(left.at(0)).toBe(files.length);
    expect(left.at(-1)).toBe(0);
  });

  it('ends what a record may be in that is removed, and removes its files', async () => {
    const done = await begin();
    await look();
    const paths = pathsOf(done);
    expect(paths.length).toBeGreaterThan(0);
    const waiting = await begin();
    const early = await begin();
    await accounts.changeExport(early, (job) => ({ ...job, state: 'done', after: '1000001' }));
    const primary = openPrimaryStore(directory, base);
    expect(await removeRecord(primary, base, '1000004')).toMatchObject({ existed: true, exports: 2 });
    const stateOf = (id: string) => accounts.bulkExport(id)?.state;
    expect([done, waiting, early].map(stateOf)).toEqual(['ended', 'ended', 'done']);
    await look();
    expect(paths.filter((path) => existsSync(path))).toEqual([]);
  });

  it('gives an export up that is too large, and leaves none of its files', async () => {
    const id = await begin();
    const put: string[] = [];
    await look({
      ...{ mostBytes: 4000, batchBytes: 1 },
      documents: {
        ...documents,
        put: async (bytes) => {
          const key = await documents.put(bytes);
          put.push(documents.path(key.sha256));
          return key;
        },
      },
    });
    expect(accounts.bulkExport(id)).toMatchObject({ state: 'failed', reason: 'too-large' });
    expect(put.length).toBeGreaterThan(1);
    await look();
    expect(put.some((file) => existsSync(file))).toBe(false);
  });

  it('tries again after what may pass, and gives up in the end', async () => {
    const id = await begin();
    const parts = {
      delays: [1000, 1000],
      documents: { ...documents, put: () => Promise.reject(new Error('no room')) },
    };
    await look(parts);
    expect(accounts.bulkExport(id)).toMatchObject({ state: 'waiting', failures: 1, notBefore: now + 1000 });
    await look(parts);
    expect(accounts.bulkExport(id)?.failures).toBe(1);
    now += 1000;
    await look(parts);
    now += 1000;
    await look(parts);
    expect(accounts.bulkExport(id)).toMatchObject({ state: 'failed', failures: 3, reason: 'internal' });
  });

  it('goes on when there is room again, however long that takes, and tells the operator why it waits', async () => {
    const id = await begin();
    const lines: object[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line) as object) });
    const full = {
      ...{ log, delays: [1000] },
      documents: { ...documents, put: () => Promise.reject(noRoom('There is no room.', undefined)) },
    };
    for (let hours = 0; hours < 5; hours++) {
      await look(full);
      now += 60 * 60 * 1000;
    }
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatchObject({ app: APP, export: id, error: 'Problem', why: 'There is no room.' });
    expect(accounts.bulkExport(id)).toMatchObject({ state: 'waiting', failures: 0 });
    await look();
    expect((await linesOf(id)).length).toBeGreaterThan(50);
  });

  it('removes the files of what has expired also where there is no room to say that it has ended', async () => {
    const id = await begin();
    await look();
    const files = pathsOf(id);
    expect(files.length).toBeGreaterThan(0);
    now += EXPORT_LIFETIME;
    const changeExport = () => Promise.reject(noRoom('There is no room.', undefined));
    await look({ accounts: { ...accounts, changeExport } });
    expect(files.some((file) => existsSync(file))).toBe(false);
    await look();
    expect(accounts.bulkExport(id)?.state).toBe('ended');
  });

  it('tries again, and removes what has expired, after a clock that was a year ahead is set back', async () => {
    const YEAR = 365 * 24 * 60 * 60 * 1000;
    now += YEAR;
    const done = await begin();
    await look();
    const files = pathsOf(done);
    expect(files.length).toBeGreaterThan(0);
    const waiting = await begin();
    const put = () => Promise.reject(new Error('for a test'));
    await look({ documents: { ...documents, put } });
    expect(accounts.bulkExport(waiting)).toMatchObject({ state: 'waiting', failures: 1 });
    now -= YEAR;
    await look();
    expect(files.some((file) => existsSync(file))).toBe(false);
    expect(accounts.bulkExport(done)?.state).toBe('ended');
    expect(accounts.bulkExport(waiting)?.state).toBe('done');
  });

  it('ends an export of which a backup that was restored knows nothing', async () => {
    const id = await begin();
    await accounts.changeExport(id, (job) => ({ ...job, epoch: 'another' }));
    await look();
    expect(accounts.bulkExport(id)).toMatchObject({ state: 'ended', records: 0 });
  });
});
