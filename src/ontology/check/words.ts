import { splitName } from '../../rdf/xml-names.js';
import { api, owl, rdf, rdfs } from '../../rdf/vocabulary.js';
import { isVocabularyTerm } from './check-terms.js';
import type { Graph } from '../graph.js';
import { problem } from './ontology-problem.js';
import type { OntologyProblem } from './ontology-problem.js';

const propertyKinds = [owl.ObjectProperty, owl.DatatypeProperty, owl.AnnotationProperty, rdf.Property];

/** What people read about, and programs call by its name; codes have titles instead. */
const described = [owl.Class, ...propertyKinds, api.Call, api.Filter, api.Parameter];

/** The terms of our vocabularies that have one of these types, each once. */
export function declaredAs(graph: Graph, types: readonly string[]): string[] {
  return [...new Set(types.flatMap((type) => graph.instances(type)))].filter(isVocabularyTerm);
}

/** Terms without the words that documentation and forms show for them. */
export function wordProblems(graph: Graph): OntologyProblem[] {
  return declaredAs(graph, described).flatMap((iri) => [
    ...(isSilent(graph, iri, rdfs.label) ? [problem('missing-label', iri, 'has no rdfs:label')] : []),
    ...(isSilent(graph, iri, rdfs.comment) ? [problem('missing-comment', iri, 'has no rdfs:comment')] : []),
  ]);
}

/** Properties that RDF/XML, the default form of every answer, cannot carry. */
export function nameProblems(graph: Graph): OntologyProblem[] {
  return declaredAs(graph, propertyKinds).flatMap((iri) => {
    const split = splitName(iri);
    return typeof split === 'string'
      ? [problem('xml-name', iri, `cannot be the name of an XML element: ${split}`)]
      : [];
  });
}

function isSilent(graph: Graph, iri: string, property: string): boolean {
  return !graph.objects(iri, property).some(({ value }) => value.trim() !== '');
}
