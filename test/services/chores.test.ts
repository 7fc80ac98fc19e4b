import { pino } from 'pino';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { keyOf, openAccounts } from '../../src/access/accounts/accounts.js';
import { agingChores, nowAndThen, tokenChores } from '../../src/services/chores.js';
import { openDataDirectory } from '../../src/store/disk/data-directory.js';
import { Problem } from '../../src/model/problem.js';
import { temporaryFolder } from '../store/disk/temporary.js';

afterEach(() => void vi.useRealTimers());

test('a chore that fails is logged, and those after it have their turn in the same round', async () => {
  const lines: { error?: string; why?: string }[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line) as object) });
  const done: string[] = [];
  const stop = nowAndThen(
    log,
    () => Promise.resolve(void done.push('first')),
    () => Promise.reject(new RangeError('for a test')),
    () => Promise.reject(new Problem('unavailable', 'There is no room.')),
    () => {
      throw new TypeError('before there is a promise');
    },
    () => Promise.resolve(void done.push('last')),
  );
  await stop();
  expect(done).toEqual(['first', 'last']);
  expect(lines.map(({ error }) => error)).toEqual(['RangeError', 'Problem', 'TypeError']);
  // What only the operator can mend is told; what others say may quote anybody.
  expect(lines.map(({ why }) => why)).toEqual([undefined, 'There is no room.', undefined]);
});

test('chores that take long are not begun once more beside themselves, and are waited for', async () => {
  vi.useFakeTimers();
  const ends: (() => void)[] = [];
  const stop = nowAndThen(pino({ level: 'silent' }), () => new Promise((resolve) => ends.push(resolve)));
  await vi.advanceTimersByTimeAsync(45 * 60 * 1000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(10 * 60 * 1000);
  expect(ends).toHaveLength(2);
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(30 * 60 * 1000);
  expect([ends.length, isStopped]).toEqual([2, false]);
  ends[1]?.();
  await stopped;
});

test('a clock that is a year ahead for a while removes no token, and what it would remove is told', async () => {
  const directory = await openDataDirectory(await temporaryFolder(), { create: true });
  onTestFinished(() => directory.close());
  const accounts = openAccounts(directory, keyOf(directory));
  await directory.transact((tx) => {
    accounts.putApp(tx, { id: 'app', mode: 'ui' });
    accounts.putUser(tx, { id: 'person', role: 'person', records: ['1'] });
  });
  const { id } = await accounts.issueToken({ app: 'app', user: 'person', record: '1' });
  const lines: { hours?: number }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line) as object) });
  const days: number[] = [];
  const accessLog = {
    maintain: ({ now = 0 }) => Promise.resolve(void days.push(Math.round((now - start) / 86_400_000))),
  };
  const run = () =>
    nowAndThen(
      log,
      ...agingChores(log, { directory, accessLog, days: 2192 }),
      ...tokenChores(directory, accounts),
    )();
  const start = Date.now();
  await run();
  vi.spyOn(Date, 'now').mockReturnValue(start + 365 * 86_400_000);
  onTestFinished(() => void vi.restoreAllMocks());
  await run();
  expect(accounts.tokenById(id)).toBeDefined();
  expect(days).toEqual([0, 0]);
  expect(lines).toMatchObject([{ level: 40, hours: 365 * 24 }]);
  // A day later it is believed.
  vi.spyOn(Date, 'now').mockReturnValue(start + 366 * 86_400_000);
  await run();
  expect(accounts.tokenById(id)).toBeUndefined();
  expect(days).toEqual([0, 0, 366]);
});
