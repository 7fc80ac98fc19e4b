import { isInnerName, nameInnerNodes } from '../rdf/inner-nodes.js';
import type { Quad, Term } from '../rdf/terms.js';
import { InvalidGraph, type Change, type NamedGraph } from './graph-store.js';
import { pathOf } from './paths.js';
import { writeRelative } from './relative-text.js';

/** A change in the form in which it is written: paths, and the text of each graph. */
export interface PreparedChange {
  readonly replace: ReadonlyMap<string, string>;
  readonly remove: readonly string[];
  readonly removeUnder: readonly string[];
}

/**
 * Checks a change and names its inner nodes: everything that takes time and needs no transaction.
 * @throws InvalidGraph for a name or a term that cannot be kept
 */
export async function prepare(change: Change, base: string): Promise<PreparedChange> {
  const replace = new Map<string, string>();
  for (const graph of change.replace ?? []) {
    const path = pathOf(graph.name, base);
    if (replace.has(path)) throw new InvalidGraph(`${graph.name} occurs twice in one change`);
    replace.set(path, await textOf(graph, base));
  }
  return {
    replace,
    remove: (change.remove ?? []).map((name) => pathOf(name, base)),
    removeUnder: (change.removeUnder ?? []).map((name) => pathOf(name.replace(/\/$/, ''), base)),
  };
}

async function textOf({ name, quads }: NamedGraph, base: string): Promise<string> {
  refuseInnerNames(quads, base);
  try {
    return writeRelative(await nameInnerNodes(name, quads), base);
  } catch (cause) {
    if (cause instanceof TypeError) throw new InvalidGraph(`${name}: ${cause.message}`, { cause });
    throw cause;
  }
}

/** Names of inner nodes are ours to give: who could send them could speak about the inside of another graph. */
function refuseInnerNames(quads: readonly Quad[], base: string): void {
  const check = (term: Term): void => {
    if (term.termType === 'Literal') check(term.datatype);
    if (term.termType === 'NamedNode' && isInnerName(term.value, base)) {
      throw new InvalidGraph(`${JSON.stringify(term.value)} is a name that only the store gives`);
    }
  };
  for (const { subject, predicate, object } of quads) [subject, predicate, object].forEach(check);
}
