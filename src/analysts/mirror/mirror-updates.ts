import { writeTerm } from '../../rdf/ntriples.js';
import { namedNode } from '../../rdf/terms.js';
import { removalOf, type LevelGraph } from '../level-text.js';

/** One operation of a SPARQL Update, with what it costs a server in triples, as nearly as can be told. */
export interface Operation {
  readonly text: string;
  readonly cost: number;
}

/** Triples that one request brings at most: some servers take no more at once. */
export const MOST_TRIPLES = 2000;
/** What it costs to take a graph away. */
const REMOVAL = 50;

/** The operations that put a graph into a mirror. @param place the graph in the place of the default one, if any */
export function insertionsOf({ name, own, merged }: LevelGraph, place: string | undefined): Operation[] {
  return [...inserted(merged, place), ...inserted(own, name)];
}

/** The operations that make a mirror hold a graph as it is now, or no longer. */
export function replacementsOf(graph: LevelGraph, place: string | undefined): Operation[] {
  return [{ text: removalOf([graph.name], place), cost: REMOVAL }, ...insertionsOf(graph, place)];
}

/** Puts operations together to requests, in their order, each within what a server takes at once. */
export function* requestsOf(operations: Iterable<Operation>): Generator<string> {
  let texts: string[] = [];
  let total = 0;
  for (const { text, cost } of operations) {
    if (total > 0 && total + cost > MOST_TRIPLES) {
      yield texts.join(' ;\n');
      [texts, total] = [[], 0];
    }
    texts.push(text);
    total += cost;
  }
  if (texts.length > 0) yield texts.join(' ;\n');
}

function inserted(triples: readonly string[], graph: string | undefined): Operation[] {
  const operations: Operation[] = [];
  for (let from = 0; from < triples.length; from += MOST_TRIPLES) {
    const some = triples.slice(from, from + MOST_TRIPLES);
    const lines = some.map((triple) => `${triple} .\n`).join('');
    const data = graph === undefined ? lines : `GRAPH ${writeTerm(namedNode(graph))} {\n${lines}}`;
    operations.push({ text: `INSERT DATA {\n${data}}`, cost: some.length });
  }
  return operations;
}
