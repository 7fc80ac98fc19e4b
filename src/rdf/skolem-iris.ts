import { readBlankNodes, type BlankEntry, type Link } from './blank-graph.js';
import { orderCore, WORK_LIMIT } from './canonical.js';
import { writePredicate, writeTerm } from './ntriples.js';
import { namedNode, quad, type NamedNode, type Quad, type Term } from './terms.js';
import { ownUrn } from './vocabulary.js';

/** What stands between a graph's name and the number of a blank node. */
export const INNER_MARK = '#_b';

/**
 * Names the blank nodes of a graph `{graphIri}#_b0`, `#_b1` …: the same names for isomorphic graphs, whatever the
 * labels and the order of the quads. The quads keep their order and their graph component.
 * Throws RdfLimitError when blank nodes are so entangled that naming them would take too long.
 */
export function nameInnerNodes(graphIri: string, quads: readonly Quad[]): Promise<Quad[]> {
  return new Promise((resolve) => resolve(named(graphIri, quads)));
}

function named(graphIri: string, quads: readonly Quad[]): Quad[] {
  const numbers = numberBlankNodes(quads);
  if (numbers.size === 0) return [...quads];
  const names = new Map<string, NamedNode>();
  for (const [label, number] of numbers) names.set(label, namedNode(graphIri + INNER_MARK + number));
  const name = (term: Term): Term => (term.termType === 'BlankNode' ? (names.get(term.value) ?? term) : term);
  return quads.map((each) => quad(name(each.subject), each.predicate, name(each.object), each.graph));
}

/**
 * A canonical number for every blank node of a graph, by label: entangled ones first, then those that hang in trees,
 * in the order in which a walk down from sorted beginnings meets them. Throws RdfLimitError as `nameInnerNodes` does.
 * @param limit links that may be read while telling entangled nodes apart
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

/** Trees by what leads to them, then by their digest: those that still tie are interchangeable. */
function inOrder(links: readonly Link[]): BlankEntry[] {
  const trees = links.filter(({ node }) => node.isTree);
  if (trees.length > 1) trees.sort(compareLinks);
  return trees.map(({ node }) => node);
}

function compareLinks(a: Link, b: Link): number {
  // Digests cost the most by far, and few nodes hang beside others from the same predicate.
  if (a.predicate === b.predicate) return compare(a.node.tree ?? '', b.node.tree ?? '');
  return compare(`${a.predicate} `, `${b.predicate} `);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Which nodes IRIs lead to, with subject and predicate in place of the predicate. */
function heldByIris(quads: readonly Quad[], entries: Map<string, BlankEntry>): Link[] {
  const links: Link[] = [];
  for (const { subject, predicate, object } of quads) {
    if (object.termType !== 'BlankNode' || subject.termType !== 'NamedNode') continue;
    const node = entries.get(object.value);
    if (node) links.push({ predicate: `${writeTerm(subject)} ${writePredicate(predicate)}`, node });
  }
  return links;
}

/** Whether an IRI under `base` (no slash at its end), or a URN of ours, has the form that is kept for blank nodes: `…#_…`. */
export function isInnerName(iri: string, base: string): boolean {
  const mark = iri.indexOf('#');
  if (mark <= 0 || iri.charCodeAt(mark + 1) !== 0x5f) return false;
  return (iri.startsWith(base) && iri[base.length] === '/') || iri.startsWith(ownUrn);
}
