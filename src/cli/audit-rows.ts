import type { RecordedEntry } from '../access-log/access-entry.js';

/** What is printed of an entry, by the names and in the order of the columns: what is asked for most first. */
const cells = {
  time: ({ time }) => time,
  // On the command line it is an account of the operating system that acts, and a user whom the command is about.
  actor: ({ account, user }) => account ?? user,
  app: ({ app }) => app,
  action: ({ action }) => action,
  call: ({ call }) => call,
  resource: ({ resource }) => resource,
  record: ({ record }) => record,
  purpose: ({ purpose }) => purpose,
  outcome: ({ outcome }) => outcome,
  revision: ({ revision }) => revision,
  number: ({ number }) => number,
  user: ({ user }) => user,
  on_behalf_of: ({ onBehalfOf }) => onBehalfOf,
  token_id: ({ tokenId }) => tokenId,
  address: ({ address }) => address,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  request_id: ({ requestId }) => requestId,
  dropped: ({ dropped }) => dropped?.through,
  level: ({ level }) => level,
  to: ({ to }) => to,
  rows: ({ rows }) => rows,
  milliseconds: ({ milliseconds }) => milliseconds,
  query: ({ query }) => query,
} as const satisfies Record<string, (entry: RecordedEntry) => string | number | undefined>;

type Column = keyof typeof cells;

/** All columns, in their order. */
export const auditColumns = Object.keys(cells) as Column[];

/** The columns that people see in a table. */
export const shownColumns: readonly Column[] = [
  'time',
  'actor',
  'app',
  'action',
  'record',
  'resource',
  'outcome',
  'status',
  'address',
  'purpose',
];

/** An entry as an object, null where there is nothing. */
export function auditRow(entry: RecordedEntry): Record<string, string | number | null> {
  return Object.fromEntries(auditColumns.map((name) => [name, cells[name](entry) ?? null]));
}

/** An entry as a row of some columns. */
export function cellsOf(entry: RecordedEntry, columns: readonly Column[]): string[] {
  return columns.map((name) => String(cells[name](entry) ?? ''));
}
