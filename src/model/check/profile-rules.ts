import { listShape, owl, prefixes, rdf, rdfs, sh } from '../../rdf/vocabulary.js';
import type { Graph } from '../ontology/graph.js';
import { shapeTerms } from '../ontology/restrictions.js';
import { shortName } from '../ontology/term-names.js';
import { breach, type Breach, type OntologyInput, type OntologyRule } from './rule.js';

const propertyKinds = [owl.ObjectProperty, owl.DatatypeProperty, owl.AnnotationProperty];
const kinds = [owl.Class, ...propertyKinds];

/** OWL 2 Structural Specification §2.4: vocabularies whose terms are reserved, except for the built-in ones below. */
const reserved = [prefixes.rdf, prefixes.rdfs, prefixes.owl];
const builtInClasses: ReadonlySet<string> = new Set([owl.Thing, rdfs.Literal]);
const builtInAnnotations: ReadonlySet<string> = new Set([
  rdfs.label,
  rdfs.comment,
  rdfs.seeAlso,
  rdfs.isDefinedBy,
  owl.deprecated,
  owl.versionInfo,
]);

const isReserved = (iri: string): boolean => reserved.some((namespace) => iri.startsWith(namespace));

const kindsOf = (graph: Graph, iri: string, of: readonly string[]): string[] =>
  of.filter((kind) => graph.hasType(iri, kind));

function misdeclared({ graph }: OntologyInput): Breach[] {
  const iris = [...new Set(kinds.flatMap((kind) => graph.instances(kind)))];
  return iris.flatMap((subject) => {
    const several = kindsOf(graph, subject, propertyKinds);
    const strange = kindsOf(graph, subject, kinds).filter(
      (kind) => isReserved(subject) && !(kind === owl.AnnotationProperty && builtInAnnotations.has(subject)),
    );
    return [
      ...strange.map((near) =>
        breach(subject, `is declared as ${shortName(near)}, and only RDF and OWL may declare it`, near),
      ),
      ...(several.length > 1 && strange.length === 0
        ? [breach(subject, `is ${several.map(shortName).join(' and ')} at once`, several[1])]
        : []),
    ];
  });
}

function misrestricted({ graph, ontology }: OntologyInput): Breach[] {
  return [...ontology.classes.keys()].flatMap((subject) =>
    graph
      .objects(subject, rdfs.subClassOf)
      .filter((node) => graph.hasType(node, owl.Restriction))
      .flatMap((node) => [
        ...graph
          .iris(node, owl.onProperty)
          .filter(isReserved)
          .map((near) => breach(subject, `restricts ${shortName(near)}`, near)),
        ...[...graph.iris(node, owl.allValuesFrom), ...graph.iris(node, owl.onClass)]
          .filter((range) => isReserved(range) && !builtInClasses.has(range))
          .map((near) => breach(subject, `restricts a property to ${shortName(near)}`, near)),
      ]),
  );
}

const owlProfile: OntologyRule = {
  id: 'owl-profile',
  severity: 'warning',
  summary: 'Terms are declared and restricted as OWL 2 DL allows, so that reasoners can read the ontology.',
  hint: 'Give a property one kind. Describe terms of RDF without declaring them, and say what a class asks of them with sh:property.',
  check: (input) => [...misdeclared(input), ...misrestricted(input)],
};

function unread(graph: Graph, node: Parameters<Graph['objects']>[0]): string | undefined {
  const other = [...graph.properties(node).keys()].find((term) => term !== rdf.type && !shapeTerms.has(term));
  if (other !== undefined) return shortName(other);
  if (graph.objects(node, sh.nodeKind).some(({ value }) => value !== sh.Literal))
    return 'a sh:nodeKind other than sh:Literal';
  return graph.objects(node, sh.node).some(({ value }) => value !== listShape)
    ? 'a sh:node other than dash:ListShape'
    : undefined;
}

const propertyShape: OntologyRule = {
  id: 'property-shape',
  severity: 'error',
  summary: 'A property shape of a class states only what the container reads.',
  hint: 'State sh:path with sh:minCount, sh:maxCount, sh:nodeKind sh:Literal or sh:node dash:ListShape; use an owl:Restriction for everything else.',
  check: ({ graph, ontology }) =>
    [...ontology.classes.keys()].flatMap((subject) =>
      graph.objects(subject, sh.property).flatMap((node) => {
        const what = unread(graph, node);
        return what === undefined
          ? []
          : breach(
              subject,
              `has a property shape with ${what}, which is not read`,
              graph.value(node, sh.path),
            );
      }),
    ),
};

export const profileRules = [owlProfile, propertyShape];
