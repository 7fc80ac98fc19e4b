import { isA, type Ontology, type PropertyRule } from '../../ontology/model.js';
import { rdf, sh, sp } from '../../rdf/vocabulary.js';
import { integer } from '../../rdf/terms.js';
import { iri, type Description, type ShapeGraph } from './shape-graph.js';

/** What makes a node an instance of a class: being typed with it or with a class beneath it. */
export function instanceOf(graph: ShapeGraph, ontology: Ontology, classes: readonly string[]): Description {
  return anyOf(graph, typedWith(graph, ontology, classes));
}

/** What a restriction asks of the node that a property leads to; see `objectViolations` for the same in words. */
export function rangeOf(graph: ShapeGraph, ontology: Ontology, { classes }: PropertyRule): Description {
  const alternatives = typedWith(graph, ontology, classes);
  if (classes.some((range) => isA(ontology, rdf.List, range))) {
    // The nodes of a list need not say that they are one.
    alternatives.push([[sh.property, atLeastOne(graph, rdf.first)]], [[sh.in, graph.list([iri(rdf.nil)])]]);
  }
  if (classes.some((range) => isLink(ontology, range))) {
    // Another resource may be named without being described.
    alternatives.push([
      [sh.nodeKind, iri(sh.IRI)],
      [
        sh.property,
        graph.inner([
          [sh.path, iri(rdf.type)],
          [sh.maxCount, integer(0)],
        ]),
      ],
    ]);
  }
  return anyOf(graph, alternatives);
}

/** Whether a class is that of resources with an IRI of their own, which others link to. */
export function isLink(ontology: Ontology, range: string): boolean {
  return range === sp.MedicalRecord || isA(ontology, range, sp.Statement);
}

/** A property shape: the property is there. */
export function atLeastOne(graph: ShapeGraph, property: string): ReturnType<ShapeGraph['inner']> {
  return graph.inner([
    [sh.path, iri(property)],
    [sh.minCount, integer(1)],
  ]);
}

/** The classes themselves come first: most data states them, and the first that fits is enough. */
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
