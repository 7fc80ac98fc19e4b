import { networkOf } from '../accounts/sign-in-limits.js';
import { administratorOf, isAttempt, type RecordedEntry } from './access-entry.js';

/** What the refused requests of one kind, sender and day have in common; undefined for all else. */
export function attemptKey(entry: RecordedEntry): string | undefined {
  if (!isAttempt(entry)) return undefined;
  const { time, action, outcome, call, record, user, account, app, address } = entry;
  const sender = user ?? account ?? app ?? networkOf(address ?? '');
  return JSON.stringify([time.slice(0, 10), action, outcome, call, record, sender, app]);
}

/** Gathers entries of one key in the place of the first, with how many there are. @param most rows */
export async function gathered(
  entries: AsyncIterable<RecordedEntry> | Iterable<RecordedEntry>,
  keyOf: (entry: RecordedEntry) => string | undefined,
  most = Infinity,
): Promise<GatheredEntry[]> {
  const rows: { entry: RecordedEntry; times: number }[] = [];
  const byKey = new Map<string, (typeof rows)[number]>();
  for await (const entry of entries) {
    const key = keyOf(entry);
    const known = key === undefined ? undefined : byKey.get(key);
    if (known) known.times++;
    else if (rows.length >= most) break;
    else {
      const row = { entry, times: 1 };
      rows.push(row);
      if (key !== undefined) byKey.set(key, row);
    }
  }
  return rows;
}

export interface GatheredEntry {
  readonly entry: RecordedEntry;
  readonly times: number;
}

/** Returns the operator or administrator of an act: its user and app are then whom it is about. */
export const authorityOf = (entry: RecordedEntry): string | undefined =>
  entry.account ?? administratorOf(entry);

/** Leaves out the beginning of what has ended: it says nothing more. @param found the newest first */
export function withoutBeginnings(found: readonly GatheredEntry[]): GatheredEntry[] {
  const ends = new Map<string, number>();
  return found.filter(({ entry, times }) => {
    const key = JSON.stringify([entry.action, authorityOf(entry), entry.app]);
    const ended = ends.get(key) ?? 0;
    if (entry.outcome !== 'begun') return ends.set(key, ended + times);
    if (ended > 0) ends.set(key, ended - 1);
    return ended === 0;
  });
}
