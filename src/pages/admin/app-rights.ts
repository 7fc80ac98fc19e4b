import type { AppManifest } from '../../access/accounts/manifest.js';
import { permissionsOf } from '../../access/oauth/listed-calls.js';
import { uncapital } from '../../http/html/readable.js';
import type { Ontology } from '../../model/ontology/model.js';

export const EVERYTHING = 'See everything in the record';

/** Says of somebody else what the page of consent says to them. */
const ofThePerson = (words: string): string =>
  words.replaceAll(/\byour\b/gu, 'the person’s').replaceAll(/\byou\b/gu, 'the person');

/** Returns what an app may do in a record that lets it in, for somebody whose record it is not. */
export function appRights(
  ontology: Ontology,
  manifest: AppManifest,
): { readonly readsAll: boolean; readonly reads: readonly string[]; readonly writes: readonly string[] } {
  const { readsAll, reads, writes } = permissionsOf(ontology, manifest);
  return { readsAll, reads: reads.map(ofThePerson), writes: writes.map(ofThePerson) };
}

/** Returns the same as part of a sentence: "see lab results; add notes to the record". */
export function appRightsInWords(ontology: Ontology, manifest: AppManifest): string {
  const { readsAll, reads, writes } = appRights(ontology, manifest);
  return [...(readsAll ? [EVERYTHING] : reads), ...writes].map(uncapital).join('; ');
}
