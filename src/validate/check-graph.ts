import type { Rule } from '../ontology/check/rule.js';
import type { Ontology } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { termText } from '../rdf/term-key.js';
import type { NamedNode, Quad } from '../rdf/terms.js';
import { validateResource } from './resource.js';
import { shapeCode } from './shapes/code-shapes.js';
import { shapeUnknownClass, shapeUnknownProperty } from './shapes/node-shapes.js';
import {
  shapeCardinality,
  shapeClass,
  shapeDatatype,
  shapeFixedValue,
  shapeValue,
} from './shapes/rule-aspects.js';
import { shapeValidator, type ShapeResult } from './shapes/shacl.js';
import { shapeDate } from './shapes/value-shapes.js';
import type { ViolationRule } from './violation.js';

/** The rule of the catalogue that a violation found by `validateResource` belongs to. */
const ruleOfViolation: Readonly<Record<ViolationRule, Rule>> = {
  cardinality: shapeCardinality,
  range: shapeClass,
  literal: shapeDatatype,
  code: shapeCode,
  unit: shapeFixedValue,
  date: shapeDate,
  'unknown-class': shapeUnknownClass,
  'unknown-property': shapeUnknownProperty,
  value: shapeValue,
};

/** A rule that a resource breaks. */
export interface GraphFault {
  /** Id of the rule. */
  readonly rule: string;
  /** IRI of the node that breaks it, or `_:label`. */
  readonly node: string;
  /** Names classes and properties, never a recorded value. */
  readonly message: string;
}

/**
 * Holds one resource against the shapes derived from the ontology, and against what shapes cannot say. Give the quads
 * of that resource alone; the time is linear in them. Each fault is told once, though a class and the classes above it
 * ask for the same.
 */
export function checkGraph(ontology: Ontology, root: NamedNode, quads: readonly Quad[]): GraphFault[] {
  const faults = new Map<string, GraphFault>();
  for (const result of shapeValidator(ontology).validate(quads)) {
    const { rule, focus, path, value, shape } = result;
    const node = termText(focus);
    const message = namingTerm(result);
    const key = [rule, node, path ?? shape, value && termText(value)].join(' ');
    if (!faults.has(key)) faults.set(key, { rule, node, message });
  }
  if (faults.size > 0) return [...faults.values()];
  // docs/validation.md lists what only this finds.
  return validateResource(ontology, root, quads).map(({ rule, node, message }) => ({
    rule: ruleOfViolation[rule].id,
    node,
    message,
  }));
}

/** A shape has one sentence for all that breaks it; which term is unknown is what its reader wants to know. */
function namingTerm({ rule, path, value, message }: ShapeResult): string {
  const term =
    rule === shapeUnknownProperty.id
      ? path
      : rule === shapeUnknownClass.id && value?.termType === 'NamedNode'
        ? value.value
        : undefined;
  return term === undefined ? message : message.replace(/\.$/, `: ${shortName(term)} is not.`);
}
