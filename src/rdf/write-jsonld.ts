import { addTo } from './by-key.js';
import { namedNode, quad, type Quad } from './terms.js';
import { rdf, xsd } from './vocabulary.js';

/** Writes a dataset as JSON-LD, compacted with a context. @param quads with labels for blank nodes that need one */
export async function writeJsonLd(quads: readonly Quad[], context: object): Promise<string> {
  const { default: jsonld } = await import('jsonld');
  const settings = { documentLoader: () => Promise.reject(new Error('no context is loaded from elsewhere')) };
  const document = nestNodes(
    withNativeValues(await jsonld.fromRDF(withOpenRings(quads), settings)) as object[],
  );
  return JSON.stringify(await jsonld.compact(document, context, settings), null, 2) + '\n';
}

/** Literals that are JSON values in exactly one form. */
const native: Readonly<Record<string, RegExp>> = {
  [xsd.integer]: /^(?:0|-?[1-9]\d{0,14})$/,
  [xsd.boolean]: /^(?:true|false)$/,
};

/**
 * Restores the ends of lists in an expanded document, and uses JSON's own numbers and booleans if they keep a literal
 * as written. jsonld does this for all literals or none.
 */
function withNativeValues(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(withNativeValues);
  if (typeof item !== 'object' || item === null) return item;
  if ('@value' in item) return nativeValue(item);
  if ('@id' in item && item['@id'] === openEnd) return { '@id': rdf.nil };
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, withNativeValues(value)]));
}

function nativeValue(literal: { '@value': unknown; '@type'?: unknown }): object {
  const { '@value': text, '@type': datatype } = literal;
  const isItself = typeof text === 'string' && native[String(datatype)]?.test(text) === true;
  return isItself ? { '@value': JSON.parse(text) as unknown } : literal;
}

/** Replaces `rdf:nil` at the end of a list that JSON-LD cannot write. No IRI contains "<". */
export const openEnd = `${rdf.nil}<`;

/**
 * Ends lists that are members of themselves in `openEnd`, because RDF to JSON-LD (JSON-LD 1.1 API §8.4) would drop
 * them as `@list`. Takes linear time.
 */
export function withOpenRings(quads: readonly Quad[]): readonly Quad[] {
  const ends = quads.filter(
    ({ predicate, object }) => predicate.value === rdf.rest && object.value === rdf.nil,
  );
  if (ends.length === 0) return quads;
  const owners = ownersOf(quads);
  const ringed = new Set<string>();
  const known = new Map<string, boolean>();
  for (const { subject } of ends) {
    const way = new Set<string>();
    let cell: string | undefined = subject.value;
    while (cell !== undefined && !known.has(cell) && !way.has(cell)) {
      way.add(cell);
      cell = owners.get(cell);
    }
    const isRinged = cell !== undefined && (known.get(cell) ?? true);
    for (const each of way) known.set(each, isRinged);
    if (isRinged) ringed.add(subject.value);
  }
  if (ringed.size === 0) return quads;
  return quads.map((each) =>
    each.predicate.value === rdf.rest && each.object.value === rdf.nil && ringed.has(each.subject.value)
      ? quad(each.subject, each.predicate, namedNode(openEnd), each.graph)
      : each,
  );
}

function ownersOf(quads: readonly Quad[]): Map<string, string> {
  const cells = new Set(
    quads.flatMap(({ subject, predicate }) => (predicate.value === rdf.rest ? [subject.value] : [])),
  );
  const references = new Map<string, string | undefined>();
  for (const { subject, object } of quads) {
    if (object.termType !== 'BlankNode') continue;
    const isOnly = !references.has(object.value) && cells.has(subject.value);
    references.set(object.value, isOnly ? subject.value : undefined);
  }
  return new Map([...references].flatMap(([node, owner]) => (owner === undefined ? [] : [[node, owner]])));
}

type NodeObject = Record<string, unknown>;

/** Deeper nodes go to the top level, so that no chain exhausts a stack. */
const DEEPEST = 32;

interface Reference {
  readonly holder: unknown[];
  readonly at: number;
  readonly owner: string;
}

/**
 * Nests every blank node of a flat JSON-LD document that is referred to once, without its label. Labels stay on nodes
 * with several references, and on one node of each circle.
 * @param nodes expanded; they are changed
 */
export function nestNodes(nodes: readonly object[]): object[] {
  const flat = nodes as readonly NodeObject[];
  // Graphs may share a blank node, so datasets stay flat.
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
      // A class cannot be nested, so it counts twice.
      if (key === '@type' && typeof id === 'string') addTo(references, id, { holder: inner, at, owner });
      if (key !== '@type') collect(each, owner, references);
    }
  }
}

/** Returns depths: 0 at the top, which includes one node of every circle. */
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
    // The way ends at a known node, a circle, or a root.
    let depth = id === undefined ? -1 : (depths.get(id) ?? -1);
    for (const each of way.reverse()) {
      if (placeOf(each) === undefined || (id !== undefined && onWay.has(id) && depth < 0)) depth = 0;
      else depth++;
      depths.set(each, depth);
    }
  }
  return depths;
}
