import { prefixes } from '../../rdf/vocabulary.js';
import type { Graph } from '../graph.js';
import type { Ontology } from '../model.js';

/** The languages that the ontology is written in are not declared by it. */
const builtIn: readonly string[] = [prefixes.rdf, prefixes.rdfs, prefixes.owl, prefixes.xsd, prefixes.sh];
const ours = Object.values(prefixes).filter((namespace) => !builtIn.includes(namespace));

type Declared = Pick<Ontology, 'classes' | 'properties'>;

/** Whether an IRI belongs to a vocabulary of the container. */
export function isContainerTerm(iri: string): boolean {
  return ours.some((namespace) => iri.startsWith(namespace) && iri.length > namespace.length);
}

/**
 * Whether an IRI belongs to a vocabulary whose terms the ontology must declare: one of the container, or a namespace of
 * the author's own, which is one in which the ontology declares a class or a property. Codes make no vocabulary: there
 * are more of them than anybody lists.
 */
export function isVocabularyTerm(iri: string, ontology: Declared): boolean {
  if (isContainerTerm(iri)) return true;
  const namespace = namespaceOf(iri);
  return iri.length > namespace.length && ownNamespaces(ontology).has(namespace);
}

const known = new WeakMap<Declared['classes'], ReadonlySet<string>>();

function ownNamespaces({ classes, properties }: Declared): ReadonlySet<string> {
  const found =
    known.get(classes) ??
    new Set([...classes.keys(), ...properties.keys()].filter((iri) => !isBuiltIn(iri)).map(namespaceOf));
  known.set(classes, found);
  return found;
}

const isBuiltIn = (iri: string): boolean => builtIn.some((namespace) => iri.startsWith(namespace));

/** All up to the last `#` or `/`. */
function namespaceOf(iri: string): string {
  return iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
}

/** The terms that have one of these types, each once, but those of the languages. */
export function declaredAs(graph: Graph, types: readonly string[]): string[] {
  return [...new Set(types.flatMap((type) => graph.instances(type)))].filter(
    (iri) => !isBuiltIn(iri) && !iri.startsWith('_:'),
  );
}
