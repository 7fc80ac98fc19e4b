import { pino } from 'pino';
import { expect, test } from 'vitest';
import { nowAndThen } from '../src/chores.js';

test('a chore that fails is logged, and those after it have their turn in the same round', async () => {
  const lines: { error?: string }[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line) as object) });
  const done: string[] = [];
  const stop = nowAndThen(
    log,
    () => Promise.resolve(void done.push('first')),
    () => Promise.reject(new RangeError('for a test')),
    () => {
      throw new TypeError('before there is a promise');
    },
    () => Promise.resolve(void done.push('last')),
  );
  await stop();
  expect(done).toEqual(['first', 'last']);
  expect(lines.map(({ error }) => error)).toEqual(['RangeError', 'TypeError']);
});
