import type { Truth } from '../store/truth.js';
import { recordIri } from './places.js';

/**
 * Removes a record with everything beneath it (its statements, the scratchpads of apps) in one change. Tokens for
 * it are left: they open a record that is not there.
 * @returns whether there was such a record
 */
export async function removeRecord(truth: Truth, base: string, recordId: string): Promise<boolean> {
  const iri = recordIri(base, recordId);
  const existed = truth.has(iri);
  await truth.write({ remove: [iri], removeUnder: [`${iri}/`] });
  return existed;
}
