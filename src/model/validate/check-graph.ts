import type { Rule } from '../check/rule.js';
import type { Ontology } from '../ontology/model.js';
import { layerNames, shortName } from '../ontology/term-names.js';
import { termText } from '../../rdf/term-key.js';
import type { NamedNode, Quad } from '../../rdf/terms.js';
import { implausibleValues } from './plausible-values.js';
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

/** The rule of the catalogue for each kind of violation from `validateResource`. */
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

export interface GraphFault {
  readonly rule: string;
  /** IRI or `_:label` of the node that breaks it. */
  readonly node: string;
  /** Names classes and properties, never a recorded value. */
  readonly message: string;
}

/**
 * Checks one resource against the shapes derived from the ontology, and against rules that shapes cannot express.
 * `quads` must be those of this resource only; takes time linear in them. A fault is reported once, even if several
 * classes of a hierarchy ask for the same.
 */
export function checkGraph(ontology: Ontology, root: NamedNode, quads: readonly Quad[]): GraphFault[] {
  const faults = new Map<string, GraphFault>();
  for (const result of shapeValidator(ontology)(quads)) {
    const { rule, focus, path, value, shape } = result;
    const node = termText(focus);
    const message = layerNames(ontology, namingTerm(result));
    const key = [rule, node, path ?? shape, value && termText(value)].join(' ');
    if (!faults.has(key)) faults.set(key, { rule, node, message });
  }
  const odd = implausibleValues(ontology, quads);
  if (faults.size > 0) return [...faults.values(), ...odd];
  // docs/validation.md lists what only this finds.
  const others = validateResource(ontology, root, quads).map(({ rule, node, message }) => ({
    rule: ruleOfViolation[rule].id,
    node,
    message,
  }));
  return [...others, ...odd];
}

/** Adds the unknown term to a message, because a shape has one message for everything that breaks it. */
function namingTerm({ rule, path, value, message }: ShapeResult): string {
  const isClass = rule === shapeUnknownClass.id && value?.termType === 'NamedNode';
  const term = rule === shapeUnknownProperty.id ? path : isClass ? value.value : undefined;
  return term === undefined ? message : message.replace(/\.$/, `: ${shortName(term)} is not.`);
}
