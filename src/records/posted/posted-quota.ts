import type { ReadTx, WriteTx } from '../../disk/data-directory.js';
import { Problem } from '../../problem.js';

/** What one app may post to one record in a day (UTC), in bytes, where no setting says otherwise. */
export const POST_QUOTA = 64 * 1024 * 1024;
/** Every statement counts as so many bytes at least: a small one takes room, too. */
const LEAST = 1024;

const DAY = 24 * 60 * 60 * 1000;

/** A statement that is to be counted. */
export interface Counted {
  readonly app: string;
  readonly record: string;
  /** Of its body. */
  readonly bytes: number;
  /** Bytes in a day. */
  readonly quota: number;
}

interface Posted {
  /** Days since 1970. */
  readonly day: number;
  readonly bytes: number;
}

/** @throws Problem too-many-requests when an app has posted so much to a record today that a body is beyond its quota */
export function requireQuota(tx: ReadTx, { app, record, bytes, quota }: Counted, now: number): void {
  if (postedToday(tx, { app, record }, now) + Math.max(LEAST, bytes) <= quota) return;
  const seconds = Math.ceil((DAY - (now % DAY)) / 1000);
  throw new Problem(
    'too-many-requests',
    'The app has posted as much to this record today as it may; go on after midnight UTC.',
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/**
 * Counts a body in the transaction that stores its statement.
 * @throws Problem as `requireQuota`
 */
export function countPosted(tx: WriteTx, counted: Counted, now: number): void {
  requireQuota(tx, counted, now);
  const bytes = postedToday(tx, counted, now) + Math.max(LEAST, counted.bytes);
  tx.put('posted', keyOf(counted), { day: Math.floor(now / DAY), bytes } satisfies Posted);
}

function postedToday(tx: ReadTx, owner: Pick<Counted, 'app' | 'record'>, now: number): number {
  const found = tx.get('posted', keyOf(owner)) as Posted | undefined;
  return found?.day === Math.floor(now / DAY) ? found.bytes : 0;
}

const keyOf = ({ app, record }: Pick<Counted, 'app' | 'record'>): string => `${record} ${app}`;
