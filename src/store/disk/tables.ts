/**
 * The tables and their keys. New tables appear in an old directory when it is opened. Values are sealed
 * (docs/decisions/008-sealed-values.md) except in `clear` tables, whose values reveal no more than their keys. Keys are
 * never sealed, so they hold nothing personal but ids. Backups leave out `transient` tables.
 */
export const tables = {
  meta: {
    keys: 'name: format, epoch, sequence, keys, history, search, searchLists, unservedExamples',
    clear: true,
  },
  graphs: { keys: 'path of the graph', text: true },
  changes: { keys: 'number of the last change of a transaction', transient: true, clear: true },
  revisions: { keys: 'path, with a slash at its end', clear: true },
  /** Former texts of graphs; empty if the graph did not exist. */
  history: { keys: 'path of the graph, a space, number of the change that ended it', text: true },
  moments: { keys: 'number of the change' },
  /** The keys by which searches find graphs, per graph and in order. */
  searchRows: { keys: 'path of the graph', text: true, transient: true },
  searchNodes: { keys: 'number of the node', text: true, transient: true },
  /** What is known of FHIR resources: the version, and in which records their statements are. */
  fhirResources: { keys: 'type and id of the resource' },
  /** Which FHIR resources refer to what has not come yet. */
  fhirWaiting: {
    keys: 'type and id of the resource; digest of what it waits for, a space, type and id of the resource',
  },
  /** What is known of those that were loaded before 0.29. */
  fhirHomes: { keys: 'type and id of the resource', clear: true },
  /** FHIR resources of statements whose names do not show them. */
  fhirOrigins: { keys: 'path of the statement' },
  apps: { keys: 'app id' },
  users: { keys: 'user id' },
  /** Names of users who were removed: the access log has ids alone. */
  removedUsers: { keys: 'user id, a space, when they were removed' },
  /** Whom an identity provider knows as which user. */
  identities: { keys: 'keyed digest of issuer and subject, or of a practitioner' },
  tokens: { keys: 'keyed digest of the token' },
  /** Tokens of an app, a user or a record; derived from `tokens`. */
  tokenIndex: {
    keys: 'app, user or record, a space, its id, a space, keyed digest of the token',
    transient: true,
    clear: true,
  },
  /** Sessions, requests and grants of an app, a user or a record; derived from those. */
  ownerIndex: {
    keys: 'sessions, requests or grants, app, user or record, its id, key of the row, with spaces between',
    transient: true,
    clear: true,
  },
  /** In which records the data says that a practitioner cares for the patient; made from the records. */
  care: {
    keys: 'digest; record, a space, record id; keyed digest of the practitioner, a space, record id',
    transient: true,
  },
  /** Access that people were told an app needs when they gave it tokens. */
  allowances: { keys: 'app id, a space, digest of what it was allowed' },
  analystTokens: { keys: 'keyed digest of the token' },
  savedQueries: { keys: 'user id, a space, id of the query' },
  requests: { keys: 'request token' },
  /** What people allowed apps by SMART App Launch. */
  grants: { keys: 'grant id' },
  /** What a launch by SMART leaves behind for minutes. */
  smart: { keys: 'kind, a space, keyed digest of the id', transient: true },
  consents: { keys: 'user, app and record' },
  /** Classes of records that are closed, and to whom. */
  closed: { keys: 'record, a space, keyed digest of class and whom it is closed to' },
  subscriptions: { keys: 'record, a dot, id of the subscription' },
  /** Exports for apps; their files last a day. */
  exports: { keys: 'export id', transient: true },
  sessions: { keys: 'session id' },
  factors: { keys: 'user id' },
  signIns: { keys: 'kind and keyed digest', transient: true },
  posted: { keys: 'record and app', transient: true },
  idempotency: { keys: 'caller and key' },
  /** Tasks that one gateway does for all, and until when. */
  leases: { keys: 'name', transient: true },
  /** The position of this copy of a shared store. */
  copy: { keys: 'name: state, sequence, commit', transient: true, clear: true },
} as const satisfies Record<string, { keys: string; text?: true; transient?: true; clear?: true }>;

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as TableName[];

export function holdsText(table: TableName): boolean {
  return 'text' in tables[table];
}

/** Tables of records; in the clear when a directory seals only accounts. */
export function holdsRecords(table: TableName): boolean {
  return table === 'moments' || holdsText(table);
}

export function isSealed(table: TableName): boolean {
  return !('clear' in tables[table]);
}

export const keptTables: readonly TableName[] = tableNames.filter((table) => !('transient' in tables[table]));

export const searchTables = ['searchRows', 'searchNodes'] as const satisfies readonly TableName[];
