import { readBlankNodes, type BlankEntry, type Link } from './blank-graph.js';
import { orderCore, WORK_LIMIT } from './canonical.js';
import { writePredicate, writeTerm } from './ntriples.js';
import type { Quad } from './terms.js';
import { ownUrn } from './vocabulary.js';

/** Separates a graph's name from the number of a blank node. */
export const INNER_MARK = '#_b';

/**
 * Returns a canonical number for every blank node, by label: entangled ones first, then trees, in the order of a walk
 * from sorted starting points.
 * @param limit the most links read to distinguish entangled nodes
 * @throws RdfLimitError
 */
export function numberBlankNodes(quads: Iterable<Quad>, limit = WORK_LIMIT): Map<string, number> {
  const all = [...quads];
  const entries = readBlankNodes(all);
  const numbers = new Map<string, number>();
  if (entries.size === 0) return numbers;
  const core = orderCore(entries.values(), limit);
  for (const { label } of core) numbers.set(label, numbers.size);
  const roots = [...entries.values()].filter(({ references }) => references === 0);
  // A queue, not recursion: chains can be longer than the stack.
  const queue = [
    ...core,
    ...inOrder(heldByIris(all, entries)),
    ...inOrder(roots.map((node) => ({ predicate: '', node }))),
  ];
  for (const entry of queue) {
    if (!numbers.has(entry.label)) numbers.set(entry.label, numbers.size);
    for (const child of inOrder(entry.children)) queue.push(child);
  }
  return numbers;
}

/** Sorts trees by what leads to them, then by digest; those that still tie are interchangeable. */
function inOrder(links: readonly Link[]): BlankEntry[] {
  const trees = links.filter(({ node }) => node.isTree);
  if (trees.length > 1) trees.sort(compareLinks);
  return trees.map(({ node }) => node);
}

function compareLinks(a: Link, b: Link): number {
  // Compares digests last: they cost most, and few nodes share a predicate.
  if (a.predicate === b.predicate) return compare(a.node.tree ?? '', b.node.tree ?? '');
  return compare(`${a.predicate} `, `${b.predicate} `);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function heldByIris(quads: readonly Quad[], entries: Map<string, BlankEntry>): Link[] {
  const links: Link[] = [];
  for (const { subject, predicate, object } of quads) {
    if (object.termType !== 'BlankNode' || subject.termType !== 'NamedNode') continue;
    const node = entries.get(object.value);
    if (node) links.push({ predicate: `${writeTerm(subject)} ${writePredicate(predicate)}`, node });
  }
  return links;
}

/** Whether an IRI under `base`, or a URN of ours, names a blank node: `…#_…`. */
export function isInnerName(iri: string, base: string): boolean {
  const mark = iri.indexOf('#');
  if (mark <= 0 || iri.charCodeAt(mark + 1) !== 0x5f) return false;
  return (iri.startsWith(base) && iri[base.length] === '/') || iri.startsWith(ownUrn);
}
