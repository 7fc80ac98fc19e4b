import { isDeepStrictEqual } from 'node:util';
import type { ReadTx, WriteTx } from '../disk/data-directory.js';
import { revisionOf } from '../store/change-log.js';

/** Of which resource of FHIR a statement was made, and the number of the change that stored it. */
interface Origin {
  readonly resource: string;
  readonly revision: number;
}

const TABLE = 'fhirOrigins';

/** The type and id of the resource that the statement at a path was made of; undefined where something else wrote it. */
export function originOf(tx: ReadTx, path: string): string | undefined {
  const origin = tx.get(TABLE, path) as Origin | undefined;
  return origin?.revision === revisionOf(tx, path) ? origin.resource : undefined;
}

/** Enters the resource of a statement in the transaction that has stored it; a load that is repeated costs no write. */
export function enterOrigin(tx: WriteTx, path: string, resource: string): void {
  const origin: Origin = { resource, revision: revisionOf(tx, path) };
  if (!isDeepStrictEqual(tx.get(TABLE, path), origin)) tx.put(TABLE, path, origin);
}

/** Forgets the resources of all statements at or below a path. */
export function forgetOrigins(tx: WriteTx, path: string): void {
  tx.remove(TABLE, path);
  for (const { key } of tx.range(TABLE, { prefix: `${path}/`, values: false })) tx.remove(TABLE, key);
}
