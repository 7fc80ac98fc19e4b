/**
 * Every table of the environment and what its keys are. A new table may be added at any time: an old directory gets
 * it when it is next opened. Values are sealed (docs/decisions/008-sealed-values.md) unless a table is `clear`, which one
 * is whose values say nothing of anybody, or nothing that keys do not. Keys are never sealed: put nothing of a person
 * into them but ids. `transient` tables matter to running processes only and are not part of a backup.
 */
export const tables = {
  meta: { keys: 'name: format, epoch, sequence, keys, history, search, searchLists', clear: true },
  graphs: { keys: 'path of the graph', text: true },
  changes: { keys: 'number of the last change of a transaction', transient: true, clear: true },
  revisions: { keys: 'path, with a slash at its end', clear: true },
  /** What graphs said before they changed; an empty text where there was none. */
  history: { keys: 'path of the graph, a space, number of the change that ended it', text: true },
  moments: { keys: 'number of the change' },
  /** What searches find graphs by: the keys of each graph that can be searched for, and all of them in order. */
  searchRows: { keys: 'path of the graph', text: true, transient: true },
  searchNodes: { keys: 'number of the node', text: true, transient: true },
  /** In which records the statements of FHIR resources stand. */
  fhirHomes: { keys: 'type and id of the resource', clear: true },
  /** Of which FHIR resources statements are whose names do not tell. */
  fhirOrigins: { keys: 'path of the statement' },
  apps: { keys: 'app id' },
  users: { keys: 'user id' },
  tokens: { keys: 'keyed digest of the token' },
  /** Which tokens an app, a user or a record has; made of the tokens, so a backup needs none. */
  tokenIndex: {
    keys: 'app, user or record, a space, its id, a space, keyed digest of the token',
    transient: true,
    clear: true,
  },
  /** What people were shown that an app needs, when they gave it tokens. */
  allowances: { keys: 'app id, a space, digest of what it was allowed' },
  analystTokens: { keys: 'keyed digest of the token' },
  savedQueries: { keys: 'user id, a space, id of the query' },
  requests: { keys: 'request token' },
  consents: { keys: 'user, app and record' },
  subscriptions: { keys: 'record, a dot, id of the subscription' },
  /** Exports for apps; their files are for a day, and no part of a backup makes sense without them. */
  exports: { keys: 'export id', transient: true },
  sessions: { keys: 'session id' },
  factors: { keys: 'user id' },
  signIns: { keys: 'kind and keyed digest', transient: true },
  posted: { keys: 'record and app', transient: true },
  idempotency: { keys: 'caller and key' },
  /** What one gateway does for all of them, and until when. */
  leases: { keys: 'name', transient: true },
  /** Where the copy of a shared store stands. */
  copy: { keys: 'name: state, sequence, commit', transient: true, clear: true },
  /** Who serves, up to version 0.2. */
  serving: { keys: 'the one key: holder', transient: true, clear: true },
} as const satisfies Record<string, { keys: string; text?: true; transient?: true; clear?: true }>;

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as TableName[];

/** Whether the values of a table are plain text; all others are structured values. */
export function holdsText(table: TableName): boolean {
  return 'text' in tables[table];
}

/** The tables of what records say; where a directory seals accounts alone, their values are in the clear. */
export function holdsRecords(table: TableName): boolean {
  return table === 'moments' || holdsText(table);
}

/** Whether the values of a table are sealed. */
export function isSealed(table: TableName): boolean {
  return !('clear' in tables[table]);
}

/** The tables that a backup holds. */
export const keptTables: readonly TableName[] = tableNames.filter((table) => !('transient' in tables[table]));

/** The tables that searches read, which are made of graphs. */
export const searchTables = ['searchRows', 'searchNodes'] as const satisfies readonly TableName[];
