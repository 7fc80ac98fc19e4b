import { prefixes } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';

/** The languages that the ontology is written in are not declared by it. */
const builtIn: ReadonlySet<string> = new Set([
  prefixes.rdf,
  prefixes.rdfs,
  prefixes.owl,
  prefixes.xsd,
  prefixes.sh,
]);
const ours = Object.values(prefixes).filter((namespace) => !builtIn.has(namespace));

/** Whether an IRI belongs to a vocabulary whose terms the ontology must declare. */
export function isVocabularyTerm(iri: string): boolean {
  return ours.some((namespace) => iri.startsWith(namespace) && iri.length > namespace.length);
}

/** The terms of our vocabularies that have one of these types, each once. */
export function declaredAs(graph: Graph, types: readonly string[]): string[] {
  return [...new Set(types.flatMap((type) => graph.instances(type)))].filter(isVocabularyTerm);
}
