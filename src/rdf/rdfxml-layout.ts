import { numberBlankNodes } from './skolem-iris.js';
import { listItems } from './rdfxml-list.js';
import type { Resource, ResourceGraph } from './rdfxml-graph.js';
import type { Quad } from './terms.js';

/** Blank nodes nested deeper than this get an `rdf:nodeID`, so that readers with a limit of 256 elements can follow. */
export const MAX_NESTING = 100;

/**
 * Which blank nodes stand at the top of the document under an `rdf:nodeID`: those that several statements point to,
 * one of each closed ring, and those that would nest too deep. The ids depend on the graph alone, not on its labels.
 * Throws RdfLimitError when the blank nodes are too entangled for that.
 */
export function chooseNodeIds({ iris, blanks }: ResourceGraph, quads: Iterable<Quad>): Map<Resource, string> {
  const numbers = numberBlankNodes(quads);
  const numberOf = (resource: Resource): number => numbers.get(resource.id) ?? 0;
  const inOrder = [...blanks.values()].sort((a, b) => numberOf(a) - numberOf(b));
  const placed = new Set<Resource>();
  const marked = new Set<Resource>(inOrder.filter(({ references }) => references > 1));

  const place = (top: Resource): void => {
    const open = [{ resource: top, depth: 0 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      placed.add(next.resource);
      for (const node of nested(next.resource, placed)) {
        if (marked.has(node) || placed.has(node)) continue;
        const depth = next.depth < MAX_NESTING ? next.depth + 1 : 0;
        if (depth === 0) marked.add(node);
        open.push({ resource: node, depth });
      }
    }
  };

  for (const resource of iris.values()) place(resource);
  for (const resource of inOrder) if (resource.references === 0) place(resource);
  for (const resource of [...marked]) place(resource);
  for (const resource of inOrder) {
    // What no beginning leads to lies on a closed ring, or is reachable from one.
    if (placed.has(resource)) continue;
    marked.add(resource);
    place(resource);
  }
  return new Map(
    inOrder.filter((resource) => marked.has(resource)).map((resource, i) => [resource, `b${i}`]),
  );
}

/** The blank nodes whose elements stand inside a resource's own: its children, and the members of its lists. */
function nested({ children }: Resource, placed: Set<Resource>): Resource[] {
  return children.flatMap(({ node }) => {
    const list = listItems(node);
    if (!list) return [node];
    for (const cell of list.cells) placed.add(cell);
    return list.items.flatMap((item) => ('node' in item ? [item.node] : []));
  });
}
