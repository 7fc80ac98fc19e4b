import { prefixes } from '../../rdf/vocabulary.js';
import { madeOnce } from '../../rdf/made-once.js';

/** Prefix → namespace. */
export type Prefixes = Readonly<Record<string, string>>;

/** What names terms: an ontology, with the shared prefixes and those of its layers. */
export interface Naming {
  readonly prefixes: Prefixes;
}

/** Returns the part after the last `#` or `/` of an IRI; the whole IRI if that is empty. */
export function localName(iri: string): string {
  return /[^#/]+$/.exec(iri)?.[0] ?? iri;
}

/** Cached short names: validation asks for the same few terms at every value. */
const known = new Map<string, string>();
/** Limits the cache, because data keeps adding new and long IRIs. */
const MAX_KNOWN = 4096;
const MAX_KNOWN_LENGTH = 256;

/** Shortens an IRI to `prefix:local` for people, if a shared prefix fits. */
export function shortName(iri: string): string {
  let name = known.get(iri);
  if (name === undefined) {
    name = shortNameIn({ prefixes }, iri);
    if (known.size >= MAX_KNOWN) known.clear();
    if (iri.length <= MAX_KNOWN_LENGTH) known.set(iri, name);
  }
  return name;
}

/** Shortens an IRI by the prefixes of an ontology. */
export function shortNameIn({ prefixes }: Naming, iri: string): string {
  let best: [string, string] | undefined;
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    if (iri.startsWith(namespace) && namespace.length > (best?.[1].length ?? 0)) best = [prefix, namespace];
  }
  return best ? `${best[0]}:${iri.slice(best[1].length)}` : iri;
}

/** Finds IRIs of layers that stand alone in a text: not in brackets or quotation marks, nor within another IRI. */
const layerIris = madeOnce(({ prefixes: all }: Naming): RegExp | undefined => {
  const namespaces = Object.entries(all).flatMap(([prefix, iri]) =>
    Object.hasOwn(prefixes, prefix) ? [] : iri,
  );
  const texts = namespaces.map((iri) => iri.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return texts.length === 0 ? undefined : new RegExp(`(?<![^\\s(/\`])(?:${texts.join('|')})[\\w.-]*\\w`, 'g');
});

/** Shortens the terms of layers in a message, whose writer knew only the shared prefixes. */
export function layerNames(ontology: Naming, text: string): string {
  const iris = layerIris(ontology);
  return iris ? text.replaceAll(iris, (iri) => shortNameIn(ontology, iri)) : text;
}

/** Expands a prefixed name by the shared prefixes; undefined for any other text. */
export function expandName(name: string, table: Prefixes = prefixes): string | undefined {
  const colon = name.indexOf(':');
  const namespace = Object.hasOwn(table, name.slice(0, Math.max(colon, 0)))
    ? table[name.slice(0, colon)]
    : undefined;
  return colon > 0 && namespace !== undefined ? namespace + name.slice(colon + 1) : undefined;
}
