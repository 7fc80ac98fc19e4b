import { describe, expect, it } from 'vitest';
import { countPosted, requireQuota, type Counted } from '../../src/records/posted/post-statement.js';
import { place } from './support.js';

const KB = 1024;
const DAY = 24 * 60 * 60 * 1000;
/** An hour before midnight. */
const LATE = 20_000 * DAY - 60 * 60 * 1000;
const counted = (more: Partial<Counted> = {}): Counted => ({
  app: 'a',
  record: '1',
  bytes: 4 * KB,
  quota: 10 * KB,
  ...more,
});

describe('what an app may post to a record in a day', () => {
  it('ends at the quota, says when it begins anew, and does', async () => {
    const { directory } = await place();
    const post = (now: number, more?: Partial<Counted>) =>
      directory.transact((tx) => countPosted(tx, counted(more), now));
    await post(LATE);
    await post(LATE);
    await expect(post(LATE)).rejects.toMatchObject({ status: 429, headers: { 'Retry-After': '3600' } });
    expect(() => directory.read((tx) => requireQuota(tx, counted(), LATE))).toThrow(/midnight UTC\.$/u);
    // What is smaller still fits, and what is of another app or another record was not counted.
    await post(LATE, { bytes: 2 * KB });
    await post(LATE, { app: 'b' });
    await post(LATE, { record: '2' });
    await post(LATE + 60 * 60 * 1000);
  });

  it('counts small statements as a kilobyte', async () => {
    const { directory } = await place();
    const post = () => directory.transact((tx) => countPosted(tx, counted({ bytes: 1 }), LATE));
    for (let count = 0; count < 10; count++) await post();
    await expect(post()).rejects.toMatchObject({ status: 429 });
  });
});
