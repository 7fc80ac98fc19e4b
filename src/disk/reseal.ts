import type { Database } from 'lmdb';
import type { SealedValues } from './sealed-values.js';
import type { TableName } from './tables.js';
import type { Key, WriteTx } from './transaction.js';

/** What one transaction takes on: short enough that other writers hardly wait. */
const MOST_ENTRIES = 500;
const MOST_BYTES = 1 << 20;

/** How far a step came; `last` undefined at the end of the table. */
export interface ResealStep {
  readonly looked: number;
  readonly last: Key | undefined;
}

/**
 * Seals some values of a table with the current data key, those after a key, inside a transaction.
 * @param table of the environment, where values are as they are stored
 */
export function resealSome(
  tx: WriteTx,
  table: Database,
  name: TableName,
  values: SealedValues,
  after: Key | undefined,
): ResealStep {
  let bytes = 0;
  let looked = 0;
  let last: Key | undefined;
  const stale: Key[] = [];
  const from = after === undefined ? {} : { start: after, exclusiveStart: true };
  for (const { key, value } of table.getRange({ ...from, limit: MOST_ENTRIES })) {
    last = key as Key;
    looked++;
    if (values.isCurrent(value as Buffer, name)) continue;
    stale.push(last);
    bytes += (value as Buffer).length;
    if (bytes > MOST_BYTES) break;
  }
  for (const key of stale) {
    // Others whose work shares the transaction may have written or removed it.
    const content = tx.bytes(name, key);
    if (content) tx.putBytes(name, key, content);
  }
  return { looked, last: bytes > MOST_BYTES || looked === MOST_ENTRIES ? last : undefined };
}
