import { Graph } from '../ontology/graph.js';
import type { Ontology } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { rdf, sp } from '../rdf/vocabulary.js';
import { termText } from '../rdf/term-key.js';
import type { NamedNode, Quad, Term } from '../rdf/terms.js';
import { codeViolations } from './check-codes.js';
import { literalViolations } from './literals.js';
import { rulesFor } from './node-rules.js';
import { ObjectChecks } from './check-objects.js';
import { NodeTypes } from './node-types.js';
import type { Violation } from './violation.js';

export interface ValidationOptions {
  /** Whether properties that the container generates (cg:generatedFrom) must be there as well. */
  readonly complete?: boolean;
}

/**
 * Holds one resource against the ontology: the root with everything that is reachable from it through nodes described in
 * `quads`, other statements and records excepted. Give the quads of that resource alone; the time is linear in them.
 * Properties that are declared but not restricted on a class are allowed there, as OWL has it.
 */
export function validateResource(
  ontology: Ontology,
  root: NamedNode,
  quads: readonly Quad[],
  { complete = false }: ValidationOptions = {},
): Violation[] {
  const graph = new Graph(quads);
  const types = new NodeTypes(ontology, graph);
  const checks: Checks = {
    ontology,
    graph,
    types,
    objects: new ObjectChecks(ontology, graph, types),
    complete,
  };
  const violations: Violation[] = [];
  const visited = new Set([root.value]);
  const nodes: Term[] = [root];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (const violation of nodeViolations(checks, node)) violations.push(violation);
    for (const { object } of graph.about(node)) {
      if (object.termType === 'Literal' || visited.has(termText(object))) continue;
      visited.add(termText(object));
      if (graph.about(object).length > 0 && !types.isOneOf(object, ownResources)) nodes.push(object);
    }
  }
  return violations;
}

/** Statements and records are resources of their own, validated on their own. */
const ownResources = [sp.MedicalRecord, sp.Statement];

/** What checks of the nodes of one resource share. */
interface Checks {
  readonly ontology: Ontology;
  readonly graph: Graph;
  readonly types: NodeTypes;
  readonly objects: ObjectChecks;
  readonly complete: boolean;
}

function nodeViolations(
  { ontology, graph, types: typesOf, objects: objectChecks, complete }: Checks,
  node: Term,
): Violation[] {
  const key = termText(node);
  const types = typesOf.of(node);
  const { classes, what, unknown, rules } = rulesFor(ontology, types);
  const found: Violation[] = unknown.map((type) => ({
    rule: 'unknown-class',
    node: key,
    property: rdf.type,
    value: type,
    message: 'A node has a class that the ontology does not declare.',
  }));
  if (graph.objects(node, rdf.type).length > types.length) {
    found.push({ rule: 'unknown-class', node: key, property: rdf.type, message: 'A class has no IRI.' });
  } else if (types.length === 0 && !isListNode(graph, node)) {
    found.push({ rule: 'unknown-class', node: key, property: rdf.type, message: 'A node states no class.' });
  }
  for (const rule of rules.values()) {
    const objects = graph.objects(node, rule.property);
    const generated = !complete && objects.length === 0 && isGenerated(ontology, graph, node, rule.property);
    if (!generated) found.push(...cardinality(key, what, rule, objects.length));
    const place = { node: key, what, rule };
    for (const object of objects) found.push(...objectChecks.violations(place, object));
  }
  for (const [property, objects] of graph.properties(node)) {
    const model = ontology.properties.get(property);
    if (model) {
      const restricted = rules.get(property)?.literal ?? false;
      for (const one of literalViolations(key, what, model, objects, restricted)) found.push(one);
    } else if (!isStructure(property)) {
      const message = `${what} has the property ${shortName(property)}, which the ontology does not declare.`;
      found.push({ rule: 'unknown-property', node: key, property, message });
    }
  }
  return [...found, ...codeViolations(ontology, graph, node, classes)];
}

/** Whether the container makes the values of a property of the node when it answers. */
function isGenerated(ontology: Ontology, graph: Graph, node: Term, property: string): boolean {
  const source = ontology.properties.get(property)?.generatedFrom;
  return source !== undefined && graph.objects(node, source).length > 0;
}

function cardinality(
  node: string,
  what: string,
  { property, min, max }: { property: string; min: number; max: number },
  count: number,
): Violation[] {
  if (count >= min && count <= max) return [];
  const bound = min === max ? `exactly ${min}` : count < min ? `at least ${min}` : `at most ${max}`;
  const message = `${what} must have ${bound} of ${shortName(property)}, it has ${count}.`;
  return [{ rule: 'cardinality', node, property, message }];
}

function isListNode(graph: Graph, node: Term): boolean {
  return graph.objects(node, rdf.first).length > 0;
}

/** The terms of RDF itself need no declaration. */
function isStructure(property: string): boolean {
  return property === rdf.type || property === rdf.first || property === rdf.rest;
}
