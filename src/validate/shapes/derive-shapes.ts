import type { Rule } from '../../ontology/check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import type { Quad } from '../../rdf/terms.js';
import { addClassShapes } from './class-shapes.js';
import { addCodeShapes } from './code-shapes.js';
import { addNodeShapes, nodeRules } from './node-shapes.js';
import { addValueShapes, valueRules } from './value-shapes.js';
import { ruleAspects } from './rule-aspects.js';
import { ShapeGraph } from './shape-graph.js';

/** Every rule that shapes stand for. */
export const shapeRules: readonly Rule[] = [
  ...new Set([...ruleAspects.map(({ rule }) => rule), ...valueRules, ...nodeRules]),
];

/** The shapes of an ontology, and the rule that each of the named ones stands for. */
export interface DerivedShapes {
  readonly quads: readonly Quad[];
  readonly rules: ReadonlyMap<string, Rule>;
}

/**
 * SHACL Core shapes (W3C Recommendation of 2017) that ask of a resource what `validateResource` asks of it: one shape
 * a class with what its restrictions say, one for each enumerated code set, one for each property with dates or
 * choices, and those that every node has to obey. They stand alone: no subclass has to be inferred, so a data graph
 * needs no ontology beside it. The same ontology gives the same quads in the same order.
 */
export function derivedShapes(ontology: Ontology): DerivedShapes {
  const graph = new ShapeGraph();
  addNodeShapes(graph, ontology);
  addClassShapes(graph, ontology);
  addCodeShapes(graph, ontology);
  addValueShapes(graph, ontology);
  return graph;
}

/** The quads of `derivedShapes` alone. */
export function deriveShapes(ontology: Ontology): readonly Quad[] {
  return derivedShapes(ontology).quads;
}
