import { owl, rdfs, sh } from '../../rdf/vocabulary.js';
import { areEmpty, rangeInWords } from '../ontology/allowed-literals.js';
import { dataRangesOf, rangesAside, type UnreadRange } from '../ontology/data-ranges.js';
import type { Graph } from '../ontology/graph.js';
import type { ClassModel, PropertyRule } from '../ontology/model.js';
import { cardinalityKinds, ownRules, fillers } from '../ontology/restrictions.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type Breach, type OntologyInput, type OntologyRule } from './rule.js';

function onEachRule(
  says: (rule: PropertyRule, model: ClassModel, input: OntologyInput) => string | undefined,
): OntologyRule['check'] {
  return (input) =>
    [...input.ontology.classes.values()].flatMap((model) =>
      [...model.rules.values()].flatMap((rule) => {
        const said = says(rule, model, input);
        return said === undefined ? [] : breach(model.iri, said, rule.property);
      }),
    );
}

const undeclaredProperty: OntologyRule = {
  id: 'undeclared-property',
  severity: 'error',
  summary: 'A restriction names one declared property, and requires something of it.',
  hint: 'Declare the property as owl:ObjectProperty or owl:DatatypeProperty; look for a misspelt term of OWL, such as owl:cardinality.',
  check: (input) => [
    // An unreadable restriction would silently ask for nothing.
    ...restrictions(input)
      .filter(({ property }) => property === undefined)
      .map(({ subject, needs }) => breach(subject, `has a restriction without ${needs}`)),
    ...restrictions(input).flatMap((restriction) => silentOf(input.graph, restriction)),
    ...undeclared(input),
  ],
};

const undeclared = onEachRule(({ property }, _, { ontology }) =>
  ontology.properties.has(property)
    ? undefined
    : `restricts ${shortName(property)}, which is not declared as a property`,
);

/** What an OWL restriction may ask for. Any other OWL term is a typo, since OWL declares its own. */
const restrictionTerms = [...cardinalityKinds, owl.allValuesFrom, owl.someValuesFrom, owl.hasValue];

/** Finds OWL restrictions of several properties, of which only one is read, and restrictions that ask for nothing. */
function silentOf(graph: Graph, { subject, node, property, needs }: StatedRestriction): Breach[] {
  if (property === undefined || needs !== 'owl:onProperty') return [];
  if (graph.objects(node, owl.onProperty).length > 1)
    return [breach(subject, 'has a restriction of several properties', property)];
  const asks = restrictionTerms.filter((term) => graph.objects(node, term).length > 0);
  const isQualified = asks.some((term) => shortName(term).includes('Qualified'));
  if (isQualified && [owl.onClass, owl.onDataRange].every((term) => graph.objects(node, term).length === 0))
    return [
      breach(
        subject,
        `has a qualified restriction of ${shortName(property)} without owl:onClass or owl:onDataRange`,
        property,
      ),
    ];
  if (asks.length > 0) return [];
  return [breach(subject, `has a restriction of ${shortName(property)} that asks for nothing`, property)];
}

interface StatedRestriction {
  readonly subject: string;
  readonly property: string | undefined;
  readonly needs: 'owl:onProperty' | 'sh:path';
  readonly node: Parameters<Graph['objects']>[0];
}

function restrictions({ graph, ontology }: OntologyInput): StatedRestriction[] {
  return [...ontology.classes.keys()].flatMap((subject) => restrictionsOf(graph, subject));
}

function restrictionsOf(graph: Graph, subject: string): StatedRestriction[] {
  const parents = graph
    .objects(subject, rdfs.subClassOf)
    .filter((node) => graph.hasType(node, owl.Restriction));
  return [
    ...parents.map((node) => ({
      subject,
      node,
      property: graph.value(node, owl.onProperty),
      needs: 'owl:onProperty' as const,
    })),
    ...graph
      .objects(subject, sh.property)
      .map((node) => ({ subject, node, property: graph.value(node, sh.path), needs: 'sh:path' as const })),
  ];
}

const propertyKind: OntologyRule = {
  id: 'property-kind',
  severity: 'error',
  summary: 'Object properties lead to nodes, datatype properties to literals.',
  hint: 'Change the kind of the property, or the range that the class gives it.',
  check: (input) => [...ofWrongKind(input), ...rangesOfWrongKind(input)],
};

const ofWrongKind = onEachRule(({ property, literal, classes }, _, { ontology }) => {
  const kind = ontology.properties.get(property)?.kind;
  if (kind === 'object' && literal)
    return `wants literals of ${shortName(property)}, which is an object property`;
  return kind === 'datatype' && classes.length > 0
    ? `wants nodes of ${shortName(property)}, which is a datatype property`
    : undefined;
});

function rangesOfWrongKind({ graph, ontology }: OntologyInput): Breach[] {
  return [...ontology.properties.values()]
    .filter(({ kind }) => kind === 'datatype')
    .flatMap(({ iri: subject }) =>
      graph
        .objects(subject, rdfs.range)
        .filter(({ value }) => ontology.classes.has(value))
        .map(({ value }) =>
          breach(subject, `is a datatype property with the range ${shortName(value)}, a class`, rdfs.range),
        ),
    );
}

const missingRange: OntologyRule = {
  id: 'missing-range',
  severity: 'error',
  summary: 'An object property has a range wherever a class restricts it.',
  hint: 'Add a restriction with owl:allValuesFrom and the class of the value.',
  // Without a range, clients cannot tell what the property leads to. Reported once, at the class that states the rule.
  check: onEachRule(({ property, literal, classes, from }, { iri }, { ontology }) =>
    ontology.properties.get(property)?.kind === 'object' && !literal && classes.length === 0 && from === iri
      ? `restricts ${shortName(property)} without giving it a range`
      : undefined,
  ),
};

const severalRanges: OntologyRule = {
  id: 'several-ranges',
  severity: 'error',
  summary: 'A class and its ancestors give a property one range.',
  hint: 'Keep one owl:allValuesFrom or owl:onClass, if need be with a common parent.',
  // Clients read the union over the class and its ancestors, which must be one class.
  check: (input) => {
    const rulesOf = new Map(
      [...input.ontology.classes.keys()].map((iri) => [iri, ownRules(input.graph, iri)]),
    );
    return onEachRule(({ property }, { iri, ancestors }) => {
      const ranges = new Set(
        [iri, ...ancestors].flatMap((origin) => rulesOf.get(origin)?.get(property)?.classes ?? []),
      );
      return ranges.size > 1
        ? `gives ${shortName(property)} more than one range: ${[...ranges].map(shortName).join(', ')}`
        : undefined;
    })(input);
  },
};

const mixedRange: OntologyRule = {
  id: 'mixed-range',
  severity: 'error',
  summary: 'A property of a class is a literal or a node, not both.',
  hint: 'Keep rdfs:Literal or the class.',
  check: onEachRule(({ property, literal, classes }) =>
    literal && classes.length > 0
      ? `wants ${shortName(property)} to be both a literal and a node`
      : undefined,
  ),
};

const repeatedCardinality: OntologyRule = {
  id: 'repeated-cardinality',
  severity: 'error',
  summary: 'A class and its ancestors state each kind of cardinality once for a property.',
  hint: 'Remove the restriction here or at the ancestor, or take another kind (owl:maxCardinality beside owl:minCardinality).',
  check: ({ graph, ontology }) => [...ontology.classes.values()].flatMap((model) => repeatedIn(graph, model)),
};

function repeatedIn(graph: Graph, { iri: subject, ancestors }: ClassModel): Breach[] {
  const counts = new Map<string, { count: number; near: string }>();
  for (const origin of [subject, ...ancestors]) {
    for (const { property: near, node } of restrictionsOf(graph, origin)) {
      for (const kind of cardinalityKinds) {
        const stated = graph.objects(node, kind).length;
        if (near === undefined || stated === 0) continue;
        const key = `${shortName(kind)} of ${shortName(near)}`;
        counts.set(key, { count: (counts.get(key)?.count ?? 0) + stated, near });
      }
    }
  }
  return [...counts]
    .filter(([, { count }]) => count > 1)
    .map(([key, { near }]) => breach(subject, `states or inherits ${key} more than once`, near));
}

const impossibleCardinality: OntologyRule = {
  id: 'impossible-cardinality',
  severity: 'error',
  summary: 'Cardinalities are whole numbers, and the minimum is not above the maximum.',
  hint: 'Write whole numbers in digits, such as owl:maxCardinality 1; where the least is above the greatest, raise the maximum or lower the minimum: both may be inherited.',
  check: (input) => [
    ...restrictions(input).flatMap(({ subject, property, node }) =>
      property === undefined
        ? []
        : cardinalityKinds
            .flatMap((kind) => input.graph.objects(node, kind))
            .filter(({ value }) => !/^\d+$/.test(value))
            .map(({ value }) =>
              breach(
                subject,
                `asks for ${value} of ${shortName(property)}, which is no whole number from 0 on`,
                property,
              ),
            ),
    ),
    ...crossed(input),
  ],
};

const crossed = onEachRule(({ property, min, max }) =>
  min > max ? `asks for at least ${min} and at most ${max} of ${shortName(property)}` : undefined,
);

/** Finds unreadable data ranges, which would silently ask for nothing; a named one is reported once. */
function unread({ graph, ontology }: OntologyInput): Breach[] {
  const found = [...ontology.classes.keys()].flatMap((subject) =>
    graph
      .objects(subject, rdfs.subClassOf)
      .flatMap((restriction) =>
        graph
          .iris(restriction, owl.onProperty)
          .flatMap((property) =>
            [
              ...fillers(graph, restriction).flatMap((filler) => dataRangesOf(graph, property, filler)),
              ...rangesAside(graph, restriction, [owl.someValuesFrom]),
            ].flatMap((read) => ('fault' in read ? unreadBreach(subject, property, read) : [])),
          ),
      ),
  );
  for (const subject of ontology.properties.keys()) {
    for (const { near, fault } of rangesAside(graph, subject, [rdfs.range]))
      found.push(breach(subject, `has a data range ${fault}`, near));
  }
  return [...new Map(found.map((breach) => [`${breach.subject} ${breach.says}`, breach])).values()];
}

function unreadBreach(subject: string, property: string, { name, near, fault }: UnreadRange): Breach {
  return name === undefined
    ? breach(subject, `restricts ${shortName(property)} to a data range ${fault}`, near ?? property)
    : breach(name, `is defined as a data range ${fault}`, near);
}

function emptyIn(subject: string, { property: near, ranges }: PropertyRule): Breach[] {
  return [...new Set(ranges.map(({ on }) => on))].flatMap((on) => {
    const onSameProperty = ranges.filter((range) => range.on === on);
    if (!areEmpty(onSameProperty)) return [];
    const what = on === undefined ? shortName(near) : `${shortName(on)} in ${shortName(near)}`;
    return breach(
      subject,
      `leaves no value for ${what}: ${onSameProperty.map(rangeInWords).join('; ')}`,
      near,
    );
  });
}

const dataRange: OntologyRule = {
  id: 'data-range',
  severity: 'error',
  summary:
    'A data range lists literals, or bounds a datatype in ways that the container checks, and allows some value.',
  hint: 'Lead to it by owl:allValuesFrom of a class. State owl:oneOf with literals; or owl:onDatatype with numbers or dates and xsd:minInclusive, minExclusive, maxInclusive or maxExclusive; or with xsd:string and xsd:length, minLength or maxLength.',
  check: (input) => [
    ...unread(input),
    ...[...input.ontology.classes.values()].flatMap(({ iri, rules }) =>
      [...rules.values()].flatMap((rule) => emptyIn(iri, rule)),
    ),
  ],
};

/** Rules for what classes ask of properties: it must be loadable for clients, and possible to satisfy. */
export const classRules = [
  undeclaredProperty,
  propertyKind,
  missingRange,
  severalRanges,
  mixedRange,
  repeatedCardinality,
  impossibleCardinality,
  dataRange,
];
