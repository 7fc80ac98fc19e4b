import type { Quad } from '../../rdf/terms.js';
import { api, cg, dcterms, owl, prov, rdf, sp } from '../../rdf/vocabulary.js';
import { Graph } from '../ontology/graph.js';
import { speaking } from '../ontology/layers.js';
import { isA, type Ontology } from '../ontology/model.js';
import { expandName, shortName } from '../ontology/term-names.js';
import { breach, problem, type OntologyProblem, type Rule } from './rule.js';
import { declaredAs, derivedTerms, holdersIn } from './vocabulary-terms.js';

/** Terms can be used by queries as well, so this rule runs when those are read. */
export const unusedTerm: Rule = {
  id: 'unused-term',
  severity: 'warning',
  summary: 'A declared class, property, filter, parameter or listed code is used somewhere.',
  hint: 'Use it, remove it, or mark it owl:deprecated true when it is kept for older data and readers.',
};

/** The types of terms that must be used. Calls start all use, and codes are used by their set. */
const candidates = [
  owl.Class,
  owl.ObjectProperty,
  owl.DatatypeProperty,
  owl.AnnotationProperty,
  rdf.Property,
  api.Filter,
  api.Parameter,
];

/** Annotations with SPARQL or paths in their text, which name terms. */

/** Terms that the container writes by itself, without any statement in the ontology. */
const written: ReadonlySet<string> = new Set([
  api.ResponseSummary,
  cg.byteSize,
  cg.overrides,
  cg.sha256,
  dcterms.description,
  prov.wasDerivedFrom,
  ...derivedTerms,
]);

/**
 * Finds terms that no restriction, call, range, subclass, individual, pattern or order of the ontology uses, nor
 * `elsewhere`. These count as used: a class with a base path, by what is stored there; a vCard label, by the nodes it
 * marks; a set of codes, when a restriction asks for it or a set above it; a code of a closed set, by being listed;
 * and everything deprecated, which is kept for others.
 * @param elsewhere IRIs that the queries use
 */
export function usageProblems(
  ontology: Ontology,
  quads: readonly Quad[],
  elsewhere: ReadonlySet<string>,
): OntologyProblem[] {
  const graph = new Graph(quads);
  const used = usedTerms(quads);
  const isKept = (iri: string): boolean => graph.value(iri, owl.deprecated) === 'true';
  const isPlaced = (iri: string): boolean =>
    ontology.classes.get(iri)?.basePath !== undefined || isA(ontology, iri, sp.VCardLabels);
  const requiredSets = new Set(
    [...ontology.classes.values()].flatMap(({ rules }) =>
      [...rules.values()].flatMap(({ codeClass }) => codeClass ?? []),
    ),
  );
  const isBelowRequiredSet = (iri: string): boolean =>
    [...requiredSets].some((set) => isA(ontology, iri, set));
  const idle = declaredAs(graph, candidates).filter(
    (iri) =>
      !used.has(iri) &&
      !elsewhere.has(iri) &&
      !written.has(iri) &&
      !isPlaced(iri) &&
      !isBelowRequiredSet(iri) &&
      !isKept(iri),
  );
  return [
    ...idle.map((iri) => problem(unusedTerm, breach(iri, 'is declared and used nowhere'))),
    ...[...ontology.codes.values()].flatMap(({ iri, classes }) =>
      classes
        .filter((set) => ontology.classes.get(set)?.members?.includes(iri) === false && !isKept(iri))
        .map((set) =>
          problem(unusedTerm, breach(iri, `is typed with ${shortName(set)}, which does not list it`)),
        ),
    ),
  ];
}

/** Returns the terms that statements about other terms use; blank nodes count as what they describe. */
function usedTerms(quads: readonly Quad[]): Set<string> {
  const holderOf = holdersIn(quads);
  const used = new Set<string>();
  for (const { subject, predicate, object } of quads) {
    const owner = holderOf(subject);
    if (predicate.value !== owner) used.add(predicate.value);
    if (object.termType === 'NamedNode' && object.value !== owner) used.add(object.value);
    if (speaking.includes(predicate.value)) for (const iri of termsIn(object.value)) used.add(iri);
  }
  return used;
}

function termsIn(text: string): string[] {
  return [...text.matchAll(/<([^<>\s]+)>|([A-Za-z][\w-]*:[\w.-]+)/g)].flatMap(([, iri, name = '']) => {
    const term = iri ?? expandName(name);
    return term === undefined ? [] : [term];
  });
}
