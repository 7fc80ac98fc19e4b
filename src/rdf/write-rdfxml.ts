import { describeCharacter, iriFault, shown } from './ntriples.js';
import { UnwritableError } from './rdf-errors.js';
import {
  chooseNodeIds,
  listItems,
  MAX_NESTING,
  readResources,
  type ListItem,
  type Resource,
  type ResourceGraph,
} from './write-rdfxml-graph.js';
import { namedNode, type Literal, type Quad, type Term } from './terms.js';
import { prefixes as shared, rdf, xsd } from './vocabulary.js';
import { escapeAttribute, escapeText, impossibleInXml, nameElements, splitName } from './xml-text.js';

/**
 * Writes a graph as RDF/XML (RDF 1.1 XML Syntax), without graph names: the same bytes for isomorphic graphs. IRIs are
 * at the top, sorted; blank nodes where they are used, lists as collections. Blank nodes get an `rdf:nodeID` only
 * when used several times, in a ring or very deep.
 * @param prefixes prefix → namespace
 * @throws UnwritableError for what `unwritable` names
 * @throws RdfLimitError for blank nodes too entangled to order
 */
export function writeRdfXml(
  quads: readonly Quad[],
  prefixes: Readonly<Record<string, string>> = shared,
): string {
  const graph = readResources(quads);
  const elements = elementTypes(graph);
  for (const predicate of graph.predicates) refuse(predicateFault(namedNode(predicate)));
  for (const type of new Set(elements.values())) refuse(writableIriFault(type));
  const iris = new Set([...graph.predicates, ...elements.values(), rdf.type]);
  const { names, declarations } = nameElements(iris, prefixes);
  const render = (nodeIds: ReadonlyMap<Resource, string>): string | undefined =>
    renderGraph(graph, names, elements, nodeIds);
  const body = render(new Map()) ?? render(chooseNodeIds(graph, quads)) ?? '';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${declarations}>\n${body}</rdf:RDF>\n`;
}

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

/** Writes the node elements; if node ids are missing, returns undefined at the first that is needed, which is rare. */
function renderGraph(
  graph: ResourceGraph,
  names: ReadonlyMap<string, string>,
  elements: ReadonlyMap<Resource, string>,
  nodeIds: ReadonlyMap<Resource, string>,
): string | undefined {
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
    // Repeated statements are equal lines; equal children are two nodes.
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
  // Blank nodes that were not written form a ring that nothing leads into.
  return givenUp || (nodeIds.size === 0 && rendered < graph.blanks.size) ? undefined : parts.join('');
}

/** Limits indentation, which in a list of a thousand members would be most of the document. */
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

/** RFC 3986 §5.2.4: readers would resolve these segments. */
const dotSegments = /^[^?#]*\/\.\.?(?:[/?#]|$)/;

/** Cached, because every graph has the same few predicates and datatypes. */
const [writablePredicates, writableDatatypes] = [new Set<string>(), new Set<string>()];
/** Limits the cache, because data may contain ever new and long IRIs. */
const MAX_KNOWN = 4096;
const MAX_KNOWN_LENGTH = 256;

function onceFor(known: Set<string>, iri: string, faultOf: () => string | undefined): string | undefined {
  if (known.has(iri)) return undefined;
  const fault = faultOf();
  if (fault === undefined && iri.length <= MAX_KNOWN_LENGTH) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.add(iri);
  }
  return fault;
}

/** Says why not every reader of RDF/XML would get a statement back unchanged; undefined when all would. */
export function unwritable({ subject, predicate, object }: Quad): string | undefined {
  return (
    nodeFault(subject) ??
    predicateFault(predicate) ??
    (object.termType === 'Literal' ? literalFault(object) : nodeFault(object))
  );
}

function nodeFault(term: Term): string | undefined {
  if (term.termType === 'NamedNode') return writableIriFault(term.value);
  return term.termType === 'BlankNode' ? undefined : `a ${term.termType} cannot stand there`;
}

function writableIriFault(iri: string): string | undefined {
  const fault =
    iriFault(iri) ?? (impossibleInXml(iri) === undefined ? undefined : characterFault('IRI', iri));
  if (fault !== undefined) return fault;
  return dotSegments.test(iri) ? `the path of the IRI has "." or ".." segments: ${shown(iri)}` : undefined;
}

function predicateFault(predicate: Term): string | undefined {
  if (predicate.termType !== 'NamedNode') return 'a predicate must be an IRI';
  const iri = predicate.value;
  return onceFor(writablePredicates, iri, () => {
    const fault = iriFault(iri);
    if (fault !== undefined) return fault;
    const parts = splitName(iri);
    return typeof parts === 'string'
      ? `the predicate ${shown(iri)} cannot be an XML element: ${parts}`
      : undefined;
  });
}

export function literalFault(term: Term & { termType: 'Literal' }): string | undefined {
  if (impossibleInXml(term.value) !== undefined) return characterFault('literal', term.value);
  if (term.language !== '') {
    return impossibleInXml(term.language) === undefined
      ? undefined
      : characterFault('language tag', term.language);
  }
  const datatype = term.datatype.value;
  return onceFor(writableDatatypes, datatype, () => writableIriFault(datatype));
}

function characterFault(kind: string, text: string): string {
  return `XML 1.0 cannot carry ${describeCharacter(impossibleInXml(text) ?? '')} in a ${kind}`;
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new UnwritableError(fault);
}
