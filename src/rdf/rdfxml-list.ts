import type { Resource } from './rdfxml-graph.js';
import { rdf } from './vocabulary.js';

/** A member of a list: an IRI, or a blank node. */
export type ListItem = { readonly iri: string } | { readonly node: Resource };

/**
 * The members of an RDF list that can be written as `rdf:parseType="Collection"`
 * (RDF 1.1 XML Syntax §2.16): every cell is used once and holds nothing but one `rdf:first`, no literal, and
 * one `rdf:rest`, and the last rest is `rdf:nil`. Undefined for every other node.
 */
export function listItems(head: Resource): { items: ListItem[]; cells: Resource[] } | undefined {
  const items: ListItem[] = [];
  const cells: Resource[] = [];
  // A ring cannot trap this loop: its head would be used twice.
  for (let cell: Resource = head; ;) {
    const { references, types, texts, links, children } = cell;
    if (references !== 1 || types.length + texts.length > 0 || links.length + children.length !== 2)
      return undefined;
    const firstLink = links.find(({ predicate }) => predicate === rdf.first);
    const first = children.find(({ predicate }) => predicate === rdf.first);
    if (firstLink) items.push({ iri: firstLink.iri });
    else if (first) items.push({ node: first.node });
    else return undefined;
    cells.push(cell);
    const rest = children.find(({ predicate }) => predicate === rdf.rest);
    if (rest) cell = rest.node;
    else
      return links.some(({ predicate, iri }) => predicate === rdf.rest && iri === rdf.nil)
        ? { items, cells }
        : undefined;
  }
}
