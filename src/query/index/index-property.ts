import { prefixes } from '../../rdf/vocabulary.js';

/** What an index of the working set keeps: instants of dates, folded names, their beginnings and order, whole texts. */
export type IndexKind = 'low' | 'high' | 'folded' | 'beginning' | 'order' | 'text';

/** Ways from a resource to the literals that are indexed together, each as its properties. */
export type Paths = readonly (readonly string[])[];

/**
 * The property that an index of the working set keeps its entries by, made from the paths that lead from a resource to
 * what is indexed: `cg:low/` and the percent-encoded IRIs, slashes between steps and commas between paths. Paths that
 * are searched together have one property: an engine looks that up faster than a choice of several.
 */
export function indexProperty(kind: IndexKind, paths: Paths): string {
  return `${prefixes.cg}${kind}/${paths.map((path) => path.map(encodedIri).join('/')).join(',')}`;
}

/** Those of classes and properties, of which an ontology has few: every graph that is indexed asks for some. */
const encoded = new Map<string, string>();

/** An IRI of an ontology, percent-encoded. */
export function encodedIri(iri: string): string {
  let text = encoded.get(iri);
  if (text === undefined) encoded.set(iri, (text = encodeURIComponent(iri)));
  return text;
}
