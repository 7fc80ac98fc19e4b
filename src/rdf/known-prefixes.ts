import { prefixes } from './vocabulary.js';

/**
 * Prefix → namespace: the shared table, and what the layers of this process's ontology declare. A process serves one
 * ontology, and names are written in too many places to hand it to each.
 */
export const knownPrefixes: Record<string, string> = { ...prefixes };

/** Adds prefixes to the shared table, in the place of those added before. */
export function setPrefixes(more: Readonly<Record<string, string>>): void {
  for (const prefix of Object.keys(knownPrefixes)) Reflect.deleteProperty(knownPrefixes, prefix);
  // The shared ones keep their namespaces and come first, since of equals the first is used.
  Object.assign(knownPrefixes, prefixes, more, prefixes);
}
