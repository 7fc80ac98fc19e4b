import type { Rule } from '../../check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import { integer, literal } from '../../../rdf/terms.js';
import { rdf, sh, xsd } from '../../../rdf/vocabulary.js';
import { iri, type ShapeGraph } from './shape-graph.js';

export const shapeUnknownClass: Rule = {
  id: 'shape-unknown-class',
  severity: 'error',
  summary: 'Every node states its class, and every class is declared in the ontology.',
  hint: 'Give the node a class of the ontology, or declare the class there.',
};

export const shapeUnknownProperty: Rule = {
  id: 'shape-unknown-property',
  severity: 'error',
  summary: 'Every property of the data is declared in the ontology.',
  hint: 'Take a property of the ontology (look for a misspelt name), or declare it there.',
};

export const nodeRules = [shapeUnknownClass, shapeUnknownProperty];

/** Terms of RDF itself, which need no declaration. */
export const structure: readonly string[] = [rdf.first, rdf.rest, rdf.type];

/** Adds the rules for every described node: it has a class, and all its terms are declared. */
export function addNodeShapes(graph: ShapeGraph, ontology: Ontology): void {
  const declared = [...ontology.properties.keys()].filter((property) => !structure.includes(property)).sort();
  const properties = [...structure, ...declared].map((property) => iri(property));
  const classes = [...ontology.classes.keys()].sort();
  graph.add({
    name: ['node', 'class'],
    kind: 'PropertyShape',
    rule: shapeUnknownClass,
    message: 'A node must be of a class that the ontology declares.',
    says: [
      [sh.targetSubjectsOf, iri(rdf.type)],
      [sh.path, iri(rdf.type)],
      [sh.in, graph.list(classes.map((type) => iri(type)))],
    ],
  });
  // List nodes need not state their class.
  const typeOrList = graph.inner([[sh.alternativePath, graph.list([iri(rdf.type), iri(rdf.first)])]]);
  graph.add({
    name: ['node', 'typed'],
    kind: 'PropertyShape',
    rule: shapeUnknownClass,
    message: 'A node must state its class.',
    says: [
      [sh.targetSubjectsOf, ...properties],
      [sh.path, typeOrList],
      [sh.minCount, integer(1)],
    ],
  });
  graph.add({
    name: ['node', 'properties'],
    kind: 'NodeShape',
    rule: shapeUnknownProperty,
    message: 'A node must have only properties that the ontology declares.',
    says: [
      [sh.targetSubjectsOf, ...properties],
      // A node with only unknown properties is found through properties that lead to it.
      [sh.targetObjectsOf, ...properties],
      [sh.closed, literal('true', iri(xsd.boolean))],
      [sh.ignoredProperties, graph.list(properties)],
    ],
  });
}
