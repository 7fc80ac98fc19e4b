import type { Identifying, Ontology, PropertyModel } from '../../model/ontology/model.js';
import { groupedBy } from '../../rdf/by-key.js';
import { termKey } from '../../rdf/term-key.js';
import { namedNode, type Quad, type Term } from '../../rdf/terms.js';
import { rdf } from '../../rdf/vocabulary.js';

export interface Disclosable {
  readonly quad: Quad;
  /** How its literal identifies a person; `none` for a link. */
  readonly as: Exclude<Identifying, 'direct' | 'text'>;
  readonly property: PropertyModel | undefined;
}

/**
 * Finds the statements of a graph that may be shown: those reachable by shown links, with declared classes and
 * classified properties; and the values that identify a person. Takes linear time.
 */
export function whatIsDisclosed(ontology: Ontology, graph: string, quads: readonly Quad[]) {
  const groups = groupedBy(quads, ({ subject }) => termKey(subject));
  const disclosables: Disclosable[] = [];
  const impersonal = new Set<Quad>();
  const queue: Term[] = [namedNode(graph)];
  // Visits each node once: its group is removed when read.
  for (const node of queue) {
    const key = termKey(node);
    const group = groups.get(key) ?? [];
    groups.delete(key);
    const here = impersonalHere(ontology, group);
    for (const each of group) {
      if (here.has(each.predicate.value)) impersonal.add(each);
      const disclosable = disclosableOf(ontology, each, here);
      if (!disclosable) continue;
      disclosables.push(disclosable);
      if (disclosable.property?.kind === 'object') queue.push(each.object);
    }
  }
  return { disclosables, identifiers: identifiersIn(ontology, quads, impersonal) };
}

function disclosableOf(
  { classes, properties }: Ontology,
  each: Quad,
  impersonal: ReadonlySet<string>,
): Disclosable | undefined {
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

/** Returns the properties that identify nobody on a node, by its classes. */
function impersonalHere({ classes }: Ontology, group: readonly Quad[]): ReadonlySet<string> {
  return new Set(
    group.flatMap(({ predicate, object }) =>
      predicate.value === rdf.type ? (classes.get(object.value)?.impersonal ?? []) : [],
    ),
  );
}

/** Returns the values of direct identifiers, and of dates that are shown as years. */
function identifiersIn({ properties }: Ontology, quads: readonly Quad[], impersonal: ReadonlySet<Quad>) {
  return quads.flatMap((each) => {
    if (each.object.termType !== 'Literal' || impersonal.has(each)) return [];
    const property = properties.get(each.predicate.value);
    return property?.identifying === 'direct' || property?.precision !== undefined ? [each.object.value] : [];
  });
}
