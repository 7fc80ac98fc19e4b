import type { DataDirectory } from './data-directory.js';

/**
 * Tells whether an expiry lies ahead. One further away than `longest` was set by a clock that ran ahead, and counts as
 * over.
 * @param longest maximum milliseconds of validity, with tolerance for clock differences
 */
export function liesAhead(until: number, now: number, longest: number): boolean {
  return until > now && until <= now + longest;
}

const DAY = 24 * 60 * 60 * 1000;
/** How far a clock may plausibly move between two checks; a running container checks every ten minutes. */
const LEAP = 7 * DAY;
/** How long a clock that jumped ahead must run on before it is trusted. */
const PROBATION = DAY;
const NOTED_EVERY = DAY / 24;

interface TrustedTime {
  readonly at: number;
  readonly leapt?: number | undefined;
}

/**
 * Returns the time by which things are removed for their age. A clock that jumps ahead is trusted a day later, since
 * removed data cannot be brought back.
 * @param now milliseconds since 1970, like all times here
 */
export async function timeOfAging(directory: DataDirectory, now: number): Promise<number> {
  const before = directory.read((tx) => tx.get('meta', 'aging') as TrustedTime | undefined);
  const next = trustedTime(before, now);
  const isNoted = before && before.leapt === next.leapt && Math.abs(next.at - before.at) < NOTED_EVERY;
  if (!isNoted) await directory.transact((tx) => tx.put('meta', 'aging', next));
  return next.at;
}

function trustedTime(before: TrustedTime | undefined, now: number): TrustedTime {
  if (!before || now <= before.at + LEAP) return { at: now };
  const { at, leapt } = before;
  if (leapt === undefined || now < leapt || now > leapt + PROBATION + LEAP) return { at, leapt: now };
  return now < leapt + PROBATION ? { at, leapt } : { at: now };
}
