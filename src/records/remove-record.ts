import { type ClosedRecord, closeRecord } from '../access/accounts/accounts.js';
import { forgetRevisions } from '../store/change-log.js';
import { purgeHistory } from '../store/sweep-history.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { forgetAnswers } from './posted/idempotency.js';
import { recordPart } from './record-partition.js';
import { forgetKnown, forgetOrigins } from './statement-origins.js';
import { isKeptByApp, recordIri } from './resource-paths.js';

export interface RemovedRecord extends ClosedRecord {
  readonly existed: boolean;
}

/** Removes a record and all access to it, in one change. @param purges also removes its history */
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
  if (purges) await forgetKnown(primary.directory, recordId);
  return { ...closed, existed };
}
