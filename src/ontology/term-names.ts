import { prefixes } from '../rdf/vocabulary.js';

/** What follows the last `#` or `/` of an IRI; the whole IRI where nothing does. */
export function localName(iri: string): string {
  return /[^#/]+$/.exec(iri)?.[0] ?? iri;
}

/** Short names of IRIs: validation asks for those of the same few terms at every value that it looks at. */
const known = new Map<string, string>();
/** Data makes up ever new IRIs, long ones too. */
const MOST_KNOWN = 4096;
const LONGEST_KNOWN = 256;

/** `prefix:local` for people to read where a prefix of the one table fits, else the IRI itself. */
export function shortName(iri: string): string {
  let name = known.get(iri);
  if (name === undefined) {
    name = shortened(iri);
    if (known.size >= MOST_KNOWN) known.clear();
    if (iri.length <= LONGEST_KNOWN) known.set(iri, name);
  }
  return name;
}

function shortened(iri: string): string {
  let best: [string, string] | undefined;
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    if (iri.startsWith(namespace) && namespace.length > (best?.[1].length ?? 0)) best = [prefix, namespace];
  }
  return best ? `${best[0]}:${iri.slice(best[1].length)}` : iri;
}

/** The IRI of a prefixed name, by the one table of prefixes; undefined for any other text. */
export function expandName(name: string): string | undefined {
  const colon = name.indexOf(':');
  const namespace = (prefixes as Record<string, string>)[name.slice(0, Math.max(colon, 0))];
  return colon > 0 && namespace !== undefined ? namespace + name.slice(colon + 1) : undefined;
}
