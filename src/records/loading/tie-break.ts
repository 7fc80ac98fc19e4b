import { addTo } from '../../rdf/by-key.js';
import { refineColours } from '../../rdf/colour-refinement.js';
import { hexDigest } from '../../rdf/hex-digest.js';

/** A statement among its neighbours. */
export interface Neighbour {
  /** What it is by itself. */
  readonly colour: string;
  /** Its links to other statements, by their keys. */
  readonly links: readonly { readonly predicate: string; readonly to: string }[];
}

/** How many statements may be told apart by hand; identical ones beyond that keep the order of the document. */
const BUDGET = 200;

/**
 * Tells statements of the same content apart by what they are linked with, so that which of them is `-2` depends on
 * the graph and not on the order of its triples. Colour refinement: a statement is coloured by its neighbours'
 * colours until that tells no more of them apart; where a tie is left, the first one of the document is marked and
 * its neighbours follow.
 * @param tied groups of keys, each in document order, in an order that the document has no say in
 * @returns the final colour by key: sorting a group by it, ties in document order, gives its order
 */
export function colourByLinks(
  neighbours: ReadonlyMap<string, Neighbour>,
  tied: readonly (readonly string[])[],
): ReadonlyMap<string, string> {
  const colours = new Map([...neighbours].map(([key, { colour }]) => [key, colour]));
  if (tied.length === 0) return colours;
  const edges = edgesOf(neighbours);
  refine(colours, edges);
  let budget = BUDGET;
  for (const group of tied) {
    const linked = group.filter((key) => (edges.get(key)?.length ?? 0) > 0);
    for (
      let twin = firstTwin(linked, colours);
      twin !== undefined && budget > 0;
      twin = firstTwin(linked, colours)
    ) {
      colours.set(twin, hexDigest(`${colours.get(twin)} first`));
      refine(colours, edges);
      budget--;
    }
  }
  return colours;
}

interface Edge {
  /** The predicate and its direction. */
  readonly label: string;
  readonly key: string;
}

/** Links of both directions, for the statements that have any. */
function edgesOf(neighbours: ReadonlyMap<string, Neighbour>): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>();
  for (const [key, { links }] of neighbours) {
    for (const { predicate, to } of links) {
      addTo(edges, key, { label: `to ${predicate}`, key: to });
      addTo(edges, to, { label: `from ${predicate}`, key });
    }
  }
  return edges;
}

function refine(colours: Map<string, string>, edges: ReadonlyMap<string, readonly Edge[]>): void {
  refineColours([...colours.values()], () => {
    const next = [...edges].map(([key, own]) => {
      const around = own.map((edge) => `${edge.label} ${colours.get(edge.key)}`).sort();
      return [key, hexDigest([colours.get(key), ...around].join('\n'))] as const;
    });
    for (const [key, colour] of next) colours.set(key, colour);
    return [...colours.values()];
  });
}

/** The first of the document among those that share the least of the shared colours. */
function firstTwin(keys: readonly string[], colours: ReadonlyMap<string, string>): string | undefined {
  const first = new Map<string, string>();
  let least: string | undefined;
  for (const key of keys) {
    const colour = colours.get(key) ?? '';
    if (!first.has(colour)) first.set(colour, key);
    else if (least === undefined || colour < least) least = colour;
  }
  return least === undefined ? undefined : first.get(least);
}
