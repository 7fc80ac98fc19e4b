import type { Rule } from '../../ontology/check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import { integer, literal } from '../../rdf/terms.js';
import { rdf, sh, xsd } from '../../rdf/vocabulary.js';
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

/** Rules that every node is held to, whatever its class. */
export const nodeRules = [shapeUnknownClass, shapeUnknownProperty];

/** The terms of RDF itself need no declaration. */
const structure = [rdf.first, rdf.rest, rdf.type];

/** What every described node has to obey, whatever its class: it has one, and all its terms are declared. */
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
  // The nodes of a list need not say that they are one.
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
      // A node that has nothing but unknown properties is found by what leads to it.
      [sh.targetObjectsOf, ...properties],
      [sh.closed, literal('true', iri(xsd.boolean))],
      [sh.ignoredProperties, graph.list(properties)],
    ],
  });
}
