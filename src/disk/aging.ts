import type { DataDirectory } from './data-directory.js';

const DAY = 24 * 60 * 60 * 1000;
/** How far a clock may have moved on since it was last looked at, which is every ten minutes where a container runs. */
const LEAP = 7 * DAY;
/** How long a clock that has leapt must go on before it is believed. */
const PROBATION = DAY;
/** How often the time is written down, so that looking at it is not a write each time. */
const NOTED_EVERY = DAY / 24;

interface Believed {
  /** Milliseconds since 1970, as all times here. */
  readonly at: number;
  /** What the clock said first after a leap. */
  readonly leapt?: number | undefined;
}

/**
 * The time by which things are removed for their age. What a clock that is a year ahead makes old cannot be brought back when
 * it is set right, so one that has leapt is believed a day later; until then it is the time of before.
 * @param now what the clock says, in milliseconds since 1970
 */
export async function timeOfAging(directory: DataDirectory, now: number): Promise<number> {
  const before = directory.read((tx) => tx.get('meta', 'aging') as Believed | undefined);
  const next = believed(before, now);
  const isNoted = before && before.leapt === next.leapt && Math.abs(next.at - before.at) < NOTED_EVERY;
  if (!isNoted) await directory.transact((tx) => tx.put('meta', 'aging', next));
  return next.at;
}

function believed(before: Believed | undefined, now: number): Believed {
  if (!before || now <= before.at + LEAP) return { at: now };
  const { at, leapt } = before;
  // The first time, or another leap.
  if (leapt === undefined || now < leapt || now > leapt + PROBATION + LEAP) return { at, leapt: now };
  return now < leapt + PROBATION ? { at, leapt } : { at: now };
}
