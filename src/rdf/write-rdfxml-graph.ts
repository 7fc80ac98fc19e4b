import { numberBlankNodes } from './skolem-iris.js';
import type { Literal, Quad } from './terms.js';
import { rdf } from './vocabulary.js';

/** A subject with its statements by kind of object, or a blank node that is only an object. */
export interface Resource {
  readonly id: string;
  readonly blank: boolean;
  readonly types: string[];
  readonly links: { readonly predicate: string; readonly iri: string }[];
  readonly texts: { readonly predicate: string; readonly literal: Literal }[];
  readonly children: { readonly predicate: string; readonly node: Resource }[];
  references: number;
  unlisted?: true;
}

export type ResourceGraph = ReturnType<typeof readResources>;

/** Reads a graph as resources. Repeated statements with a blank object count once; the writer handles other repeats. */
export function readResources(quads: Iterable<Quad>) {
  const iris = new Map<string, Resource>();
  const blanks = new Map<string, Resource>();
  const predicates = new Set<string>();
  const seen = new Set<string>();
  const resource = (id: string, blank: boolean): Resource => {
    const all = blank ? blanks : iris;
    let found = all.get(id);
    if (found === undefined) {
      found = { id, blank, types: [], links: [], texts: [], children: [], references: 0 };
      all.set(id, found);
    }
    return found;
  };
  for (const { subject, predicate: verb, object } of quads) {
    const from = resource(subject.value, subject.termType === 'BlankNode');
    const predicate = verb.value;
    if (object.termType === 'Literal') from.texts.push({ predicate, literal: object });
    else if (object.termType !== 'BlankNode') {
      if (predicate === rdf.type) {
        from.types.push(object.value);
        continue;
      }
      from.links.push({ predicate, iri: object.value });
    } else {
      const statement = `${from.blank ? '_:' : ''}${from.id} ${predicate} ${object.value}`;
      if (seen.has(statement)) continue;
      seen.add(statement);
      const node = resource(object.value, true);
      node.references++;
      from.children.push({ predicate, node });
    }
    predicates.add(predicate);
  }
  return { iris, blanks, predicates };
}

export type ListItem = { readonly iri: string } | { readonly node: Resource };

/**
 * Returns the members of a list and its cells, if it can be an `rdf:parseType="Collection"` (RDF 1.1 XML Syntax
 * §2.16): every cell is used once and has one `rdf:first`, no literal, and one `rdf:rest`, and the last rest is
 * `rdf:nil`. Undefined for every other node.
 */
export function listItems(head: Resource) {
  const items: ListItem[] = [];
  const cells = new Set<Resource>();
  for (let cell: Resource | undefined = head; cell !== undefined;) {
    const item = cell.unlisted || cells.has(cell) ? undefined : itemOf(cell);
    if (!item) break;
    items.push(item);
    cells.add(cell);
    if (endsList(cell)) return { items, cells };
    cell = cell.children.find(({ predicate }) => predicate === rdf.rest)?.node;
  }
  // The rest of a broken chain is broken as well: it must not be walked again from each cell.
  for (const cell of cells) cell.unlisted = true;
  return undefined;
}

function itemOf({ references, types, texts, links, children }: Resource): ListItem | undefined {
  if (references !== 1 || types.length + texts.length > 0 || links.length + children.length !== 2)
    return undefined;
  const link = links.find(({ predicate }) => predicate === rdf.first);
  if (link) return { iri: link.iri };
  const child = children.find(({ predicate }) => predicate === rdf.first);
  return child && { node: child.node };
}

const endsList = ({ links }: Resource): boolean =>
  links.some(({ predicate, iri }) => predicate === rdf.rest && iri === rdf.nil);

/** Deeper blank nodes get an `rdf:nodeID`, for readers with a limit of 256 elements. */
export const MAX_NESTING = 100;

/**
 * Chooses the blank nodes that need an `rdf:nodeID`: those with several references, one of each closed ring, and
 * those that would nest too deep. The ids depend only on the graph.
 * @throws RdfLimitError when the blank nodes are too entangled
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
    // The others are on or below a closed ring.
    if (placed.has(resource)) continue;
    marked.add(resource);
    place(resource);
  }
  return new Map(
    inOrder.filter((resource) => marked.has(resource)).map((resource, i) => [resource, `b${i}`]),
  );
}

function nested({ children }: Resource, placed: Set<Resource>): Resource[] {
  return children.flatMap(({ node }) => {
    const list = listItems(node);
    if (!list) return [node];
    for (const cell of list.cells) placed.add(cell);
    return list.items.flatMap((item) => ('node' in item ? [item.node] : []));
  });
}
