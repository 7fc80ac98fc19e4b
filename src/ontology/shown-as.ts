import { cg } from '../rdf/vocabulary.js';
import { oneOf } from './annotations.js';
import type { Graph } from './graph.js';
import { shownGroups, type ShownAs } from './model.js';

/** The annotations of a class that name one of its properties. */
export const shownProperties = [
  'title',
  'date',
  'until',
  'status',
  'summary',
  'value',
  'unit',
  'range',
  'minimum',
  'maximum',
  'code',
] as const satisfies readonly (keyof ShownAs & keyof typeof cg)[];

/** How pages show a class: what it says itself, else what the nearest class above it says. */
export function readShownAs(graph: Graph, lineage: readonly string[]): ShownAs {
  const nearest = (annotation: keyof typeof cg): string | undefined =>
    lineage.find((iri) => graph.objects(iri, cg[annotation]).length > 0);
  const named = (annotation: (typeof shownProperties)[number]): string[] =>
    graph.iris(nearest(annotation) ?? '', cg[annotation]);
  const group = oneOf(shownGroups, graph.value(nearest('group') ?? '', cg.group));
  return {
    title: named('title'),
    date: named('date'),
    until: named('until'),
    status: named('status'),
    summary: named('summary'),
    value: named('value'),
    unit: named('unit'),
    range: named('range'),
    minimum: named('minimum'),
    maximum: named('maximum'),
    code: named('code'),
    ...(group !== undefined && { group }),
    order: orderOf(graph, nearest('order') ?? ''),
  };
}

/** The place that cg:order gives a term; Infinity where it gives none. */
export function orderOf(graph: Graph, iri: string): number {
  const text = graph.value(iri, cg.order) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : Infinity;
}
