import type { Rule } from '../../check/rule.js';
import type { Ontology } from '../../ontology/model.js';
import type { Quad } from '../../../rdf/terms.js';
import { addClassShapes } from './class-shapes.js';
import { addCodeShapes } from './code-shapes.js';
import { addNodeShapes, nodeRules } from './node-shapes.js';
import { addValueShapes, valueRules } from './value-shapes.js';
import { ruleAspects } from './rule-aspects.js';
import { ShapeGraph } from './shape-graph.js';
import { shapePrefixes } from '../../../rdf/vocabulary.js';
import { nestedTurtle } from './nested-turtle.js';

export const shapeRules: readonly Rule[] = [
  ...new Set([...ruleAspects.map(({ rule }) => rule), ...valueRules, ...nodeRules]),
];

export interface DerivedShapes {
  readonly quads: readonly Quad[];
  readonly rules: ReadonlyMap<string, Rule>;
}

/**
 * Derives SHACL Core shapes (W3C Recommendation of 2017) that check what `validateResource` checks. No subclass has
 * to be inferred, so a data graph needs no ontology beside it. The same ontology gives the same quads in the same
 * order.
 */
export function derivedShapes(ontology: Ontology): DerivedShapes {
  const graph = new ShapeGraph(ontology);
  addNodeShapes(graph, ontology);
  addClassShapes(graph, ontology);
  addCodeShapes(graph, ontology);
  addValueShapes(graph, ontology);
  return graph;
}

export function deriveShapes(ontology: Ontology): readonly Quad[] {
  return derivedShapes(ontology).quads;
}

/** Writes the shapes of an ontology as Turtle for people. The same ontology gives the same text. */
export function shapesText(ontology: Ontology): string {
  const name = [ontology.iri, ontology.version].filter((part) => part !== '').join(' ');
  const title = `# What data has to obey, as SHACL shapes: derived from the restrictions of the ontology ${name}.\n`;
  return title + nestedTurtle(deriveShapes(ontology), { ...ontology.prefixes, ...shapePrefixes });
}
