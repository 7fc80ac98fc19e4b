import { expect, test } from 'vitest';
import { openedLog, reading } from './opened-log.js';

test('a follower reads each entry once, over segments, and what is written after it came to the end', async () => {
  const { log } = await openedLog({ limits: { bytes: 2000 } });
  const numbers = async (after: number, write = 0): Promise<number[]> => {
    const follower = await log.follow(after);
    const found: number[] = [];
    const readOn = (): void => {
      for (let some = follower.next(); some.length > 0; some = follower.next())
        found.push(...some.map(({ number }) => number));
    };
    readOn();
    for (let count = 0; count < write; count++) await log.record(reading);
    readOn();
    return found;
  };
  expect(await numbers(0)).toEqual([]);
  for (let count = 0; count < 50; count++) await log.record(reading);
  const all = await numbers(0, 50);
  // The last line of each segment closes it, and has a number too.
  expect(all).toHaveLength(100);
  expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
  for (const [at, number] of all.entries()) expect(await numbers(number)).toEqual(all.slice(at + 1));
});
