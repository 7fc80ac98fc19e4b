import { refineColours } from './canonical.js';
import { hexDigest } from './hex-digest.js';
import { RdfLimitError } from './rdf-errors.js';
import { writeTerm } from './ntriples.js';
import { termKey } from './term-key.js';
import type { Quad, Term } from './terms.js';

/** Returns a text to hash in place of an object, null to leave the quad out, undefined to go on. */
export type Leaf = (object: Term, quad: Quad) => string | null | undefined;

interface Described {
  readonly lines: string[];
  readonly links: { readonly predicate: string; readonly to: Described }[];
  from: Described[];
  waiting: number;
  colour: string;
}

const WORK_LIMIT = 200_000;

const cyclic = 'cyclic';

/**
 * Returns the SHA-256 digest of everything below `root` through blank nodes, whatever their labels and order, without
 * the root's own term. Cycles are distinguished by colour refinement: exact for trees and for all but contrived
 * cyclic graphs.
 * @param triplesOf returns the quads of a subject
 * @throws RdfLimitError when cycles take too long
 */
export function treeDigest(root: Term, triplesOf: (subject: Term) => readonly Quad[], leaf?: Leaf): string {
  const nodes = describe(root, triplesOf, leaf);
  const start = nodes[0];
  if (start === undefined) return hexDigest('');
  const left = settle(nodes);
  if (start.waiting > 0) refine(left);
  return start.colour;
}

/** Returns the nodes that blank objects lead to, root first; without recursion, because chains can be long. */
function describe(root: Term, triplesOf: (subject: Term) => readonly Quad[], leaf?: Leaf): Described[] {
  const known = new Map<string, Described>();
  const order: { term: Term; node: Described }[] = [];
  const visit = (term: Term): Described => {
    const key = termKey(term);
    let node = known.get(key);
    if (node === undefined) {
      node = { lines: [], links: [], from: [], waiting: 0, colour: '' };
      known.set(key, node);
      order.push({ term, node });
    }
    return node;
  };
  visit(root);
  for (const next of order) {
    const seen = new Set<string>();
    for (const quad of triplesOf(next.term)) {
      const predicate = writeTerm(quad.predicate);
      const key = `${predicate} ${termKey(quad.object)}`;
      if (seen.size === seen.add(key).size) continue;
      const text = leaf?.(quad.object, quad);
      if (text === null) continue;
      if (text !== undefined) next.node.lines.push(`${predicate} =${text}`);
      else if (quad.object.termType !== 'BlankNode')
        next.node.lines.push(`${predicate} ${writeTerm(quad.object)}`);
      else {
        const to = visit(quad.object);
        next.node.links.push({ predicate, to });
        next.node.waiting++;
        to.from.push(next.node);
      }
    }
  }
  return order.map(({ node }) => node);
}

/** Colours nodes from the leaves upwards; returns those that wait for a cycle. */
function settle(nodes: readonly Described[]): Described[] {
  const ready = nodes.filter(({ waiting }) => waiting === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    node.colour = colourOf(node);
    for (const parent of node.from) if (--parent.waiting === 0) ready.push(parent);
  }
  const left = nodes.filter(({ waiting }) => waiting > 0);
  for (const node of left) node.colour = cyclic;
  return left;
}

function refine(nodes: readonly Described[]): void {
  const cost = nodes.reduce((sum, { links }) => sum + links.length + 1, 0);
  let work = 0;
  const spend = (): void => {
    if (work > WORK_LIMIT)
      throw new RdfLimitError('blank nodes form cycles that take too long to tell apart');
    work += cost;
  };
  const recolour = (): string[] => {
    const colours = nodes.map(colourOf);
    nodes.forEach((node, i) => (node.colour = colours[i] ?? ''));
    return colours;
  };
  refineColours(
    nodes.map(({ colour }) => colour),
    recolour,
    spend,
  );
}

function colourOf({ lines, links }: Described): string {
  const all = [...lines, ...links.map(({ predicate, to }) => `${predicate} [${to.colour}]`)];
  return hexDigest(all.sort().join('\n'));
}
