import type { RecordedEntry } from './access-entry.js';

/** Which entries are asked for; all conditions hold. */
export interface AccessFilter {
  readonly record?: string | undefined;
  /** A user of the container, or an account of the operating system. */
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number | undefined;
  readonly newestFirst?: boolean | undefined;
  /** How many at most. */
  readonly limit?: number | undefined;
}

/** What entries are found by: the name of a filter, and the values of an entry that it finds. */
const keys = {
  record: (entry: RecordedEntry) => [entry.record],
  user: (entry: RecordedEntry) => [entry.user, entry.account, entry.onBehalfOf],
  app: (entry: RecordedEntry) => [entry.app],
} as const;

// A record has the fewest entries, an app the most.
const names = ['record', 'user', 'app'] as const;

/** The keys under which an entry stands in the index. */
export function keysOf(entry: RecordedEntry): string[] {
  return names.flatMap((name) =>
    [...new Set(keys[name](entry))].flatMap((value) => (value === undefined ? [] : `${name} ${value}`)),
  );
}

/** The key that finds the fewest entries, of which the filter then chooses; undefined where it has none. */
export function narrowestKey(filter: AccessFilter): string | undefined {
  const name = names.find((each) => filter[each] !== undefined);
  return name && `${name} ${filter[name]}`;
}

/** Whether an entry is asked for. */
export function isAskedFor(entry: RecordedEntry, filter: AccessFilter): boolean {
  const { since } = filter;
  if (since !== undefined && Date.parse(entry.time) < since) return false;
  return names.every((name) => filter[name] === undefined || keys[name](entry).includes(filter[name]));
}
