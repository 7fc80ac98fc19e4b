import { literal, namedNode, quad, type Quad } from '../rdf/terms.js';
import { owl, xsd } from '../rdf/vocabulary.js';

const cardinalities: ReadonlySet<string> = new Set([
  owl.cardinality,
  owl.minCardinality,
  owl.maxCardinality,
  owl.qualifiedCardinality,
  owl.minQualifiedCardinality,
  owl.maxQualifiedCardinality,
]);

/**
 * The triples of an ontology with its cardinalities as OWL has them: the engine gives every whole number back as
 * xsd:integer, and in OWL 2 a cardinality is an xsd:nonNegativeInteger (OWL 2 Mapping to RDF Graphs §2.1).
 */
export function withCardinalities(quads: readonly Quad[]): Quad[] {
  const datatype = namedNode(xsd.nonNegativeInteger);
  return quads.map((each) =>
    cardinalities.has(each.predicate.value) && each.object.termType === 'Literal'
      ? quad(each.subject, each.predicate, literal(each.object.value, datatype))
      : each,
  );
}
