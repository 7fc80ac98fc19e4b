import { cg } from '../../rdf/vocabulary.js';
import type { Graph } from './graph.js';
import { shownAsWords, shownGroups, shownProperties, type ShownAs } from './model.js';
import { valueTypes, type ValueType } from './value-types.js';

export function oneOf<T extends string>(allowed: readonly T[], value: string | undefined): T | undefined {
  return allowed.find((candidate) => candidate === value);
}

export function valueTypeOf(graph: Graph, iri: string): ValueType | undefined {
  return oneOf(valueTypes, graph.value(iri, cg.valueType));
}

/** The cg:choice values, sorted by code unit. */
export function choicesOf(graph: Graph, iri: string): string[] {
  return graph
    .objects(iri, cg.choice)
    .map((term) => term.value)
    .sort();
}

/** Reads how pages show a class: its own annotations, else those of its nearest ancestor. */
export function readShownAs(graph: Graph, lineage: readonly string[]): ShownAs {
  const nearest = (annotation: keyof typeof cg): string | undefined =>
    lineage.find((iri) => graph.objects(iri, cg[annotation]).length > 0);
  const named = (annotation: (typeof shownProperties)[number]): string[] =>
    graph.iris(nearest(annotation) ?? '', cg[annotation]);
  return {
    ...(Object.fromEntries(shownProperties.map((annotation) => [annotation, named(annotation)])) as Record<
      (typeof shownProperties)[number],
      string[]
    >),
    group: oneOf(shownGroups, graph.value(nearest('group') ?? '', cg.group)),
    as: oneOf(shownAsWords, graph.value(nearest('shownAs') ?? '', cg.shownAs)),
    order: orderOf(graph, nearest('order') ?? ''),
  };
}

/** Returns the cg:order of a term; Infinity without one. */
export function orderOf(graph: Graph, iri: string): number {
  const text = graph.value(iri, cg.order) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
}
