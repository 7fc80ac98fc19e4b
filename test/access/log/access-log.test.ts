import { appendFileSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEntryText, type AccessEntry } from '../../../src/access/log/access-entry.js';
import { ACCESS_LOG } from '../../../src/access/log/access-log.js';
import { isAskedFor } from '../../../src/access/log/read-entries.js';
import { runs } from '../../setup/runs.js';
import { entriesOf, openedLog, reading, segmentFiles } from './opened-log.js';

describe('the access log', () => {
  test('an entry is in the file when its promise resolves', async () => {
    const { log, dir } = await openedLog();
    await log.record({ ...reading, call: 'urn:call', purpose: 'treatment', status: 200, revision: 7 });
    const [file = ''] = await segmentFiles(dir);
    expect(readFileSync(file, 'utf8').split('\n')[1]).toMatch(/^1 \S{43} \S{22}\.0\.\S+$/);
    expect(await entriesOf(log)).toEqual([
      {
        ...reading,
        number: 1,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        call: 'urn:call',
        purpose: 'treatment',
        status: 200,
        revision: 7,
      },
    ]);
  });

  test('each member is read back as it was recorded', async () => {
    const { log } = await openedLog();
    const whole: Required<AccessEntry> = {
      action: 'read',
      outcome: 'refused',
      user: 'a user',
      app: 'an app',
      account: 'an account',
      onBehalfOf: 'somebody',
      tokenId: 'a token',
      call: 'urn:call',
      resource: '/a/resource',
      record: '1',
      purpose: 'treatment',
      level: 'a level',
      to: 'a place',
      query: 'a query',
      rows: 2,
      milliseconds: 3,
      address: '203.0.113.9',
      status: 403,
      revision: '"a tag"',
      requestId: 'a request',
      reason: 'a reason',
      dropped: { through: 4, hash: 'a hash' },
    };
    const members = Object.keys(whole) as (keyof AccessEntry)[];
    const alone = members.map(
      (name) => ({ action: 'read', outcome: 'done', [name]: whole[name] }) as AccessEntry,
    );
    for (const entry of [whole, ...alone]) await log.record(entry);
    const read = await entriesOf(log);
    expect(read.map(({ number: _, time: __, ...entry }) => entry)).toEqual([whole, ...alone]);
  });

  test('what versions until 0.16 wrote is read', () => {
    const text = '{"time":"2026-01-02T03:04:05.678Z","action":"read","outcome":"done","rows":0}';
    expect(readEntryText(text, 7)).toEqual({ number: 7, ...(JSON.parse(text) as object) });
    for (const none of ['null', '[]', '{}', '["2026-01-02T03:04:05.678Z"]', '7'])
      expect(() => readEntryText(none, 7)).toThrow(TypeError);
  });

  test('what is recorded at once stands in the file when the call returns, after what waited before it', async () => {
    const { log } = await openedLog();
    const waiting = log.record({ ...reading, requestId: 'first' });
    log.recordNow({ ...reading, requestId: 'second' });
    await waiting;
    expect((await entriesOf(log)).map(({ requestId }) => requestId)).toEqual(['first', 'second']);
  });

  test('entries go on where they ended, also after a line that a killed process left half written', async () => {
    const { log, dir } = await openedLog();
    await log.record(reading);
    await log.close();
    const [file = ''] = await segmentFiles(dir);
    appendFileSync(file, '2 half');
    const { log: again } = await openedLog({}, dir);
    await again.record(reading);
    expect((await entriesOf(again)).map(({ number }) => number)).toEqual([1, 2]);
    expect(again.verify()).toEqual({ entries: 2, intact: true });
  });

  test('two in one process see what the other wrote, across segments', async () => {
    const { log, dir } = await openedLog({ limits: { bytes: 300 } });
    const { log: other } = await openedLog({ limits: { bytes: 300 } }, dir);
    for (let round = 0; round < 10; round++) {
      await log.record(reading);
      await other.record(reading);
    }
    expect(log.checkpoint()).toEqual(other.checkpoint());
    expect(log.verify()).toEqual({ entries: 20, intact: true });
    expect((await segmentFiles(dir)).length).toBeGreaterThan(5);
  });

  test('nothing is lost where the next segment cannot be opened for a while, by whoever closes one or follows', async () => {
    const limits = { bytes: 300 };
    const { log, dir } = await openedLog({ limits });
    const { log: other } = await openedLog({ limits }, dir);
    const second = join(dir, ACCESS_LOG, '000000002.log');
    const records = async (by: typeof log, user: string): Promise<void> => by.record({ ...reading, user });
    const whileInTheWay = async (work: () => Promise<void>): Promise<void> => {
      mkdirSync(second);
      try {
        await work();
      } finally {
        rmdirSync(second);
      }
    };
    await records(log, 'a'.repeat(300));
    await whileInTheWay(async () => {
      await expect(records(log, 'b')).rejects.toThrow('EISDIR');
      await expect(records(log, 'c')).rejects.toThrow('EISDIR');
    });
    await records(other, 'd');
    await records(log, 'e');
    const { log: third } = await openedLog({ limits: { bytes: 10_000 } }, dir);
    const { log: fourth } = await openedLog({ limits: { bytes: 10_000 } }, dir);
    const users = async (): Promise<string[]> =>
      (await entriesOf(third)).map(({ user = '' }) => user.slice(0, 1));
    expect(await users()).toEqual(['a', 'd', 'e']);
    // Whoever follows finds the end of a segment, and cannot open the next one.
    const files = await segmentFiles(dir);
    const next = join(dir, ACCESS_LOG, `${String(files.length + 1).padStart(9, '0')}.log`);
    await records(log, 'f'.repeat(300));
    await records(log, 'g');
    expect(await segmentFiles(dir)).toContain(next);
    renameSync(next, `${next}.away`);
    mkdirSync(next);
    await expect(records(fourth, 'h')).rejects.toThrow('EISDIR');
    rmdirSync(next);
    renameSync(`${next}.away`, next);
    await records(log, 'i');
    await records(fourth, 'j');
    await records(log, 'k');
    expect(await users()).toEqual(['a', 'd', 'e', 'f', 'g', 'i', 'j', 'k']);
    expect(log.verify()).toMatchObject({ intact: true, entries: 8 });
  });

  test('a query string, long text and line feeds do not get in', async () => {
    const { log } = await openedLog();
    const purpose = 'a\nb\u0000\u001b[31m\u2028"\ud800';
    await log.record({ ...reading, resource: '/records/1?problem=secret', purpose, app: 'x'.repeat(9999) });
    const [entry] = await entriesOf(log);
    expect(entry).toMatchObject({ resource: '/records/1', purpose, app: 'x'.repeat(500) });
    expect(log.verify().intact).toBe(true);
  });

  test('where the file was removed under it, it goes on, and the gap shows', async () => {
    const { log, dir } = await openedLog();
    await log.record(reading);
    const [file = ''] = await segmentFiles(dir);
    rmSync(file);
    await log.record(reading);
    expect((await entriesOf(log)).map(({ number }) => number)).toEqual([2]);
    expect(log.verify()).toMatchObject({ intact: false, brokenAt: 1 });
  });

  test('what cannot be written is refused in one sentence, and later entries are taken again', async () => {
    const { log, dir } = await openedLog();
    await log.record(reading);
    const [file = ''] = await segmentFiles(dir);
    // The newest segment is removed and a folder stands where the next one belongs.
    rmSync(file);
    const blocked = join(dir, ACCESS_LOG, '000000002.log');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(blocked);
    const sentence = /^The access log cannot be written \(.*\); nothing is done that it does not hold\.$/;
    await expect(log.record(reading)).rejects.toThrow(sentence);
    expect(() => log.recordNow(reading)).toThrow(sentence);
    await rm(blocked, { recursive: true });
    await log.record(reading);
    expect(await entriesOf(log)).toHaveLength(1);
  });

  test('how long entries have waited to be synced is known, and is soon nothing', async () => {
    const { log } = await openedLog();
    await log.record(reading);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(log.numbers()).toMatchObject({ recorded: 1 });
    expect(log.numbers().lag).toBeGreaterThan(0);
    await expect.poll(() => log.numbers().lag).toBe(0);
  });
});

const id = fc.constantFrom('a', 'b', 'c@d', '1000001', '-1', '=2');
const anyEntry = fc.record(
  {
    action: fc.constantFrom('read', 'write'),
    outcome: fc.constantFrom('done' as const, 'refused' as const),
    record: id,
    user: id,
    app: id,
    account: id,
    onBehalfOf: id,
    purpose: fc.string({ unit: 'binary' }),
  },
  { requiredKeys: ['action', 'outcome'] },
);
const anyFilter = fc.record(
  { record: id, user: id, app: id, since: fc.nat(60), newestFirst: fc.boolean(), limit: fc.nat(8) },
  { requiredKeys: [] },
);

describe('reading by index', () => {
  test('gives what a filter over everything gives, whatever was asked before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyEntry, { maxLength: 4 }), { maxLength: 15 }),
        fc.array(anyFilter, { minLength: 1, maxLength: 5 }),
        async (turns, filters) => {
          let now = 1_700_000_000_000;
          const start = now;
          const { log } = await openedLog({ limits: { bytes: 700 }, clock: () => now });
          const half = Math.floor(turns.length / 2);
          const write = async (some: AccessEntry[][]): Promise<void> => {
            for (const turn of some) {
              now += 1;
              await Promise.all(turn.map((entry) => log.record(entry)));
            }
          };
          await write(turns.slice(0, half));
          // Some of the segments are indexed by now.
          await entriesOf(log, { user: 'a' });
          await write(turns.slice(half));
          const all = await entriesOf(log);
          expect(all).toHaveLength(turns.flat().length);
          for (const { since, ...rest } of filters) {
            const filter = { ...rest, ...(since === undefined ? {} : { since: start + since }) };
            const naive = all.filter((entry) => isAskedFor(entry, filter));
            if (filter.newestFirst) naive.reverse();
            expect(await entriesOf(log, filter)).toEqual(naive.slice(0, filter.limit));
          }
          await log.close();
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('reads few lines of much: a rare record is found without opening every line', async () => {
    const { log, dir } = await openedLog({ limits: { bytes: 20_000 } });
    for (let at = 0; at < 1000; at++)
      await log.record({ ...reading, record: at % 500 === 7 ? 'rare' : 'common' });
    expect((await entriesOf(log, { record: 'rare' })).map(({ number }) => number)).toEqual([8, 508]);
    expect(await entriesOf(log, { record: 'rare', newestFirst: true, limit: 1 })).toMatchObject([
      { number: 508 },
    ]);
    // The other lines are made unreadable: the index names only the two.
    const { editLines } = await import('./opened-log.js');
    for (const file of (await segmentFiles(dir)).slice(0, -1))
      editLines(file, (lines) =>
        lines.map((line) => (/^(?:8|508) /.test(line) ? line : ' '.repeat(line.length))),
      );
    expect(await entriesOf(log, { record: 'rare' })).toHaveLength(2);
  });

  test('an index that was lost is made again', async () => {
    const { log, dir } = await openedLog({ limits: { bytes: 500 } });
    for (let at = 0; at < 20; at++) await log.record(reading);
    expect(await entriesOf(log, { record: '1000001' })).toHaveLength(20);
    await log.close();
    await rm(join(dir, ACCESS_LOG, 'keyed-index'), { recursive: true });
    const { log: again } = await openedLog({}, dir);
    expect(await entriesOf(again, { record: '1000001' })).toHaveLength(20);
  });
});
