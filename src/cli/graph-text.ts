import type { Quad } from '../rdf/terms.js';

/** The first value of a property anywhere in a graph, '' where there is none. */
export function textOf(quads: readonly Quad[] | undefined, property: string): string {
  return quads?.find(({ predicate }) => predicate.value === property)?.object.value ?? '';
}
