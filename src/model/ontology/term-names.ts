import { knownPrefixes, setPrefixes } from '../../rdf/known-prefixes.js';
import { prefixes } from '../../rdf/vocabulary.js';

/** Returns the part after the last `#` or `/` of an IRI; the whole IRI if that is empty. */
export function localName(iri: string): string {
  return /[^#/]+$/.exec(iri)?.[0] ?? iri;
}

/** Cached short names: validation asks for the same few terms at every value. */
const known = new Map<string, string>();
/** Limits the cache, because data keeps adding new and long IRIs. */
const MAX_KNOWN = 4096;
const MAX_KNOWN_LENGTH = 256;

/** Makes the prefixes of an ontology known to all names that this process writes and reads. */
export function knowPrefixes(more: Readonly<Record<string, string>>): void {
  setPrefixes(more);
  known.clear();
}

/** Shortens an IRI to `prefix:local` for people, if a known prefix fits. */
export function shortName(iri: string): string {
  let name = known.get(iri);
  if (name === undefined) {
    name = shortened(iri, knownPrefixes);
    if (known.size >= MAX_KNOWN) known.clear();
    if (iri.length <= MAX_KNOWN_LENGTH) known.set(iri, name);
  }
  return name;
}

/** Shortens an IRI by the shared table alone, for readers that know no other prefixes. */
export const sharedName = (iri: string): string => shortened(iri, prefixes);

function shortened(iri: string, table: Readonly<Record<string, string>>): string {
  let best: [string, string] | undefined;
  for (const [prefix, namespace] of Object.entries(table)) {
    if (iri.startsWith(namespace) && namespace.length > (best?.[1].length ?? 0)) best = [prefix, namespace];
  }
  return best ? `${best[0]}:${iri.slice(best[1].length)}` : iri;
}

/** Expands a prefixed name by the known prefixes; undefined for any other text. */
export function expandName(name: string): string | undefined {
  const colon = name.indexOf(':');
  const namespace = knownPrefixes[name.slice(0, Math.max(colon, 0))];
  return colon > 0 && namespace !== undefined ? namespace + name.slice(colon + 1) : undefined;
}
