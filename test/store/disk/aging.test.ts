import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { timeOfAging } from '../../../src/store/disk/clock.js';
import { openDataDirectory, type DataDirectory } from '../../../src/store/disk/data-directory.js';
import { temporaryFolder } from './temporary.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

describe('the time by which things are removed for their age', () => {
  let directory: DataDirectory;
  beforeEach(async () => {
    directory = await openDataDirectory(await temporaryFolder(), { create: true });
    onTestFinished(() => directory.close());
    expect(await timeOfAging(directory, START)).toBe(START);
  });

  test('is what the clock says, also after some days without a server, and where it is set back', async () => {
    for (const now of [START + HOUR, START + 7 * DAY, START + 7 * DAY - HOUR, START + 14 * DAY - 2 * HOUR])
      expect(await timeOfAging(directory, now)).toBe(now);
  });

  test('stays where it was while a clock is a year ahead, until that is set right', async () => {
    const ahead = START + 365 * DAY;
    for (const now of [ahead, ahead + HOUR, ahead + 23 * HOUR])
      expect(await timeOfAging(directory, now)).toBe(START);
    expect(await timeOfAging(directory, START + DAY)).toBe(START + DAY);
    // Nothing is known of that leap any more.
    expect(await timeOfAging(directory, ahead + 24 * HOUR)).toBe(START + DAY);
  });

  test('moves on when a clock that has leapt goes on for a day: the container did not run for so long', async () => {
    const later = START + 60 * DAY;
    expect(await timeOfAging(directory, later)).toBe(START);
    expect(await timeOfAging(directory, later + DAY)).toBe(later + DAY);
    expect(await timeOfAging(directory, later + DAY + HOUR)).toBe(later + DAY + HOUR);
  });

  test('stays where it was when a clock leaps again and again', async () => {
    for (const days of [100, 200, 300, 150])
      expect(await timeOfAging(directory, START + days * DAY)).toBe(START);
  });
});
