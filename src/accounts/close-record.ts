import type { WriteTx } from '../disk/data-directory.js';
import { removeApproved } from './request-tokens.js';
import { revokeTokens } from './tokens.js';
import { takeRecord } from './users.js';

/** How many could open a record. */
export interface ClosedRecord {
  /** Tokens of apps that are revoked now. */
  readonly tokens: number;
  /** Users whom it was given to. */
  readonly users: number;
}

/** Ends all access to a record, in a transaction that the caller has: whoever gets its id next is opened to nobody. */
export function closeRecord(tx: WriteTx, record: string): ClosedRecord {
  removeApproved(tx, (approved) => approved.record === record);
  return { tokens: revokeTokens(tx, { record }), users: takeRecord(tx, record) };
}
