import type { Identifying, Ontology, PropertyModel } from '../ontology/model.js';
import { groupedBy } from '../rdf/by-key.js';
import { termKey } from '../rdf/term-key.js';
import { namedNode, type Quad, type Term } from '../rdf/terms.js';
import { rdf } from '../rdf/vocabulary.js';

/** One triple that may be shown, perhaps in another form. */
export interface Telling {
  readonly quad: Quad;
  /** What its literal tells; `none` for a link. */
  readonly as: Exclude<Identifying, 'direct' | 'text'>;
  /** The property, or undefined for rdf:type. */
  readonly property: PropertyModel | undefined;
}

/** What a graph tells. */
export interface Told {
  /** What may be shown. */
  readonly tellings: readonly Telling[];
  /** The values that tell who a person is. */
  readonly identifiers: readonly string[];
}

/**
 * Sorts the triples of a graph by what the ontology says that they tell: those that are reachable from its resource
 * through links that may be shown, of declared classes and properties that are decided about. Linear in the quads.
 */
export function whatIsTold(ontology: Ontology, graph: string, quads: readonly Quad[]): Told {
  const groups = groupedBy(quads, ({ subject }) => termKey(subject));
  const tellings: Telling[] = [];
  const impersonal = new Set<Quad>();
  const queue: Term[] = [namedNode(graph)];
  // What is described once is walked once: the group goes when it is read.
  for (const node of queue) {
    const key = termKey(node);
    const group = groups.get(key) ?? [];
    groups.delete(key);
    const here = impersonalHere(ontology, group);
    for (const each of group) {
      if (here.has(each.predicate.value)) impersonal.add(each);
      const telling = tellingOf(ontology, each, here);
      if (!telling) continue;
      tellings.push(telling);
      if (telling.property?.kind === 'object') queue.push(each.object);
    }
  }
  return { tellings, identifiers: identifiersIn(ontology, quads, impersonal) };
}

function tellingOf(
  { classes, properties }: Ontology,
  each: Quad,
  impersonal: ReadonlySet<string>,
): Telling | undefined {
  const { predicate, object } = each;
  if (predicate.value === rdf.type)
    return classes.has(object.value) ? { quad: each, as: 'none', property: undefined } : undefined;
  const property = properties.get(predicate.value);
  if (!property) return undefined;
  const decided = impersonal.has(property.iri) ? 'none' : property.identifying;
  if (object.termType === 'Literal' && property.kind === 'datatype')
    return decided === undefined || decided === 'direct' || decided === 'text'
      ? undefined
      : { quad: each, as: decided, property };
  const isLink = object.termType !== 'Literal' && property.kind !== 'annotation';
  const isOpen = decided === 'none' || (decided === undefined && property.kind === 'object');
  return isLink && isOpen ? { quad: each, as: 'none', property } : undefined;
}

/** The properties that tell nothing on a node, by its classes. */
function impersonalHere({ classes }: Ontology, group: readonly Quad[]): ReadonlySet<string> {
  return new Set(
    group.flatMap(({ predicate, object }) =>
      predicate.value === rdf.type ? (classes.get(object.value)?.impersonal ?? []) : [],
    ),
  );
}

/** Values of direct identifiers that are not shown, and of dates of which the year alone is. */
function identifiersIn(
  { properties }: Ontology,
  quads: readonly Quad[],
  impersonal: ReadonlySet<Quad>,
): string[] {
  return quads.flatMap((each) => {
    if (each.object.termType !== 'Literal' || impersonal.has(each)) return [];
    const property = properties.get(each.predicate.value);
    return property?.identifying === 'direct' || property?.precision !== undefined ? [each.object.value] : [];
  });
}
