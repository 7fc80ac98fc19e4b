import { readBlankNodes } from './blank-graph.js';
import { RdfLimitError } from './rdf-errors.js';
import { numberBlankNodes } from './skolem-iris.js';
import { writeTerm } from './ntriples.js';
import type { Quad, Term } from './terms.js';

type GraphDifference = ReturnType<typeof compare>;

type Name = (blank: Term) => string;

/**
 * Returns how a graph became another; empty for isomorphic graphs. A canonical order of the blank nodes decides
 * whether there is a difference. To show it, nodes are paired by that order, by label or by what is below them,
 * whichever leaves least: labels suit graphs of one store, the others nodes that queries make. Nodes too entangled
 * for an order are paired by label only.
 */
export function graphDifference(old: readonly Quad[], now: readonly Quad[]): GraphDifference {
  const byLabel = compare(old, now, labels(), labels());
  if (sizeOf(byLabel) === 0) return byLabel;
  const places = withinLimits(() => [placesOf(old), placesOf(now)] as const);
  if (!places) return byLabel;
  const byPlace = compare(old, now, ...places);
  if (sizeOf(byPlace) === 0) return byPlace;
  const byContent = compare(old, now, contentsOf(old, places[0]), contentsOf(now, places[1]));
  // Pairing by content merges equal nodes: if nothing is left, only their number differs.
  const candidates = [byLabel, byPlace, byContent].filter((each) => sizeOf(each) > 0);
  return candidates.reduce((least, each) => (sizeOf(each) < sizeOf(least) ? each : least));
}

const sizeOf = ({ removed, added }: GraphDifference): number => removed.length + added.length;

const labels = (): Name => (blank) => `_:${blank.value}`;

function placesOf(quads: readonly Quad[]): Name {
  const places = numberBlankNodes(quads);
  return ({ value }) => `_:b${places.get(value)}`;
}

function contentsOf(quads: readonly Quad[], place: Name): Name {
  const entries = readBlankNodes(quads);
  return (blank) => entries.get(blank.value)?.tree ?? place(blank);
}

function withinLimits<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RdfLimitError) return undefined;
    throw error;
  }
}

function compare(old: readonly Quad[], now: readonly Quad[], was: Name, is: Name) {
  const before = textsOf(old, was);
  const after = textsOf(now, is);
  return { removed: onlyIn(before, after), added: onlyIn(after, before) };
}

function onlyIn(texts: ReadonlyMap<string, Quad>, others: ReadonlyMap<string, Quad>): Quad[] {
  return [...texts]
    .filter(([text]) => !others.has(text))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, quad]) => quad);
}

function textsOf(quads: readonly Quad[], name: Name): Map<string, Quad> {
  const text = (term: Term): string => (term.termType === 'BlankNode' ? name(term) : writeTerm(term));
  return new Map(
    quads.map((quad) => [`${text(quad.subject)} ${text(quad.predicate)} ${text(quad.object)}`, quad]),
  );
}
