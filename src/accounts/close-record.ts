import type { WriteTx } from '../disk/data-directory.js';
import { endExportsWith } from './bulk-exports.js';
import { removeApproved } from './request-tokens.js';
import { revokeTokens } from './tokens.js';
import { takeRecord } from './users.js';

/** How many could open a record. */
export interface ClosedRecord {
  /** Tokens of apps that are revoked now. */
  readonly tokens: number;
  /** Users whom it was given to. */
  readonly users: number;
  /** Exports for apps that it may be in. */
  readonly exports: number;
}

/**
 * Ends all access to a record, in a transaction that the caller has: whoever gets its id next is opened to nobody.
 * @param now milliseconds since 1970
 */
export function closeRecord(tx: WriteTx, record: string, now = Date.now()): ClosedRecord {
  removeApproved(tx, (approved) => approved.record === record);
  return {
    tokens: revokeTokens(tx, { record }),
    users: takeRecord(tx, record),
    exports: endExportsWith(tx, record, now),
  };
}
