import { literalFault, predicateFault, refuse, writableIriFault } from './rdfxml-check.js';
import { readResources, type Resource, type ResourceGraph } from './rdfxml-graph.js';
import { chooseNodeIds, MAX_NESTING } from './rdfxml-layout.js';
import { listItems, type ListItem } from './rdfxml-list.js';
import { namedNode, type Literal, type Quad } from './terms.js';
import { prefixes as ownPrefixes, rdf, xsd } from './vocabulary.js';
import { nameElements, splitName } from './xml-names.js';
import { escapeAttribute, escapeText } from './xml-text.js';

export { unwritable } from './rdfxml-check.js';

export interface RdfXmlOptions {
  /** Prefix → namespace; the project's own table when left out. Only those used are declared. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}

/**
 * A graph as RDF/XML (RDF 1.1 XML Syntax): the same bytes for isomorphic graphs, in whatever order and with whatever
 * blank node labels they come. IRIs stand at the top, sorted; blank nodes stand where they are used, lists
 * as collections, under an `rdf:nodeID` only when they are used several times, in a ring or very deep. Graph components are left out.
 * Throws UnwritableError for what `unwritable` names, and RdfLimitError for blank nodes too entangled to order.
 */
export function writeRdfXml(quads: readonly Quad[], options: RdfXmlOptions = {}): string {
  const graph = readResources(quads);
  const elements = elementTypes(graph);
  for (const predicate of graph.predicates) refuse(predicateFault(namedNode(predicate)));
  for (const type of new Set(elements.values())) refuse(writableIriFault(type));
  const iris = new Set([...graph.predicates, ...elements.values(), rdf.type]);
  const { names, declarations } = nameElements(iris, options.prefixes ?? ownPrefixes);
  const render = (nodeIds: ReadonlyMap<Resource, string>): string | undefined =>
    renderGraph(graph, { names, elements, nodeIds });
  const body = render(new Map()) ?? render(chooseNodeIds(graph, quads)) ?? '';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${declarations}>\n${body}</rdf:RDF>\n`;
}

/** The type that names each resource's element: the first, in code unit order, that can be an XML name. */
function elementTypes({ iris, blanks }: ResourceGraph): Map<Resource, string> {
  const chosen = new Map<Resource, string>();
  for (const resources of [iris, blanks]) {
    for (const resource of resources.values()) {
      if (resource.types.length > 1) resource.types.sort();
      const type = resource.types.find((iri) => typeof splitName(iri) !== 'string');
      if (type !== undefined) chosen.set(resource, type);
    }
  }
  return chosen;
}

interface Dictionary {
  readonly names: ReadonlyMap<string, string>;
  readonly elements: ReadonlyMap<Resource, string>;
  readonly nodeIds: ReadonlyMap<Resource, string>;
}

/**
 * The node elements of a graph. Without node ids it gives up (undefined) at the first blank node that needs one: most
 * graphs have none, and need no canonical numbers then.
 */
function renderGraph(graph: ResourceGraph, { names, elements, nodeIds }: Dictionary): string | undefined {
  const attributes = new Map<string, string>();
  let rendered = 0;
  let givenUp = false;

  const attribute = (iri: string): string => {
    let text = attributes.get(iri);
    if (text === undefined) {
      refuse(writableIriFault(iri));
      attributes.set(iri, (text = escapeAttribute(iri)));
    }
    return text;
  };

  const element = (resource: Resource, identity: string, indent: string, depth: number): string => {
    if (resource.blank) rendered++;
    const type = elements.get(resource);
    const name = type === undefined ? 'rdf:Description' : (names.get(type) ?? 'rdf:Description');
    const lines = statements(resource, type, deeper(indent), depth);
    if (lines === '') return `${indent}<${name}${identity}/>\n`;
    return `${indent}<${name}${identity}>\n${lines}${indent}</${name}>\n`;
  };

  const statements = (
    resource: Resource,
    type: string | undefined,
    indent: string,
    depth: number,
  ): string => {
    const lines = resource.texts.map(
      ({ predicate, literal }) => indent + property(names.get(predicate), literal),
    );
    for (const { predicate, iri } of resource.links) {
      lines.push(`${indent}<${names.get(predicate)} rdf:resource="${attribute(iri)}"/>\n`);
    }
    for (const iri of resource.types) {
      if (iri !== type) lines.push(`${indent}<rdf:type rdf:resource="${attribute(iri)}"/>\n`);
    }
    // Repeated statements are equal lines. Equal children are not: they are two nodes that look the same.
    const distinct = lines.length > 1 ? [...new Set(lines)] : lines;
    for (const { predicate, node } of resource.children) {
      distinct.push(child(names.get(predicate) ?? '', node, indent, depth));
    }
    return distinct.length > 1 ? distinct.sort().join('') : (distinct[0] ?? '');
  };

  const child = (name: string, node: Resource, indent: string, depth: number): string => {
    const id = nodeIds.get(node);
    if (id !== undefined) return `${indent}<${name} rdf:nodeID="${id}"/>\n`;
    if (node.references > 1 || depth >= MAX_NESTING) {
      givenUp = true;
      return '';
    }
    const list = listItems(node);
    if (list) {
      rendered += list.cells.size;
      const lines = list.items.map((each) => item(each, deeper(indent), depth + 1));
      return `${indent}<${name} rdf:parseType="Collection">\n${lines.join('')}${indent}</${name}>\n`;
    }
    return `${indent}<${name}>\n${element(node, '', deeper(indent), depth + 1)}${indent}</${name}>\n`;
  };

  const item = (each: ListItem, indent: string, depth: number): string => {
    if ('iri' in each) return `${indent}<rdf:Description rdf:about="${attribute(each.iri)}"/>\n`;
    const id = nodeIds.get(each.node);
    if (id !== undefined) return `${indent}<rdf:Description rdf:nodeID="${id}"/>\n`;
    if (each.node.references > 1 || depth >= MAX_NESTING) {
      givenUp = true;
      return '';
    }
    return element(each.node, '', indent, depth);
  };

  const parts: string[] = [];
  for (const iri of [...graph.iris.keys()].sort()) {
    const resource = graph.iris.get(iri);
    if (resource) parts.push(element(resource, ` rdf:about="${attribute(iri)}"`, '  ', 0));
    if (givenUp) return undefined;
  }
  for (const [resource, id] of nodeIds) {
    if (isDescribed(resource)) parts.push(element(resource, ` rdf:nodeID="${id}"`, '  ', 0));
  }
  const loose = [...graph.blanks.values()].filter(({ references }) => references === 0);
  parts.push(...loose.map((resource) => element(resource, '', '  ', 0)).sort());
  // Fewer than there are: the others form a ring that nothing leads into.
  return givenUp || (nodeIds.size === 0 && rendered < graph.blanks.size) ? undefined : parts.join('');
}

/** Indentation ends somewhere: in a list of a thousand members it would be most of the document. */
function deeper(indent: string): string {
  return indent.length < 16 ? indent + '  ' : indent;
}

function isDescribed({ types, texts, links, children }: Resource): boolean {
  return types.length + texts.length + links.length + children.length > 0;
}

function property(name: string | undefined, literal: Literal): string {
  refuse(literalFault(literal));
  const text = escapeText(literal.value);
  if (literal.language !== '')
    return `<${name} xml:lang="${escapeAttribute(literal.language)}">${text}</${name}>\n`;
  const datatype = literal.datatype.value;
  if (datatype === xsd.string) return `<${name}>${text}</${name}>\n`;
  return `<${name} rdf:datatype="${escapeAttribute(datatype)}">${text}</${name}>\n`;
}
