import { Graph } from '../ontology/graph.js';
import type { Ontology, CodeModel, PropertyModel, PropertyRule } from '../ontology/model.js';
import { layerNames, shortName } from '../ontology/term-names.js';
import { rdf, sp, dcterms } from '../../rdf/vocabulary.js';
import { termText } from '../../rdf/term-key.js';
import type { NamedNode, Quad, Term } from '../../rdf/terms.js';
import { rulesFor, NodeTypes } from './node-rules.js';
import { ObjectChecks } from './check-objects.js';
import { structure } from './shapes/node-shapes.js';
import type { Violation } from './violation.js';
import { instants } from '../query/partial-date.js';

export interface ValidationOptions {
  readonly complete?: boolean;
}

/**
 * Checks one resource against the ontology: the root and everything reachable from it through nodes described in
 * `quads`, except other statements and records. `quads` must be those of this resource only; takes time linear in
 * them. As in OWL, a declared property is allowed on classes that do not restrict it.
 */
export function validateResource(
  ontology: Ontology,
  root: NamedNode,
  quads: readonly Quad[],
  { complete = false }: ValidationOptions = {},
): Violation[] {
  const graph = new Graph(quads);
  const types = new NodeTypes(ontology, graph);
  const objects = new ObjectChecks(ontology, graph, types);
  const checks: Checks = { ontology, graph, types, objects, complete };
  const violations: Violation[] = [];
  const visited = new Set([root.value]);
  const nodes: Term[] = [root];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (const violation of nodeViolations(checks, node))
      violations.push({ ...violation, message: layerNames(ontology, violation.message) });
    for (const { object } of graph.about(node)) {
      if (object.termType === 'Literal' || visited.has(termText(object))) continue;
      visited.add(termText(object));
      if (graph.about(object).length > 0 && !types.isOneOf(object, ownResources)) nodes.push(object);
    }
  }
  return violations;
}

/** Statements and records are validated as resources of their own. */
const ownResources = [sp.MedicalRecord, sp.Statement];

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
  } else if (types.length === 0 && graph.objects(node, rdf.first).length === 0) {
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
    } else if (!structure.includes(property)) {
      const message = `${what} has the property ${shortName(property)}, which the ontology does not declare.`;
      found.push({ rule: 'unknown-property', node: key, property, message });
    }
  }
  return [...found, ...codeViolations(ontology, graph, node, classes)];
}

function isGenerated(ontology: Ontology, graph: Graph, node: Term, property: string): boolean {
  const source = ontology.properties.get(property)?.generatedFrom;
  return source !== undefined && graph.objects(node, source).length > 0;
}

function cardinality(
  node: string,
  what: string,
  { property, min, max }: PropertyRule,
  count: number,
): Violation[] {
  if (count >= min && count <= max) return [];
  const bound = min === max ? `exactly ${min}` : count < min ? `at least ${min}` : `at most ${max}`;
  const message = `${what} must have ${bound} of ${shortName(property)}, it has ${count}.`;
  return [{ rule: 'cardinality', node, property, message }];
}

/** The properties that name a code, and their comparison: clients ignore the case of titles. */
const descriptions: readonly (readonly [string, (code: CodeModel) => string, (text: string) => string])[] = [
  [dcterms.title, ({ title }) => title, (text) => text.toLowerCase()],
  [sp.system, ({ system }) => system, (text) => text],
  [dcterms.identifier, ({ identifier }) => identifier, (text) => text],
];

/** A node of an enumerated class must be a member, and its description must match the ontology. */
function codeViolations(
  ontology: Ontology,
  graph: Graph,
  node: Term,
  classes: readonly string[],
): Violation[] {
  const models = classes.flatMap((type) => ontology.classes.get(type) ?? []);
  const enumerated = models.filter(({ kind, members }) => kind === 'code' && members);
  if (enumerated.length === 0) return [];
  const key = termText(node);
  const outside = enumerated.filter(({ members }) => !members?.includes(key));
  const code = ontology.codes.get(key);
  const wrong = descriptions.flatMap(([property, expected, comparable]) => {
    const found = code ? graph.objects(node, property) : [];
    return found
      .filter(({ value }) => code && comparable(value) !== comparable(expected(code)))
      .map(({ value }) => ({ property, value }));
  });
  return [
    ...outside.map(({ iri }): Violation => ({
      rule: 'code',
      node: key,
      value: key,
      message: `A code typed ${shortName(iri)} is not one of its members.`,
    })),
    ...wrong.map(({ property, value }): Violation => ({
      rule: 'code',
      node: key,
      property,
      value,
      message: `${shortName(property)} of an enumerated code differs from the ontology.`,
    })),
  ];
}

/**
 * Finds values that are not in the form that the ontology states for their property: ISO 8601 dates, or one of the
 * choices. Also reports nodes in their place, unless the class's rule does (`restricted`).
 */
function literalViolations(
  node: string,
  what: string,
  { iri: property, valueType, choices }: PropertyModel,
  objects: readonly Term[],
  restricted: boolean,
): Violation[] {
  const isDate = valueType === 'date';
  if (!isDate && choices.length === 0) return [];
  const name = `${shortName(property)} of ${what}`;
  const faultOf = ({ termType, value }: Term): Pick<Violation, 'rule' | 'message'> | undefined => {
    if (termType !== 'Literal')
      return restricted
        ? undefined
        : { rule: 'literal', message: `${name} must be a literal, it is a node.` };
    const isWrong = isDate ? instants(value) === undefined : !choices.includes(value);
    if (!isWrong) return undefined;
    return isDate
      ? { rule: 'date', message: `${name} is not an ISO 8601 date.` }
      : { rule: 'literal', message: `${name} must be one of ${choices.join(', ')}.` };
  };
  return objects.flatMap((object) => {
    const fault = faultOf(object);
    return fault ? [{ node, property, value: termText(object), ...fault }] : [];
  });
}
