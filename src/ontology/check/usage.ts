import { api, cg, dcterms, owl, prov, rdf, sp } from '../../rdf/vocabulary.js';
import { termKey } from '../../rdf/term-key.js';
import type { Quad } from '../../rdf/terms.js';
import { Graph } from '../graph.js';
import { isA, type Ontology } from '../model.js';
import { expandName, shortName } from '../term-names.js';
import { problem, type OntologyProblem } from './ontology-problem.js';
import type { Rule } from './rule.js';
import { declaredAs } from './vocabulary-terms.js';

/** What uses a term may stand in a query, so this rule is held when those are read. */
export const unusedTerm: Rule = {
  id: 'unused-term',
  severity: 'warning',
  summary: 'A declared class, property, filter, parameter or listed code is used somewhere.',
  hint: 'Use it, remove it, or mark it owl:deprecated true when it is kept for older data and readers.',
};

/** Terms that are declared to be used; calls are what all use begins with, codes are members of their set. */
const candidates = [
  owl.Class,
  owl.ObjectProperty,
  owl.DatatypeProperty,
  owl.AnnotationProperty,
  rdf.Property,
  api.Filter,
  api.Parameter,
];

/** Annotations whose text is SPARQL or a path, and so names terms. */
const speaking: readonly string[] = [api.filterSparql, api.defaultSort, cg.sortPath, cg.sortNames];

/** What the container writes by itself, with no statement of the ontology that says so. */
const written: ReadonlySet<string> = new Set([
  api.ResponseSummary,
  cg.byteSize,
  cg.sha256,
  dcterms.description,
  prov.wasDerivedFrom,
]);

/**
 * Terms that nothing uses: no restriction, call, range, subclass, individual, pattern or order of the ontology, and
 * none of the given. A class with a place of its own is used by what is stored there, a vCard label by the nodes that it
 * marks. What is deprecated is kept for others; codes of a closed set are used by being listed.
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
  const idle = declaredAs(graph, candidates).filter(
    (iri) => !used.has(iri) && !elsewhere.has(iri) && !written.has(iri) && !isPlaced(iri) && !isKept(iri),
  );
  return [
    ...idle.map((iri) => problem(unusedTerm, { subject: iri, says: 'is declared and used nowhere' })),
    ...[...ontology.codes.values()].flatMap(({ iri, classes }) =>
      classes
        .filter((set) => ontology.classes.get(set)?.members?.includes(iri) === false && !isKept(iri))
        .map((set) =>
          problem(unusedTerm, {
            subject: iri,
            says: `is typed with ${shortName(set)}, which does not list it`,
          }),
        ),
    ),
  ];
}

/** What any statement uses about something else than itself; blank nodes count as what they describe. */
function usedTerms(quads: readonly Quad[]): Set<string> {
  const holders = new Map(
    quads.flatMap(({ subject, object }) =>
      object.termType === 'BlankNode' ? [[termKey(object), termKey(subject)] as const] : [],
    ),
  );
  const ownerOf = (key: string, depth = 0): string => {
    const holder = holders.get(key);
    return holder === undefined || depth > holders.size ? key : ownerOf(holder, depth + 1);
  };
  const used = new Set<string>();
  for (const { subject, predicate, object } of quads) {
    const owner = ownerOf(termKey(subject));
    if (predicate.value !== owner) used.add(predicate.value);
    if (object.termType === 'NamedNode' && object.value !== owner) used.add(object.value);
    if (speaking.includes(predicate.value)) for (const iri of termsIn(object.value)) used.add(iri);
  }
  return used;
}

/** IRIs and prefixed names of a pattern or path. */
function termsIn(text: string): string[] {
  return [...text.matchAll(/<([^<>\s]+)>|([A-Za-z][\w-]*:[\w.-]+)/g)].flatMap(([, iri, name = '']) => {
    const term = iri ?? expandName(name);
    return term === undefined ? [] : [term];
  });
}
