import { hexDigest } from './hex-digest.js';
import { writePredicate, writeTerm } from './ntriples.js';
import { termKey } from './term-key.js';
import type { Quad, Term } from './terms.js';

export interface Link {
  readonly predicate: string;
  readonly node: BlankEntry;
}

/** A blank node with all its statements: as text where both ends are fixed, as links to other blank nodes. */
export class BlankEntry {
  readonly children: Link[] = [];
  readonly parents: Link[] = [];
  references = 0;
  /** Whether it and all blank nodes below it are objects at most once. Trees with equal digests are interchangeable. */
  isTree = false;
  readonly own: Quad[] = [];
  readonly pointers: string[] = [];
  #tree: string | undefined;

  constructor(readonly label: string) {}

  get lines(): string[] {
    return [...this.#ownLines(), ...this.pointers];
  }

  /** The digest of the tree below it; undefined if it is no tree. */
  get tree(): string | undefined {
    if (this.isTree && this.#tree === undefined) this.#digest();
    return this.#tree;
  }

  #ownLines(): Set<string> {
    return new Set(this.own.map((each) => `${predicateOf(each)} ${writeTerm(each.object)}`));
  }

  /** Works from the leaves upwards, without recursion: chains can be longer than the stack. */
  #digest(): void {
    const below: BlankEntry[] = [this];
    for (const { children } of below) {
      for (const { node } of children) if (node.#tree === undefined) below.push(node);
    }
    for (const node of below.reverse()) {
      // Pointers to the tree are left out: the digest describes what is below, wherever the tree hangs.
      node.#tree = hexDigest([...node.#ownLines(), ...node.children.map(treeLine)].sort().join('\n'));
    }
  }
}

/** Reads all blank nodes of a graph by label and finds the trees. Repeated quads count once. */
export function readBlankNodes(quads: Iterable<Quad>): Map<string, BlankEntry> {
  const entries = collect(quads);
  findTrees([...entries.values()]);
  return entries;
}

function collect(quads: Iterable<Quad>): Map<string, BlankEntry> {
  const entries = new Map<string, BlankEntry>();
  const entry = (term: Term): BlankEntry | undefined => {
    if (term.termType !== 'BlankNode') return undefined;
    let found = entries.get(term.value);
    if (found === undefined) entries.set(term.value, (found = new BlankEntry(term.value)));
    return found;
  };
  const seen = new Set<string>();
  for (const each of quads) {
    const from = entry(each.subject);
    const to = entry(each.object);
    if (!to) {
      from?.own.push(each);
      continue;
    }
    const predicate = predicateOf(each);
    const link = `${termKey(each.subject)} ${predicate} _:${to.label}`;
    if (seen.size === seen.add(link).size) continue;
    to.references++;
    if (from) {
      from.children.push({ predicate, node: to });
      to.parents.push({ predicate, node: from });
    } else to.pointers.push(`^ ${writeTerm(each.subject)} ${predicate}`);
  }
  return entries;
}

/** Includes the graph: the same statement in two graphs is two statements. */
function predicateOf({ predicate, graph }: Quad): string {
  const text = writePredicate(predicate);
  return graph.termType === 'DefaultGraph' ? text : `${text} ${termKey(graph)}`;
}

/** Works from the leaves upwards, without recursion: chains can be longer than the stack. */
function findTrees(entries: readonly BlankEntry[]): void {
  const ready = entries.filter(({ children }) => children.length === 0);
  const waiting = new Map<BlankEntry, number>();
  for (let entry = ready.pop(); entry !== undefined; entry = ready.pop()) {
    if (entry.references > 1) continue;
    entry.isTree = true;
    for (const { node } of entry.parents) {
      const left = (waiting.get(node) ?? node.children.length) - 1;
      waiting.set(node, left);
      if (left === 0) ready.push(node);
    }
  }
}

export function treeLine({ predicate, node }: Link): string {
  return `${predicate} [${node.tree}]`;
}
