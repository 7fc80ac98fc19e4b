import type { PrimaryStore } from '../store/primary-store.js';
import { recordIri } from './resource-paths.js';

/**
 * Removes a record with everything beneath it (its statements, the scratchpads of apps) in one change. Tokens for
 * it are left: they open a record that is not there.
 * @returns whether there was such a record
 */
export async function removeRecord(primary: PrimaryStore, base: string, recordId: string): Promise<boolean> {
  const iri = recordIri(base, recordId);
  const existed = primary.has(iri);
  await primary.write({ remove: [iri], removeUnder: [`${iri}/`] });
  return existed;
}
