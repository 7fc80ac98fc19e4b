import { closeRecord, type ClosedRecord } from '../accounts/close-record.js';
import { forgetRevisions } from '../store/change-log.js';
import { purgeHistory } from '../store/sweep-history.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { forgetAnswers } from './posted/idempotency.js';
import { recordPart } from './record-partition.js';
import { forgetHomes } from './resource-homes.js';
import { isKeptByApp, recordIri } from './resource-paths.js';
import { forgetOrigins } from './statement-origins.js';

/** What was there of a record that is removed. */
export interface RemovedRecord extends ClosedRecord {
  /** Whether there was the record, or a history of it that is purged. */
  readonly existed: boolean;
}

/**
 * Removes a record with everything beneath it (its statements, the scratchpads of apps) and all access to it, in one
 * change.
 * @param purges whether what the history holds of it goes, too, and the names of what was in it, also of one that was
 * removed before
 */
export async function removeRecord(
  primary: PrimaryStore,
  base: string,
  recordId: string,
  purges = false,
): Promise<RemovedRecord> {
  const iri = recordIri(base, recordId);
  let existed = primary.has(iri);
  let closed: ClosedRecord = { tokens: 0, users: 0, exports: 0 };
  const part = recordPart(recordId);
  const isUnkept = purges || isKeptByApp;
  await primary.write({ remove: [iri], removeUnder: [`${iri}/`], isUnkept }, (tx) => {
    closed = closeRecord(tx, recordId);
    forgetAnswers(tx, part);
    forgetOrigins(tx, part);
    if (!purges) return;
    if (purgeHistory(tx, part) > 0) existed = true;
    forgetRevisions(tx, part);
  });
  if (purges) await forgetHomes(primary.directory, recordId);
  return { ...closed, existed };
}
