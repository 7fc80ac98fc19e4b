/**
 * Every table of the environment and what its keys are. A new table may be added at any time: an old directory gets
 * it when it is next opened. `transient` tables matter to running processes only and are not part of a backup.
 */
export const tables = {
  meta: { keys: 'name: format, epoch, sequence' },
  graphs: { keys: 'path of the graph', text: true },
  changes: { keys: 'number of the change', transient: true },
  revisions: { keys: 'path, with a slash at its end' },
  apps: { keys: 'app id' },
  users: { keys: 'user id' },
  tokens: { keys: 'oauth token' },
  requests: { keys: 'request token' },
  consents: { keys: 'user, app and record' },
  sessions: { keys: 'session id' },
  factors: { keys: 'user id' },
  signIns: { keys: 'kind and keyed digest', transient: true },
  idempotency: { keys: 'caller and key' },
  serving: { keys: 'the one key: holder', transient: true },
} as const satisfies Record<string, { keys: string; text?: true; transient?: true }>;

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as TableName[];

/** Whether the values of a table are plain text, kept compressed; all others are structured values. */
export function holdsText(table: TableName): boolean {
  return 'text' in tables[table];
}

/** The tables that a backup holds. */
export const keptTables: readonly TableName[] = tableNames.filter((table) => !('transient' in tables[table]));
