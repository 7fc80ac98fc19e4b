import { addTo } from './by-key.js';
/** JSON-LD in expanded form, as far as it matters here. */
type NodeObject = Record<string, unknown>;

/** Nodes deeper than this inside others stay beside them, so that no chain of nodes exhausts a stack. */
const DEEPEST = 32;

/** A reference to a node: where it stands, and in which node. */
interface Reference {
  readonly holder: unknown[];
  readonly at: number;
  readonly owner: string;
}

/**
 * Puts every blank node of a flat JSON-LD document that is referred to once into the place of that reference, without
 * its label: the same graph, as a tree to read. Labels stay where several refer to a node, and on one node of a circle.
 * @param nodes what RDF to JSON-LD gives, expanded; it is changed
 */
export function nestNodes(nodes: readonly object[]): object[] {
  const flat = nodes as readonly NodeObject[];
  // A blank node may be shared between graphs: datasets stay flat.
  if (flat.some((node) => '@graph' in node)) return [...flat];
  const references = new Map<string, Reference[]>();
  for (const node of flat) collect(node, idOf(node), references);
  const blank = new Set(flat.map(idOf).filter(isLabel));
  const placeOf = (id: string): Reference | undefined => {
    const places = references.get(id);
    return blank.has(id) && places?.length === 1 ? places[0] : undefined;
  };
  const depths = depthsOf(blank, placeOf);
  return flat.filter((node) => {
    const id = idOf(node);
    const place = placeOf(id);
    const isNested = place !== undefined && (depths.get(id) ?? 0) % DEEPEST > 0;
    if (isNested) place.holder[place.at] = node;
    if (isNested || (blank.has(id) && !references.has(id))) delete node['@id'];
    return !isNested;
  });
}

const idOf = (node: NodeObject): string => String(node['@id']);
const isLabel = (id: string): boolean => id.startsWith('_:');

function collect(value: unknown, owner: string, references: Map<string, Reference[]>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(inner)) continue;
    for (const [at, each] of (inner as unknown[]).entries()) {
      const id = key === '@type' ? each : (each as NodeObject)['@id'];
      if (typeof id === 'string' && isLabel(id)) addTo(references, id, { holder: inner, at, owner });
      // A class cannot be nested: as if it were referred to a second time.
      if (key === '@type' && typeof id === 'string') addTo(references, id, { holder: inner, at, owner });
      if (key !== '@type') collect(each, owner, references);
    }
  }
}

/** How deep each blank node would stand: 0 at the top, where one node of every circle is put. */
function depthsOf(
  blank: ReadonlySet<string>,
  placeOf: (id: string) => Reference | undefined,
): Map<string, number> {
  const depths = new Map<string, number>();
  for (const start of blank) {
    const way: string[] = [];
    const onWay = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !depths.has(id) && !onWay.has(id)) {
      way.push(id);
      onWay.add(id);
      id = placeOf(id)?.owner;
    }
    // The way ends at a known node, at a circle, or above a node that nothing else holds.
    let depth = id === undefined ? -1 : (depths.get(id) ?? -1);
    for (const each of way.reverse()) {
      if (placeOf(each) === undefined || (id !== undefined && onWay.has(id) && depth < 0)) depth = 0;
      else depth++;
      depths.set(each, depth);
    }
  }
  return depths;
}
