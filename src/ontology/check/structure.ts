import { owl, rdfs } from '../../rdf/vocabulary.js';
import { enumerationProblems } from './enumerations.js';
import type { Graph } from '../graph.js';
import type { ClassModel, Ontology, PropertyRule } from '../model.js';
import { shortName } from '../term-names.js';
import { problem } from './ontology-problem.js';
import type { OntologyProblem } from './ontology-problem.js';
import type { OntologyRuleId } from './ontology-rules.js';
import { cardinalityKinds, ownRules } from '../restrictions.js';

/** Class rules that clients could not load (S3, S5, S7) or that nothing can satisfy. */
export function structureProblems(graph: Graph, ontology: Ontology): OntologyProblem[] {
  const rulesOf = new Map([...ontology.classes.keys()].map((iri) => [iri, ownRules(graph, iri)]));
  return [...ontology.classes.values()].flatMap((model) => [
    ...repeatedCardinalities(graph, model),
    ...unreadRestrictions(graph, model),
    ...[...model.rules.values()].flatMap((rule) => ruleProblems(ontology, model, rule, rulesOf)),
    ...enumerationProblems(graph, ontology, model),
    ...hierarchyProblems(graph, ontology, model),
  ]);
}

/** S3: over a class and its ancestors each property has at most one restriction of each cardinality kind. */
function repeatedCardinalities(graph: Graph, model: ClassModel): OntologyProblem[] {
  const counts = new Map<string, { count: number; property: string }>();
  for (const origin of [model.iri, ...model.ancestors]) {
    for (const restriction of graph.objects(origin, rdfs.subClassOf)) {
      const property = graph.value(restriction, owl.onProperty);
      for (const kind of cardinalityKinds) {
        if (property === undefined || graph.objects(restriction, kind).length === 0) continue;
        const key = `${shortName(kind)} of ${shortName(property)}`;
        counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, property });
      }
    }
  }
  return [...counts]
    .filter(([, { count }]) => count > 1)
    .map(([key, { property }]) =>
      problem('repeated-cardinality', model.iri, `states or inherits ${key} more than once`, property),
    );
}

/** A restriction that cannot be read would otherwise ask for nothing, without a word. */
function unreadRestrictions(graph: Graph, { iri }: ClassModel): OntologyProblem[] {
  return graph.objects(iri, rdfs.subClassOf).flatMap((restriction) => {
    if (!graph.hasType(restriction, owl.Restriction)) return [];
    const property = graph.value(restriction, owl.onProperty);
    if (property === undefined)
      return [problem('undeclared-property', iri, 'has a restriction without owl:onProperty')];
    return cardinalityKinds
      .flatMap((kind) => graph.objects(restriction, kind))
      .filter(({ value }) => !/^\d+$/.test(value))
      .map(({ value }) =>
        problem(
          'impossible-cardinality',
          iri,
          `asks for ${value} of ${shortName(property)}, which is no whole number from 0 on`,
          property,
        ),
      );
  });
}

function ruleProblems(
  ontology: Ontology,
  model: ClassModel,
  rule: PropertyRule,
  rulesOf: ReadonlyMap<string, Map<string, PropertyRule>>,
): OntologyProblem[] {
  const found: OntologyProblem[] = [];
  const name = shortName(rule.property);
  // S5: the range that clients read is the union over the class and its ancestors, and must be one class.
  const ranges = new Set(
    [model.iri, ...model.ancestors].flatMap(
      (origin) => rulesOf.get(origin)?.get(rule.property)?.classes ?? [],
    ),
  );
  if (ranges.size > 1) {
    found.push(
      problem(
        'several-ranges',
        model.iri,
        `gives ${name} more than one range: ${[...ranges].map(shortName).join(', ')}`,
        rule.property,
      ),
    );
  }
  if (rule.min > rule.max)
    found.push(
      problem(
        'impossible-cardinality',
        model.iri,
        `asks for at least ${rule.min} and at most ${rule.max} of ${name}`,
        rule.property,
      ),
    );
  if (rule.literal && rule.classes.length > 0) {
    found.push(
      problem('mixed-range', model.iri, `wants ${name} to be both a literal and a node`, rule.property),
    );
  }
  for (const range of [...rule.classes, ...(rule.codeClass === undefined ? [] : [rule.codeClass])]) {
    if (!ontology.classes.has(range)) {
      found.push(
        problem(
          'undeclared-class',
          model.iri,
          `gives ${name} the range ${shortName(range)}, which is not declared as an owl:Class`,
          range,
        ),
      );
    }
  }
  return [...found, ...kindProblems(ontology, model, rule)];
}

function kindProblems(ontology: Ontology, model: ClassModel, rule: PropertyRule): OntologyProblem[] {
  const name = shortName(rule.property);
  const say = (id: OntologyRuleId, says: string): OntologyProblem[] => [
    problem(id, model.iri, says, rule.property),
  ];
  const kind = ontology.properties.get(rule.property)?.kind;
  if (kind === undefined)
    return say('undeclared-property', `restricts ${name}, which is not declared as a property`);
  if (kind === 'object' && rule.literal)
    return say('property-kind', `wants literals of ${name}, which is an object property`);
  if (kind === 'datatype' && rule.classes.length > 0)
    return say('property-kind', `wants nodes of ${name}, which is a datatype property`);
  // S5: without a range clients cannot say what the property leads to. Told once, where the rule is stated.
  return kind === 'object' && rule.classes.length === 0 && rule.from === model.iri
    ? say('missing-range', `restricts ${name} without giving it a range`)
    : [];
}

function hierarchyProblems(graph: Graph, ontology: Ontology, model: ClassModel): OntologyProblem[] {
  return graph
    .iris(model.iri, rdfs.subClassOf)
    .filter((parent) => !ontology.classes.has(parent) && parent !== owl.Thing)
    .map((parent) =>
      problem(
        'undeclared-class',
        model.iri,
        `is a subclass of ${shortName(parent)}, which is not declared as an owl:Class`,
        parent,
      ),
    );
}
