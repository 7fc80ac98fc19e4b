import type { Resource } from './rdfxml-graph.js';
import { rdf } from './vocabulary.js';

/** A member of a list: an IRI, or a blank node. */
export type ListItem = { readonly iri: string } | { readonly node: Resource };

/** The members of a list in order, and the cells that hold them. */
export interface ResourceList {
  readonly items: readonly ListItem[];
  readonly cells: ReadonlySet<Resource>;
}

/**
 * The members of an RDF list that can be written as `rdf:parseType="Collection"`
 * (RDF 1.1 XML Syntax §2.16): every cell is used once and holds nothing but one `rdf:first`, no literal, and
 * one `rdf:rest`, and the last rest is `rdf:nil`. Undefined for every other node.
 */
export function listItems(head: Resource): ResourceList | undefined {
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
  // What follows on a broken chain is broken as well; asked again cell by cell it would be walked each time.
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
