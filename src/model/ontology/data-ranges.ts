import { orderedDatatypes, placeOf, saysValueOf } from '../../rdf/datatypes.js';
import type { Literal, Term } from '../../rdf/terms.js';
import { facet, owl, rdf, rdfs, xsd } from '../../rdf/vocabulary.js';
import type { Graph } from './graph.js';
import type { DataRange, Limit } from './model.js';
import { shortName } from './term-names.js';

const limit = (of: Limit['of'], side: Limit['side'], open = false): Omit<Limit, 'bound'> => ({
  of,
  side,
  open,
});

/** What each facet bounds. Others are refused; xsd:pattern because an author's pattern may be slow. */
const facets: Readonly<Record<string, readonly Omit<Limit, 'bound'>[]>> = {
  [facet.minInclusive]: [limit('value', 'least')],
  [facet.minExclusive]: [limit('value', 'least', true)],
  [facet.maxInclusive]: [limit('value', 'most')],
  [facet.maxExclusive]: [limit('value', 'most', true)],
  [facet.minLength]: [limit('length', 'least')],
  [facet.maxLength]: [limit('length', 'most')],
  [facet.length]: [limit('length', 'least'), limit('length', 'most')],
};

export interface UnreadRange {
  /** Completes a sentence that begins with "a data range". */
  readonly fault: string;
  readonly near?: string;
  readonly name?: string;
}

export type ReadRange = { readonly range: DataRange } | UnreadRange;

/**
 * Reads the data ranges of a restriction's filler (OWL 2 Mapping to RDF Graphs §2.1): its own, also as a defined
 * datatype, or those for literals of the node that the property leads to.
 */
export function dataRangesOf(graph: Graph, property: string, filler: Term): ReadRange[] {
  const on = graph.value(filler, owl.onProperty);
  if (on === undefined) return definitionsOf(graph, property, filler);
  const inner = graph
    .objects(filler, owl.allValuesFrom)
    .flatMap((each) => {
      const read = definitionsOf(graph, on, each);
      const isOpen = read.length === 0 && graph.hasType(on, owl.DatatypeProperty);
      return isOpen && each.value !== rdfs.Literal ? [withoutBounds] : read;
    })
    .map((read) => ('range' in read ? { range: { ...read.range, on } } : read));
  return [...inner, ...rangesAside(graph, filler, [owl.someValuesFrom, owl.onDataRange])];
}

const withoutBounds: UnreadRange = {
  fault: 'without bounds, which is not checked here',
  near: owl.allValuesFrom,
};

/** Finds data ranges in terms where none is read, so that they do not silently ask for nothing. */
export function rangesAside(graph: Graph, node: string | Term, terms: readonly string[]): UnreadRange[] {
  return terms
    .filter((term) => graph.objects(node, term).some((each) => definitionsOf(graph, '', each).length > 0))
    .map((near) => ({ fault: `with ${shortName(near)}, which is not checked here`, near }));
}

function definitionsOf(graph: Graph, property: string, filler: Term): ReadRange[] {
  const isDatatype =
    graph.hasType(filler, rdfs.Datatype) || graph.value(filler, owl.onDatatype) !== undefined;
  if (filler.termType === 'NamedNode') {
    const definitions = isDatatype ? graph.objects(filler, owl.equivalentClass) : [];
    return definitions.map((node) => ({ ...readRange(graph, node), name: filler.value }));
  }
  const isOther = graph.value(filler, owl.onProperty) !== undefined;
  return isDatatype || (!isOther && graph.hasType(property, owl.DatatypeProperty))
    ? [readRange(graph, filler)]
    : [];
}

function readRange(graph: Graph, node: Term): ReadRange {
  const [list] = graph.objects(node, owl.oneOf);
  const datatype = graph.value(node, owl.onDatatype);
  if (list) {
    if (datatype !== undefined) return { fault: 'with both owl:oneOf and owl:onDatatype', near: owl.oneOf };
    const members = graph.list(list);
    const listed = members.filter((member): member is Literal => member.termType === 'Literal');
    return listed.length > 0 && listed.length === members.length
      ? { range: { datatype: rdfs.Literal, limits: [], listed } }
      : { fault: 'whose owl:oneOf is no list of literals', near: owl.oneOf };
  }
  const stated = graph
    .objects(node, owl.withRestrictions)
    .flatMap((head) => graph.list(head))
    .flatMap((restriction) => graph.about(restriction))
    .filter(({ predicate }) => predicate.value !== rdf.type);
  if (datatype === undefined || stated.length === 0)
    return { fault: 'that states neither owl:onDatatype with owl:withRestrictions nor owl:oneOf' };
  for (const { predicate, object } of stated) {
    const fault = faultOf(datatype, predicate.value, object);
    if (fault !== undefined) return { fault, near: predicate.value };
  }
  const limits = stated.flatMap(({ predicate, object }) =>
    (facets[predicate.value] ?? []).map((each) => ({ ...each, bound: object.value })),
  );
  return { range: { datatype, limits, listed: [] } };
}

function faultOf(datatype: string, name: string, value: Term): string | undefined {
  const [bounded] = facets[name] ?? [];
  if (!bounded) return `with ${shortName(name)}, which is not checked`;
  const isLength = bounded.of === 'length';
  if (!isLength && !orderedDatatypes.includes(datatype))
    return `with ${shortName(name)}, and values of ${shortName(datatype)} are not compared`;
  if (isLength && datatype !== xsd.string)
    return `with ${shortName(name)}, and values of ${shortName(datatype)} are not counted`;
  const unit = isLength ? xsd.nonNegativeInteger : datatype;
  const isValue = value.termType === 'Literal' && saysValueOf(value, unit);
  return isValue && !Number.isNaN(placeOf(value.value, unit))
    ? undefined
    : `with the ${shortName(name)} ${JSON.stringify(value.value)}, which is no value of ${shortName(unit)}`;
}
