import type { RecordedEntry } from '../access-log/access-entry.js';

/** An entry as it is printed: what is asked for most first, null where there is nothing. */
export function auditRow(entry: RecordedEntry) {
  return {
    time: entry.time,
    // On the command line it is an account of the operating system that acts, and a user whom the command is about.
    actor: entry.account ?? entry.user ?? null,
    app: entry.app ?? null,
    action: entry.action,
    call: entry.call ?? null,
    resource: entry.resource ?? null,
    record: entry.record ?? null,
    purpose: entry.purpose ?? null,
    outcome: entry.outcome,
    revision: entry.revision ?? null,
    number: entry.number,
    user: entry.user ?? null,
    on_behalf_of: entry.onBehalfOf ?? null,
    token_id: entry.tokenId ?? null,
    address: entry.address ?? null,
    status: entry.status ?? null,
    reason: entry.reason ?? null,
    request_id: entry.requestId ?? null,
    dropped: entry.dropped?.through ?? null,
    level: entry.level ?? null,
    to: entry.to ?? null,
    rows: entry.rows ?? null,
    milliseconds: entry.milliseconds ?? null,
    query: entry.query ?? null,
  };
}

export type AuditRow = ReturnType<typeof auditRow>;

/** The columns of CSV, in their order. */
export const auditColumns = [
  'time',
  'actor',
  'app',
  'action',
  'call',
  'resource',
  'record',
  'purpose',
  'outcome',
  'revision',
  'number',
  'user',
  'on_behalf_of',
  'token_id',
  'address',
  'status',
  'reason',
  'request_id',
  'dropped',
  'level',
  'to',
  'rows',
  'milliseconds',
  'query',
] as const satisfies readonly (keyof AuditRow)[];

/** The columns that people see in a table. */
export const shownColumns = [
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
] as const satisfies readonly (keyof AuditRow)[];

/** The cells of a row. */
export function cellsOf(row: AuditRow, columns: readonly (keyof AuditRow)[]): string[] {
  return columns.map((name) => String(row[name] ?? ''));
}
