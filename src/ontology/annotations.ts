import { cg } from '../rdf/vocabulary.js';
import type { Graph } from './graph.js';
import { valueTypes, type ValueType } from './value-types.js';

/** A value of a closed list, or undefined. */
export function oneOf<T extends string>(allowed: readonly T[], value: string | undefined): T | undefined {
  return allowed.find((candidate) => candidate === value);
}

/** cg:valueType of a property, parameter or filter, where a known one is stated. */
export function valueTypeOf(graph: Graph, iri: string): ValueType | undefined {
  return oneOf(valueTypes, graph.value(iri, cg.valueType));
}

/** cg:choice values, sorted by code unit. */
export function choicesOf(graph: Graph, iri: string): string[] {
  return graph
    .objects(iri, cg.choice)
    .map((term) => term.value)
    .sort();
}
