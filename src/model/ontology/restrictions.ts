import { literal, namedNode, quad, type Quad, type Term } from '../../rdf/terms.js';
import { listShape, owl, prefixes, rdf, rdfs, sh, sp, xsd } from '../../rdf/vocabulary.js';
import { dataRangesOf } from './data-ranges.js';
import type { Graph } from './graph.js';
import type { PropertyRule } from './model.js';

const lowerBounds = [owl.minCardinality, owl.minQualifiedCardinality, sh.minCount];
const upperBounds = [owl.maxCardinality, owl.maxQualifiedCardinality, sh.maxCount];
const exactBounds = [owl.cardinality, owl.qualifiedCardinality];

export const cardinalityKinds: readonly string[] = [...lowerBounds, ...upperBounds, ...exactBounds];

/**
 * The rules that a class states itself: its owl:Restriction superclasses, merged by property (the part of OWL 2
 * Mapping to RDF §3.2.4 that the record model uses), and its property shapes. Other class expressions are ignored.
 */
export function ownRules(graph: Graph, classIri: string): Map<string, PropertyRule> {
  const rules = new Map<string, PropertyRule>();
  const ruleOf = (property: string): PropertyRule => {
    const known = rules.get(property);
    if (known) return known;
    const literal = graph.hasType(property, owl.DatatypeProperty);
    const rule = {
      property,
      min: 0,
      max: Infinity,
      classes: [],
      literal,
      fixed: [],
      ranges: [],
      from: classIri,
    };
    rules.set(property, rule);
    return rule;
  };
  for (const restriction of graph.objects(classIri, rdfs.subClassOf)) {
    if (!graph.hasType(restriction, owl.Restriction)) continue;
    const property = graph.value(restriction, owl.onProperty);
    if (property === undefined) continue;
    const rule = ruleOf(property);
    readBounds(graph, restriction, rule);
    for (const filler of fillers(graph, restriction)) readFiller(graph, filler, rule);
  }
  for (const shape of graph.objects(classIri, sh.property)) {
    const property = graph.value(shape, sh.path);
    if (property !== undefined) readShape(graph, shape, ruleOf(property));
  }
  return rules;
}

/** Merges two rules on one property; the nearer class's range wins if it states one. */
export function tightest(near: PropertyRule, far: PropertyRule): PropertyRule {
  return {
    property: near.property,
    min: Math.max(near.min, far.min),
    max: Math.min(near.max, far.max),
    classes: near.classes.length > 0 ? near.classes : far.classes,
    literal: near.literal || far.literal,
    codeClass: near.codeClass ?? far.codeClass,
    datatype: near.datatype ?? far.datatype,
    fixed: [
      ...near.fixed,
      ...far.fixed.filter((value) => !near.fixed.some((own) => own.property === value.property)),
    ],
    ranges: [...near.ranges, ...far.ranges.filter((range) => !near.ranges.includes(range))],
    from: near.from,
  };
}

function readBounds(graph: Graph, restriction: Term, rule: PropertyRule): void {
  const bound = (kinds: readonly string[]): number[] =>
    kinds
      .flatMap((kind) => graph.objects(restriction, kind).map((term) => Number(term.value)))
      // `checkOntology` reports other values.
      .filter((number) => Number.isInteger(number) && number >= 0);
  rule.min = Math.max(rule.min, ...bound(lowerBounds), ...bound(exactBounds));
  rule.max = Math.min(rule.max, ...bound(upperBounds), ...bound(exactBounds));
}

/** The terms that a property shape may use here (SHACL §2.3.1, §4): bounds, literals, and RDF lists. */
export const shapeTerms: ReadonlySet<string> = new Set([
  sh.path,
  sh.minCount,
  sh.maxCount,
  sh.nodeKind,
  sh.node,
]);

function readShape(graph: Graph, shape: Term, rule: PropertyRule): void {
  readBounds(graph, shape, rule);
  if (graph.value(shape, sh.nodeKind) === sh.Literal) rule.literal = true;
  if (graph.value(shape, sh.node) === listShape) rule.classes.push(rdf.List);
}

export function fillers(graph: Graph, restriction: Term): Term[] {
  return [
    ...graph.objects(restriction, owl.allValuesFrom),
    ...graph.objects(restriction, owl.onClass),
    ...graph.objects(restriction, owl.onDataRange),
  ].flatMap((filler) => {
    const parts = graph.objects(filler, owl.intersectionOf)[0];
    return parts ? graph.list(parts) : [filler];
  });
}

function readFiller(graph: Graph, filler: Term, rule: PropertyRule): void {
  const read = dataRangesOf(graph, rule.property, filler);
  for (const each of read) {
    // `checkOntology` reports unreadable ranges.
    if ('fault' in each) continue;
    rule.ranges.push(each.range);
    if (each.range.on === undefined) rule.literal = true;
  }
  if (read.length > 0) return;
  if (filler.termType === 'NamedNode') {
    if (filler.value === rdfs.Literal) rule.literal = true;
    else if (datatypes.has(filler.value) || graph.hasType(filler, rdfs.Datatype)) {
      rule.literal = true;
      rule.datatype = filler.value;
    } else if (!rule.classes.includes(filler.value)) rule.classes.push(filler.value);
    return;
  }
  const property = graph.value(filler, owl.onProperty);
  if (property === undefined) return;
  const value = graph.value(filler, owl.hasValue);
  if (value !== undefined) rule.fixed.push({ property, value });
  const codeClass = graph.iris(filler, owl.allValuesFrom)[0];
  if (property === sp.code && codeClass !== undefined) rule.codeClass = codeClass;
}

const datatypes: ReadonlySet<string> = new Set(Object.values(xsd));

const cardinalities = new Set(cardinalityKinds.filter((kind) => kind.startsWith(prefixes.owl)));

/** Restores xsd:nonNegativeInteger cardinalities (OWL 2 Mapping to RDF Graphs §2.1): the engine returns xsd:integer. */
export function withCardinalities(quads: readonly Quad[]): Quad[] {
  const datatype = namedNode(xsd.nonNegativeInteger);
  return quads.map((each) =>
    cardinalities.has(each.predicate.value) && each.object.termType === 'Literal'
      ? quad(each.subject, each.predicate, literal(each.object.value, datatype))
      : each,
  );
}
