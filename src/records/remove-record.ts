import { closeRecord, type ClosedRecord } from '../accounts/close-record.js';
import { forgetRevisions } from '../store/change-log.js';
import { purgeHistory } from '../store/sweep-history.js';
import type { DataDirectory } from '../disk/data-directory.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { forgetAnswers } from './posted/idempotency.js';
import { recordPart } from './record-partition.js';
import { isKeptByApp, recordIri } from './resource-paths.js';

/** So many entries are forgotten in one transaction. */
const AT_ONCE = 2000;
type Home = readonly [recordId: string, ...rest: unknown[]];

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
    if (!purges) return;
    if (purgeHistory(tx, part) > 0) existed = true;
    forgetRevisions(tx, part);
  });
  if (purges) await forgetHomes(primary.directory, recordId);
  return { ...closed, existed };
}

/**
 * Forgets that statements of resources of FHIR stood in a record (`fhir/moved-resources.ts` enters it). All are looked
 * through, which may take seconds, so no write waits for it.
 */
async function forgetHomes(directory: DataDirectory, recordId: string): Promise<void> {
  const isHome = ([home]: Home): boolean => home === recordId;
  const keys = directory.read((tx) => {
    const found: string[] = [];
    for (const { key, value } of tx.range('fhirHomes'))
      if ((value as readonly Home[]).some(isHome)) found.push(String(key));
    return found;
  });
  for (let start = 0; start < keys.length; start += AT_ONCE)
    await directory.transact((tx) => {
      for (const key of keys.slice(start, start + AT_ONCE)) {
        const homes = (tx.get('fhirHomes', key) ?? []) as readonly Home[];
        const left = homes.filter((home) => !isHome(home));
        if (left.length === 0) tx.remove('fhirHomes', key);
        else tx.put('fhirHomes', key, left);
      }
    });
}
