import { purgeHistory } from '../store/sweep-history.js';
import type { PrimaryStore } from '../store/primary-store.js';
import { recordPart } from './record-partition.js';
import { recordIri } from './resource-paths.js';

/**
 * Removes a record with everything beneath it (its statements, the scratchpads of apps) in one change. Tokens for
 * it are left: they open a record that is not there.
 * @param purges whether what the history holds of it goes, too, also of one that was removed before
 * @returns whether there was anything to remove
 */
export async function removeRecord(
  primary: PrimaryStore,
  base: string,
  recordId: string,
  purges = false,
): Promise<boolean> {
  const iri = recordIri(base, recordId);
  const existed = primary.has(iri);
  const change = { remove: [iri], removeUnder: [`${iri}/`] };
  if (!purges) {
    await primary.write(change);
    return existed;
  }
  let purged = 0;
  await primary.write({ ...change, isUnkept: true }, (tx) => {
    purged = purgeHistory(tx, recordPart(recordId));
  });
  return existed || purged > 0;
}
