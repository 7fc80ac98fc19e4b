import { treeLine, type BlankEntry } from './blank-graph.js';
import { addTo } from './by-key.js';
import { RdfLimitError } from './rdf-errors.js';

/** The most links read over the whole graph: about half a second of work. */
export const WORK_LIMIT = 1_000_000;

/** A blank node that is shared, or leads to shared or cyclic ones, with its links to others of that kind. */
interface CoreNode {
  readonly entry: BlankEntry;
  readonly fixed: string;
  readonly out: readonly Edge[];
  readonly in: readonly Edge[];
}

interface Edge {
  /** The predicate's rank among those of the component, since predicates may be long. */
  readonly predicate: string;
  readonly index: number;
}

interface Labelling {
  /**
   * The links with canonical numbers and, at the end, those of the whole component: equal only for isomorphic
   * components.
   */
  readonly text: string;
  readonly order: readonly BlankEntry[];
}

/**
 * Returns a canonical order of the blank nodes that are not in trees. Each connected component is labelled by colour
 * refinement and, while ties remain, by trying each tied node and keeping the smallest text. Branches that an
 * automorphism makes equal are cut, so that interchangeable nodes cost polynomial, not factorial, time.
 * @throws RdfLimitError after reading `limit` links
 */
export function orderCore(entries: Iterable<BlankEntry>, limit: number): BlankEntry[] {
  const budget = { left: limit };
  const components = connect([...entries].filter(({ isTree }) => !isTree));
  const labelled = components.map((component) => label(component, budget));
  labelled.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  return labelled.flatMap(({ order }) => order);
}

function connect(core: readonly BlankEntry[]): BlankEntry[][] {
  const found = new Set<BlankEntry>();
  const components: BlankEntry[][] = [];
  for (const first of core) {
    if (found.has(first)) continue;
    found.add(first);
    const component = [first];
    for (const entry of component) {
      for (const { node } of [...entry.children, ...entry.parents]) {
        if (node.isTree || found.has(node)) continue;
        found.add(node);
        component.push(node);
      }
    }
    components.push(component);
  }
  return components;
}

function label(component: readonly BlankEntry[], budget: { left: number }): Labelling {
  const index = new Map(component.map((entry, i) => [entry, i]));
  const predicates = [
    ...new Set(component.flatMap(({ children }) => children.map(({ predicate }) => predicate))),
  ];
  const places = new Map(predicates.sort().map((predicate, place) => [predicate, pad(place)]));
  const edges = (links: BlankEntry['children']): Edge[] =>
    links.flatMap(({ predicate, node }) => {
      const i = index.get(node);
      return i === undefined ? [] : [{ predicate: places.get(predicate) ?? '', index: i }];
    });
  const nodes = component.map((entry): CoreNode => {
    const trees = entry.children.filter(({ node }) => node.isTree).map(treeLine);
    const fixed = [...entry.lines, ...trees].sort().join('\n');
    return { entry, fixed, out: edges(entry.children), in: edges(entry.parents) };
  });
  const colours = refine(nodes, ranked(nodes.map(({ fixed }) => fixed)), budget);
  const { text, order } = search(nodes, colours, budget, new Set());
  // The fixed part is the same in every leaf: only components differ in it.
  const fixed = new Map(nodes.map((node) => [node.entry, node.fixed]));
  return { text: [...predicates, ...order.map((entry) => fixed.get(entry)), text].join('\n'), order };
}

/** Splits colours by the colours around each node until nothing splits any more. */
function refine(
  nodes: readonly CoreNode[],
  start: readonly number[],
  budget: { left: number },
): readonly number[] {
  const round = (colours: readonly number[]): number[] => {
    const around = (edges: readonly Edge[]): string =>
      edges
        .map(({ predicate, index }) => `${predicate} ${colours[index]}`)
        .sort()
        .join(',');
    const shared = sharedColours(colours);
    const texts = nodes.map((node, i) => {
      const colour = colours[i] ?? 0;
      // Already unique; it only takes part in the sorting.
      const isApart = !shared.has(colour);
      budget.left -= isApart ? 1 : 1 + node.out.length + node.in.length;
      if (budget.left < 0) throw new RdfLimitError('blank nodes are too entangled to be told apart');
      if (isApart) return pad(colour);
      return `${pad(colour)};${around(node.out)};${around(node.in)}`;
    });
    return ranked(texts);
  };
  return refineColours(start, round);
}

function sharedColours(colours: readonly number[]): Set<number> {
  const met = new Set<number>();
  return new Set(colours.filter((colour) => met.size === met.add(colour).size));
}

function search(
  nodes: readonly CoreNode[],
  colours: readonly number[],
  budget: { left: number },
  seen: Set<string>,
): Labelling {
  const tied = firstTie(colours);
  if (tied === undefined) {
    const leaf = write(nodes, colours);
    seen.add(leaf.text);
    return leaf;
  }
  let best: Labelling | undefined;
  const here = new Set<string>();
  for (const chosen of tied) {
    const apart = colours.map((colour, i) => (i === chosen ? colour - 0.5 : colour));
    const refined = refine(nodes, compact(apart), budget);
    // A known leaf text means that an automorphism maps this branch onto a finished one.
    if (best && here.has(leftmost(nodes, refined, budget).text)) continue;
    const found = search(nodes, refined, budget, here);
    if (!best || found.text < best.text) best = found;
  }
  for (const text of here) seen.add(text);
  return best ?? write(nodes, colours);
}

function leftmost(nodes: readonly CoreNode[], start: readonly number[], budget: { left: number }): Labelling {
  let colours = start;
  for (let tied = firstTie(colours); tied !== undefined; tied = firstTie(colours)) {
    const chosen = tied[0];
    const apart = colours.map((colour, i) => (i === chosen ? colour - 0.5 : colour));
    colours = refine(nodes, compact(apart), budget);
  }
  return write(nodes, colours);
}

function firstTie(colours: readonly number[]): number[] | undefined {
  const members = new Map<number, number[]>();
  colours.forEach((colour, i) => addTo(members, colour, i));
  const tied = [...members].filter(([, same]) => same.length > 1).sort(([a], [b]) => a - b);
  return tied[0]?.[1];
}

function write(nodes: readonly CoreNode[], colours: readonly number[]): Labelling {
  const places = nodes.map((_, i) => i).sort((a, b) => (colours[a] ?? 0) - (colours[b] ?? 0));
  const text = places.map((i) => {
    const node = nodes[i];
    const links = node?.out.map(({ predicate, index }) => `${predicate} ${colours[index]}`) ?? [];
    return links.sort().join('\n');
  });
  return { text: text.join('\n\n'), order: places.flatMap((i) => nodes[i]?.entry ?? []) };
}

function ranked(texts: readonly string[]): number[] {
  const places = new Map([...new Set(texts)].sort().map((text, place) => [text, place]));
  return texts.map((text) => places.get(text) ?? 0);
}

function compact(colours: readonly number[]): number[] {
  const places = new Map([...new Set(colours)].sort((a, b) => a - b).map((colour, place) => [colour, place]));
  return colours.map((colour) => places.get(colour) ?? 0);
}

function pad(colour: number | undefined): string {
  return String(colour ?? 0).padStart(8, '0');
}

/**
 * Colour refinement (the one-dimensional Weisfeiler–Leman algorithm): recolours nodes by their own colour and those
 * around, until a round distinguishes no more of them. Nodes that an automorphism maps onto each other keep one
 * colour.
 * @param recolour does one round, in the same order
 * @param spend is called before each round; throws when the budget is used up
 */
export function refineColours<Colour>(
  start: readonly Colour[],
  recolour: (colours: readonly Colour[]) => readonly Colour[],
  spend?: () => void,
): readonly Colour[] {
  let colours = start;
  for (let before = 0, count = new Set(colours).size; count > before;) {
    spend?.();
    colours = recolour(colours);
    before = count;
    count = new Set(colours).size;
  }
  return colours;
}
