import { isA, type Ontology, type PropertyRule } from '../../ontology/model.js';
import { rdf, sh, sp } from '../../../rdf/vocabulary.js';
import { integer } from '../../../rdf/terms.js';
import { iri, type Description, type ShapeGraph } from './shape-graph.js';

/** Describes instances of classes: typed with one of them or a subclass. */
export function instanceOf(graph: ShapeGraph, ontology: Ontology, classes: readonly string[]): Description {
  return anyOf(graph, typedWith(graph, ontology, classes));
}

/** Describes the required class of a property's value; see `objectViolations` for the same in words. */
export function rangeOf(graph: ShapeGraph, ontology: Ontology, { classes }: PropertyRule): Description {
  const alternatives = typedWith(graph, ontology, classes);
  if (classes.some((range) => isA(ontology, rdf.List, range))) {
    // List nodes need not state their class.
    alternatives.push([[sh.property, atLeastOne(graph, rdf.first)]], [[sh.in, graph.list([iri(rdf.nil)])]]);
  }
  if (classes.some((range) => isLink(ontology, range))) {
    // Other resources may be named without being described.
    const untyped = graph.inner([
      [sh.path, iri(rdf.type)],
      [sh.maxCount, integer(0)],
    ]);
    alternatives.push([
      [sh.nodeKind, iri(sh.IRI)],
      [sh.property, untyped],
    ]);
  }
  return anyOf(graph, alternatives);
}

/** Whether a class is one of resources with their own IRI, which others link to. */
export function isLink(ontology: Ontology, range: string): boolean {
  return range === sp.MedicalRecord || isA(ontology, range, sp.Statement);
}

export function atLeastOne(graph: ShapeGraph, property: string): ReturnType<ShapeGraph['inner']> {
  return graph.inner([
    [sh.path, iri(property)],
    [sh.minCount, integer(1)],
  ]);
}

/** Puts the classes themselves first: most data states them, and the first match ends the search. */
function typedWith(graph: ShapeGraph, ontology: Ontology, classes: readonly string[]): Description[] {
  const beneath = [...ontology.classes.keys()]
    .filter((type) => !classes.includes(type) && classes.some((range) => isA(ontology, type, range)))
    .sort();
  const stated: Description[] = classes.map((type) => [[sh.class, iri(type)]]);
  if (beneath.length === 0) return stated;
  const oneBeneath = graph.inner([
    [sh.path, iri(rdf.type)],
    [sh.qualifiedValueShape, graph.inner([[sh.in, graph.list(beneath.map((type) => iri(type)))]])],
    [sh.qualifiedMinCount, integer(1)],
  ]);
  return [...stated, [[sh.property, oneBeneath]]];
}

function anyOf(graph: ShapeGraph, alternatives: readonly Description[]): Description {
  const [only, second] = alternatives;
  if (only && !second) return only;
  return [[sh.or, graph.list(alternatives.map((description) => graph.inner(description)))]];
}
