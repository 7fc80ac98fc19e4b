import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { nowAndThen } from '../src/chores.js';
import { Problem } from '../src/problem.js';

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
