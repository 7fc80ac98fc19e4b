import type { Graph } from '../ontology/graph.js';
import { keyOf } from '../ontology/graph.js';
import { isA } from '../ontology/model.js';
import type { Ontology, PropertyRule } from '../ontology/model.js';
import { shortName } from '../ontology/term-names.js';
import { rdf, sp, xsd } from '../rdf/vocabulary.js';
import type { Term } from '../rdf/terms.js';
import { hasDatatype } from './datatypes.js';
import type { Violation } from './violation.js';

/** What is wrong with one object of a restricted property: its kind, its class, the code or unit it must carry. */
export function objectViolations(
  ontology: Ontology,
  graph: Graph,
  node: string,
  what: string,
  rule: PropertyRule,
  object: Term,
): Violation[] {
  const { property } = rule;
  const at = { node, property, value: keyOf(object) };
  const name = `${shortName(property)} of ${what}`;
  if (object.termType === 'Literal') {
    if (rule.classes.length > 0)
      return [
        { ...at, rule: 'range', message: `${name} must be a ${names(rule.classes)}, it is a literal.` },
      ];
    const { datatype } = rule;
    // Data writes IRIs as plain text, as IRIs and with the datatype.
    if (datatype === undefined || datatype === xsd.anyURI || hasDatatype(object, datatype)) return [];
    const message = `${name} must be a literal of the datatype ${shortName(datatype)}.`;
    return [{ ...at, rule: 'literal', message }];
  }
  if (rule.literal) {
    if (rule.datatype === xsd.anyURI && object.termType === 'NamedNode') return [];
    return [{ ...at, rule: 'literal', message: `${name} must be a literal, it is a node.` }];
  }
  // The nodes of a list need not say that they are one.
  const isList = graph.objects(object, rdf.first).length > 0 || object.value === rdf.nil;
  const types = isList ? [rdf.List, ...graph.iris(object, rdf.type)] : graph.iris(object, rdf.type);
  return [
    ...rangeViolations(ontology, rule, types, object).map((says) => ({
      ...at,
      rule: 'range' as const,
      message: `${name} must be a ${names(rule.classes)}, ${says}.`,
    })),
    ...fixedViolations(graph, rule, object, name),
    ...codeClassViolations(ontology, graph, rule, object, name),
  ];
}

function rangeViolations(
  ontology: Ontology,
  rule: PropertyRule,
  types: readonly string[],
  object: Term,
): string[] {
  const { classes } = rule;
  if (classes.length === 0) return [];
  if (types.some((type) => classes.some((range) => isA(ontology, type, range)))) return [];
  if (types.length > 0) return ['it has another class'];
  // A link to another resource carries no description of it; what is embedded must be described.
  const links = classes.some((range) => range === sp.MedicalRecord || isA(ontology, range, sp.Statement));
  return links && object.termType === 'NamedNode' ? [] : ['it states no class'];
}

function fixedViolations(graph: Graph, rule: PropertyRule, object: Term, name: string): Violation[] {
  return rule.fixed.flatMap(({ property, value }) =>
    graph
      .objects(object, property)
      .filter((found) => found.value !== value)
      .map((found) => ({
        rule: 'unit' as const,
        node: keyOf(object),
        property,
        value: found.value,
        message: `${shortName(property)} in ${name} must be ${JSON.stringify(value)}, it is another value.`,
      })),
  );
}

function codeClassViolations(
  ontology: Ontology,
  graph: Graph,
  { codeClass }: PropertyRule,
  object: Term,
  name: string,
): Violation[] {
  if (codeClass === undefined) return [];
  return graph
    .objects(object, sp.code)
    .filter((code) => !graph.iris(code, rdf.type).some((type) => isA(ontology, type, codeClass)))
    .map((code) => ({
      rule: 'code' as const,
      node: keyOf(object),
      property: sp.code,
      value: keyOf(code),
      message: `The code in ${name} must be typed ${shortName(codeClass)}.`,
    }));
}

function names(classes: readonly string[]): string {
  return classes.map(shortName).join(' or ');
}
