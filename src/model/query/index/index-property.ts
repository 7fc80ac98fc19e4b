import { prefixes } from '../../../rdf/vocabulary.js';

/** The contents of indexes: instants of dates; folded names, their beginnings and order; whole texts. */
export type IndexKind = 'low' | 'high' | 'folded' | 'beginning' | 'order' | 'text';

/** Paths from a resource to literals that are indexed together. */
export type Paths = readonly (readonly string[])[];

/**
 * The index property of some paths: `cg:low/` and percent-encoded IRIs, slashes between steps and commas between
 * paths. Paths searched together share one: engines look that up faster than alternatives.
 */
export function indexProperty(kind: IndexKind, paths: Paths): string {
  return `${prefixes.cg}${kind}/${paths.map((path) => path.map(encodedIri).join('/')).join(',')}`;
}

const encoded = new Map<string, string>();

export function encodedIri(iri: string): string {
  let text = encoded.get(iri);
  if (text === undefined) encoded.set(iri, (text = encodeURIComponent(iri)));
  return text;
}
