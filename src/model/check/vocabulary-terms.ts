import { madeOnce } from '../../rdf/made-once.js';
import type { Quad, Term } from '../../rdf/terms.js';
import { cg, prefixes } from '../../rdf/vocabulary.js';
import type { Graph } from '../ontology/graph.js';
import type { Ontology } from '../ontology/model.js';

/** The languages of the ontology, which it does not declare. */
const builtIn: readonly string[] = [prefixes.rdf, prefixes.rdfs, prefixes.owl, prefixes.xsd, prefixes.sh];
const ours = Object.values(prefixes).filter((namespace) => !builtIn.includes(namespace));

type Declared = Pick<Ontology, 'classes' | 'properties'>;

export function isContainerTerm(iri: string): boolean {
  return ours.some((namespace) => iri.startsWith(namespace) && iri.length > namespace.length);
}

/** The container adds these to what analysts see. */
// prettier-ignore
export const derivedTerms: readonly string[] = [
  cg.earliest, cg.latest, cg.firstDay, cg.lastDay, cg.number, cg.canonicalValue, cg.canonicalUnit, cg.endStated,
];

/** Whether a term of the container's vocabularies is undeclared. @param terms the declared ones */
export function isUndeclared(iri: string, terms: ReadonlySet<string>): boolean {
  return isContainerTerm(iri) && !terms.has(iri) && !derivedTerms.includes(iri);
}

/**
 * Whether the ontology must declare an IRI: one of the container's vocabularies, or of a namespace in which it
 * declares a class or property. Codes are exempt: there are more than anybody lists.
 */
export function isVocabularyTerm(iri: string, { classes, properties }: Declared): boolean {
  if (isContainerTerm(iri)) return true;
  const namespace = namespaceOf(iri);
  return iri.length > namespace.length && ownNamespaces(classes, properties).has(namespace);
}

const ownNamespaces = madeOnce(
  (classes: Declared['classes'], properties: Declared['properties']): ReadonlySet<string> =>
    new Set([...classes.keys(), ...properties.keys()].filter((iri) => !isBuiltIn(iri)).map(namespaceOf)),
);

const isBuiltIn = (iri: string): boolean => builtIn.some((namespace) => iri.startsWith(namespace));

function namespaceOf(iri: string): string {
  return iri.slice(0, Math.max(iri.lastIndexOf('#'), iri.lastIndexOf('/')) + 1);
}

export function declaredAs(graph: Graph, types: readonly string[]): string[] {
  return [...new Set(types.flatMap((type) => graph.instances(type)))].filter(
    (iri) => !isBuiltIn(iri) && !iri.startsWith('_:'),
  );
}

/** Finds the IRI whose description holds a node; '' if there is none. */
export function holdersIn(quads: readonly Quad[]): (node: Term) => string {
  const holders = new Map(
    quads
      .filter(({ object }) => object.termType === 'BlankNode')
      .map(({ subject, object }) => [object.value, subject]),
  );
  return (node) => {
    const seen = new Set<string>();
    let holder: Term | undefined = node;
    while (holder?.termType === 'BlankNode' && !seen.has(holder.value)) {
      seen.add(holder.value);
      holder = holders.get(holder.value);
    }
    return holder?.termType === 'NamedNode' ? holder.value : '';
  };
}
