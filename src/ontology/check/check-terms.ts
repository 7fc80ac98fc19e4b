import { api, cg, owl, prefixes } from '../../rdf/vocabulary.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { readSort } from '../read-calls.js';
import { readPaths } from '../filter-patterns.js';
import type { Graph } from '../graph.js';
import type { Ontology } from '../model.js';
import { shortName } from '../term-names.js';
import { problem } from './ontology-problem.js';
import type { OntologyProblem } from './ontology-problem.js';

/** The languages that the ontology is written in are not declared by it. */
const builtIn: ReadonlySet<string> = new Set([prefixes.rdf, prefixes.rdfs, prefixes.owl, prefixes.xsd]);
const ours = Object.values(prefixes).filter((namespace) => !builtIn.has(namespace));

/** Whether an IRI belongs to a vocabulary whose terms the ontology must declare. */
export function isVocabularyTerm(iri: string): boolean {
  return ours.some((namespace) => iri.startsWith(namespace) && iri.length > namespace.length);
}

/** Terms of our vocabularies that are used anywhere in the graph and declared nowhere, and the ontology header. */
export function termProblems(graph: Graph, quads: readonly Quad[], { terms }: Ontology): OntologyProblem[] {
  const undeclared = new Map<string, string>();
  const holders = new Map(quads.map(({ subject, object }) => [object.value, subject]));
  const note = (term: Term, user: Term): void => {
    if (term.termType !== 'NamedNode' || terms.has(term.value) || !isVocabularyTerm(term.value)) return;
    if (!undeclared.has(term.value)) undeclared.set(term.value, holderOf(user, holders));
  };
  for (const { subject, predicate, object } of quads) {
    for (const term of [subject, predicate, object]) note(term, subject);
  }
  const sorts = graph.instances(api.Call).flatMap((call) => {
    const ways = (graph.value(call, cg.sortNames) ?? '').split(',').filter((path) => path.trim() !== '');
    const unread = ways.filter((path) => readPaths(path).length !== 1);
    const used = [
      ...[readSort(graph, call) ?? []].flat().map((iri) => ({ iri, near: api.defaultSort })),
      ...ways.flatMap((path) => readPaths(path).flat()).map((iri) => ({ iri, near: cg.sortNames })),
    ];
    return [
      ...unread.map((path) =>
        problem('sort-names', call, `sorts by ${path.trim()}, which is no path of properties`, cg.sortNames),
      ),
      ...used
        .filter(({ iri }) => !terms.has(iri))
        .map(({ iri, near }) =>
          problem('undeclared-term', call, `sorts by ${shortName(iri)}, which is not declared`, near),
        ),
    ];
  });
  return [
    ...[...undeclared].map(([iri, user]) =>
      problem(
        'undeclared-term',
        iri,
        `is used${user === iri || user === '' ? '' : ` by ${shortName(user)}`} but not declared`,
      ),
    ),
    ...sorts,
    ...headerProblems(graph),
  ];
}

/** The IRI in whose description a node stands: labels of blank nodes tell nobody anything. Empty where there is none. */
function holderOf(node: Term, holders: ReadonlyMap<string, Term>): string {
  const seen = new Set<string>();
  let holder: Term | undefined = node;
  while (holder?.termType === 'BlankNode' && !seen.has(holder.value)) {
    seen.add(holder.value);
    holder = holders.get(holder.value);
  }
  return holder?.termType === 'NamedNode' ? holder.value : '';
}

function headerProblems(graph: Graph): OntologyProblem[] {
  const headers = graph.instances(owl.Ontology);
  if (headers.length !== 1) {
    return [
      problem('ontology-header', owl.Ontology, `must have exactly one instance, it has ${headers.length}`),
    ];
  }
  return headers
    .filter((iri) => graph.objects(iri, owl.versionInfo).length !== 1)
    .map((iri) => problem('ontology-header', iri, 'must state exactly one owl:versionInfo'));
}
