import { createHash } from 'node:crypto';
import { writeTerm } from './ntriples.js';
import type { Quad, Term } from './terms.js';

/** A blank node with everything that is said of it, as text where it is fixed and as links where it is blank. */
export interface BlankEntry {
  readonly label: string;
  /** Its statements with a fixed end: `p o` for its own, `^ s p` for those that point to it. */
  readonly lines: string[];
  readonly children: Link[];
  readonly parents: Link[];
  /** In how many statements it is the object. */
  references: number;
  /**
   * Digest of what hangs from it, set when that is a tree: it and every blank node below it is an object at most
   * once. Two trees with one digest are interchangeable wherever they hang.
   */
  tree: string | undefined;
}

export interface Link {
  readonly predicate: string;
  readonly node: BlankEntry;
}

/** All blank nodes of a graph by label, trees already digested. Repeated quads count once. */
export function readBlankNodes(quads: Iterable<Quad>): Map<string, BlankEntry> {
  const entries = collect(quads);
  digestTrees([...entries.values()]);
  return entries;
}

function collect(quads: Iterable<Quad>): Map<string, BlankEntry> {
  const entries = new Map<string, BlankEntry>();
  const entry = (term: Term): BlankEntry | undefined => {
    if (term.termType !== 'BlankNode') return undefined;
    let found = entries.get(term.value);
    if (found === undefined) {
      found = { label: term.value, lines: [], children: [], parents: [], references: 0, tree: undefined };
      entries.set(term.value, found);
    }
    return found;
  };
  const seen = new Set<string>();
  for (const { subject, predicate: verb, object, graph } of quads) {
    const from = entry(subject);
    const to = entry(object);
    if (!from && !to) continue;
    const [start, end] = [keyOf(subject), keyOf(object)];
    // The graph goes with the predicate: the same statement in two graphs is two statements.
    const predicate = writeTerm(verb) + (graph.termType === 'DefaultGraph' ? '' : ` ${keyOf(graph)}`);
    const line = `${start} ${predicate} ${end}`;
    if (seen.has(line)) continue;
    seen.add(line);
    if (to) to.references++;
    if (from && to) {
      from.children.push({ predicate, node: to });
      to.parents.push({ predicate, node: from });
    } else if (from) from.lines.push(`${predicate} ${end}`);
    else to?.lines.push(`^ ${start} ${predicate}`);
  }
  return entries;
}

/** Labels of blank nodes are anybody's: here they are only told apart, so none is refused. */
function keyOf(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : writeTerm(term);
}

/** From the leaves upwards, without recursion: chains can be longer than the stack. */
function digestTrees(entries: readonly BlankEntry[]): void {
  const waiting = new Map(entries.map((entry) => [entry, entry.children.length]));
  const ready = entries.filter(({ children }) => children.length === 0);
  for (let entry = ready.pop(); entry !== undefined; entry = ready.pop()) {
    if (entry.references > 1) continue;
    // What points to a tree is left out: the digest tells what hangs from it, wherever it hangs.
    const own = entry.lines.filter((line) => !line.startsWith('^'));
    entry.tree = sha256([...own, ...entry.children.map(treeLine)].sort().join('\n'));
    for (const { node } of entry.parents) {
      const left = (waiting.get(node) ?? 0) - 1;
      waiting.set(node, left);
      if (left === 0) ready.push(node);
    }
  }
}

/** The text of a statement that leads to a tree. */
export function treeLine({ predicate, node }: Link): string {
  return `${predicate} [${node.tree}]`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
