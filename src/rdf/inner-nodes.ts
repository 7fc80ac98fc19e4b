import { readBlankNodes, type BlankEntry } from './blank-graph.js';
import { orderCore } from './canonical.js';
import { writeTerm } from './ntriples.js';
import { namedNode, quad, type NamedNode, type Quad, type Term } from './terms.js';
import { ownUrn } from './vocabulary.js';

const MARK = '#_b';

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
  for (const [label, number] of numbers) names.set(label, namedNode(graphIri + MARK + number));
  const name = (term: Term): Term => (term.termType === 'BlankNode' ? (names.get(term.value) ?? term) : term);
  return quads.map((each) => quad(name(each.subject), each.predicate, name(each.object), each.graph));
}

/**
 * A canonical number for every blank node of a graph, by label: entangled ones first, then those that hang in trees,
 * in the order in which a walk down from sorted beginnings meets them. Throws RdfLimitError as `nameInnerNodes` does.
 */
export function numberBlankNodes(quads: Iterable<Quad>): Map<string, number> {
  const all = [...quads];
  const entries = readBlankNodes(all);
  const numbers = new Map<string, number>();
  const core = orderCore(entries.values());
  for (const { label } of core) numbers.set(label, numbers.size);
  const roots = [...entries.values()].filter(({ references }) => references === 0);
  // A queue, not recursion: chains can be longer than the stack.
  const queue = [
    ...core,
    ...inOrder(heldByIris(all, entries)),
    ...inOrder(roots.map((node) => ({ key: '', node }))),
  ];
  for (const entry of queue) {
    if (!numbers.has(entry.label)) numbers.set(entry.label, numbers.size);
    for (const child of inOrder(entry.children.map(({ predicate, node }) => ({ key: predicate, node })))) {
      queue.push(child);
    }
  }
  return numbers;
}

/** Trees by what leads to them, then by their digest: those that still tie are interchangeable. */
function inOrder(held: { key: string; node: BlankEntry }[]): BlankEntry[] {
  const keyed = held
    .filter(({ node }) => node.tree !== undefined)
    .map(({ key, node }) => ({ key: `${key} ${node.tree}`, node }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ node }) => node);
}

function heldByIris(
  quads: readonly Quad[],
  entries: Map<string, BlankEntry>,
): { key: string; node: BlankEntry }[] {
  return quads.flatMap(({ subject, predicate, object }) => {
    const node = object.termType === 'BlankNode' ? entries.get(object.value) : undefined;
    return node && subject.termType === 'NamedNode'
      ? [{ key: `${writeTerm(subject)} ${writeTerm(predicate)}`, node }]
      : [];
  });
}

/** Whether an IRI under `base` (no slash at its end), or a URN of ours, has the form that is kept for inner nodes: `…#_…`. */
export function isInnerName(iri: string, base: string): boolean {
  const mark = iri.indexOf('#');
  if (mark <= 0 || iri.charCodeAt(mark + 1) !== 0x5f) return false;
  return (iri.startsWith(base) && iri[base.length] === '/') || iri.startsWith(ownUrn);
}
