import type { Ontology, PropertyModel } from './ontology/model.js';
import type { Quad } from '../rdf/terms.js';
import { prefixes, rdf } from '../rdf/vocabulary.js';

/** The definition of a term (JSON-LD 1.1 §9.15.1): an IRI for a class, an object for a property. */
export type TermDefinition = string | { '@id': string; '@type'?: '@id'; '@container'?: '@set' | '@list' };

export type JsonLdContext = Readonly<Record<string, TermDefinition>>;

/**
 * The JSON-LD context of an ontology. Classes and properties are named `prefix__local`, with `_` for `-`; terms of
 * the record model have no prefix. Values of object properties are IRIs. A property that may have several values on
 * any class is always an array, and an RDF list is an array in its order. An IRI whose name is invalid or taken stays
 * whole.
 */
export function jsonLdContext(
  ontology: Pick<Ontology, 'classes' | 'properties' | 'prefixes'>,
): JsonLdContext {
  const { classes, properties } = ontology;
  const definitions: [iri: string, TermDefinition][] = [
    ...[...classes.keys()].map((iri): [string, TermDefinition] => [iri, iri]),
    ...[...properties.values()].map((property): [string, TermDefinition] => [
      property.iri,
      definitionOf(ontology, property),
    ]),
  ];
  const named = new Map<string, TermDefinition>();
  for (const [iri, definition] of definitions.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = contextName(ontology, iri);
    if (name !== undefined && !named.has(name)) named.set(name, definition);
  }
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the part of a context that a graph uses, so that the answer explains itself and no more. */
export function usedContext(context: JsonLdContext, quads: readonly Quad[]): JsonLdContext {
  const used = new Set<string>();
  for (const { predicate, object } of quads)
    used.add(predicate.value === rdf.type ? object.value : predicate.value);
  return Object.fromEntries(
    Object.entries(context).filter(([, definition]) =>
      used.has(typeof definition === 'string' ? definition : definition['@id']),
    ),
  );
}

/** Names a term: `v__family_name` for v:family-name, `drugName` for sp:drugName; undefined for other IRIs. */
export function contextName(
  { prefixes: known }: Pick<Ontology, 'prefixes'>,
  iri: string,
): string | undefined {
  const found = Object.entries(known).find(
    ([, namespace]) => iri.startsWith(namespace) && /^[A-Za-z_][\w-]*$/.test(iri.slice(namespace.length)),
  );
  if (!found) return undefined;
  const [prefix, namespace] = found;
  const local = iri.slice(namespace.length).replaceAll('-', '_');
  return namespace === prefixes.sp ? local : `${prefix}__${local}`;
}

function definitionOf({ classes }: Pick<Ontology, 'classes'>, { iri, kind }: PropertyModel): TermDefinition {
  const rules = [...classes.values()].flatMap(({ rules }) => rules.get(iri) ?? []);
  const isList = rules.some((rule) => rule.classes.includes(rdf.List));
  // When no class limits the number, one value looks like several.
  const isMultiple = kind !== 'annotation' && (rules.length === 0 || rules.some(({ max }) => max > 1));
  return {
    '@id': iri,
    ...(kind === 'object' && { '@type': '@id' as const }),
    ...(isList ? { '@container': '@list' as const } : isMultiple && { '@container': '@set' as const }),
  };
}
